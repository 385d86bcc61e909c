package panel

import (
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

// Style is the style sheet of the sections, and of the pages that stand for Argo CD's.
//
//go:embed panel.css
var Style []byte

//go:embed templates
var files embed.FS

// Parsed when the first page is shown: every command of the bot would parse them at its start otherwise.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(files, "templates/*.html"))
})

// Panel shows a world, and lets a visitor change it.
type Panel struct {
	world *world.World
	guide *guide // nil: there are no hints
	mux   *http.ServeMux

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, at each change
}

// New makes the panel of a world.
func New(w *world.World) *Panel {
	p := &Panel{world: w, mux: http.NewServeMux(), changed: make(chan struct{})}
	p.mux.Handle("POST /application", p.does(p.application))
	p.mux.Handle("POST /everything", p.does(p.everything))
	p.mux.Handle("POST /break", p.does(p.breakOne))
	p.mux.Handle("POST /fleet", p.does(p.fleet))
	p.mux.Handle("POST /delivery", p.does(p.delivery))
	p.mux.Handle("POST /bot", p.does(p.bot))
	p.mux.Handle("POST /slack", p.does(p.slack))
	return p
}

// Guide adds the hints of the first minute, about an application that fails already. They follow what happens while Run runs.
func (p *Panel) Guide(app simulator.Name) {
	p.guide = newGuide(p.world, app)
	p.mux.HandleFunc("POST /hints", p.hints)
}

// Sections are the panel beside the messages, and above them the hints, if there are any.
func (p *Panel) Sections() []page.Section {
	all := []page.Section{{ID: "panel", Label: "Argo CD", Place: page.Beside, Render: p.render, Changed: p.Changed}}
	if p.guide != nil {
		all = append(all, page.Section{ID: "hints", Label: "First steps", Place: page.Above, Render: p.renderHints, Changed: p.Changed})
	}
	return all
}

// Run follows what happens in the world, until the context ends.
func (p *Panel) Run(ctx context.Context) {
	var workers sync.WaitGroup
	if p.guide != nil { // the hints also depend on what people do in Slack
		workers.Go(func() {
			_ = p.world.Slack.Await(ctx, func() bool {
				p.follow()
				return p.guide.over()
			})
		})
	}
	for ctx.Err() == nil {
		argoCD, bot := p.world.ArgoCD.Changed(), p.world.BotChanged()
		p.follow()
		p.signal()
		select {
		case <-argoCD:
		case <-bot:
		case <-ctx.Done():
		}
	}
	workers.Wait()
}

// follow moves the hints on.
func (p *Panel) follow() {
	if p.guide != nil && p.guide.follow() {
		p.signal()
	}
}

// Changed is closed at the next change of anything that the panel shows, but for what happens in Slack.
func (p *Panel) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

func (p *Panel) signal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// ServeHTTP does what a visitor asks of the panel.
func (p *Panel) ServeHTTP(rw http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(rw, r) }

func execute(name string, data any) (template.HTML, error) {
	var out strings.Builder
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("render %s of the panel: %w", name, err)
	}
	return template.HTML(out.String()), nil
}
