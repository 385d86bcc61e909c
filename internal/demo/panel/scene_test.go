package panel_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/panel"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
)

// scene is a panel over a world without a bot, in which the migration fails.
type scene struct {
	*testing.T
	world *world.World
	panel *panel.Panel
	app   simulator.Name
}

func begin(t *testing.T) *scene {
	t.Helper()
	w, err := world.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := w.Populate(); err != nil {
		t.Fatal(err)
	}
	if err := w.Break(w.Migration()); err != nil {
		t.Fatal(err)
	}
	p := panel.New(w)
	p.Guide(w.Migration().App)
	return &scene{t, w, p, w.Migration().App}
}

// shows is the HTML of a section.
func (s *scene) shows(id, as string) string {
	s.Helper()
	for _, section := range s.panel.Sections() {
		if section.ID == id {
			html, err := section.Render(as)
			if err != nil {
				s.Fatal(err)
			}
			return string(html)
		}
	}
	s.Fatalf("there is no section %s", id)
	return ""
}

// post sends a form and returns the status and the text of the answer.
func (s *scene) post(path string, fields ...string) (int, string) {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(s.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	s.panel.ServeHTTP(rec, r)
	return rec.Code, strings.TrimSpace(rec.Body.String())
}

// does posts what has to succeed.
func (s *scene) does(path string, fields ...string) {
	s.Helper()
	if code, text := s.post(path, fields...); code != http.StatusNoContent {
		s.Fatalf("%s %v: %d %s", path, fields, code, text)
	}
}

// act presses a button of an application.
func (s *scene) act(app simulator.Name, do string) {
	s.Helper()
	s.does("/application", "namespace", app.Namespace, "name", app.Name, "do", do)
}

func (s *scene) state(app simulator.Name) simulator.State {
	s.Helper()
	state, err := s.world.ArgoCD.State(app)
	if err != nil {
		s.Fatal(err)
	}
	return state
}

// await waits until an application is in a state.
func (s *scene) await(app simulator.Name, what string, is func(simulator.State) bool) {
	s.Helper()
	for {
		changed := s.world.ArgoCD.Changed()
		if is(s.state(app)) {
			return
		}
		select {
		case <-changed:
		case <-s.Context().Done():
			s.Fatalf("%s does not become %s: %+v", app, what, s.state(app))
		}
	}
}

var tag = regexp.MustCompile("<[^>]*>")

func contains(t *testing.T, html string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html, text) {
			t.Errorf("it does not show %q, but: %s", text, strings.Join(strings.Fields(tag.ReplaceAllString(html, " ")), " "))
		}
	}
}
