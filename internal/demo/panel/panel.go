package panel

import (
	_ "embed"
	"net/http"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

// Style is the style sheet of the sections.
//
//go:embed panel.css
var Style []byte

// Panel shows a world, and lets a visitor change it.
type Panel struct {
	world *world.World
}

// New makes the panel of a world.
func New(w *world.World) *Panel { return &Panel{world: w} }

// Sections are the panel beside the messages, and the hints above them.
func (p *Panel) Sections() []page.Section { return nil }

// ServeHTTP does what a visitor asks of the panel.
func (p *Panel) ServeHTTP(rw http.ResponseWriter, r *http.Request) { http.NotFound(rw, r) }

// ArgoCD serves the pages that the links to Argo CD lead to.
func (p *Panel) ArgoCD() http.Handler { return http.NotFoundHandler() }
