package panel_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/panel"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace/page"
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

func TestAFailingApplicationIsRepairedStepByStep(t *testing.T) {
	s := begin(t)
	html := s.shows("panel", "alice")
	contains(t, html, "payments-api", "OutOfSync", "Sync failed", s.world.Migration().Title, s.world.Migration().Repair, "Delete Job db-migrate", "40 Healthy")

	s.act(s.app, "repair")
	contains(t, s.shows("panel", "alice"), "The cause is gone, and Argo CD has not noticed")
	if f := s.world.FailureOf(s.app); f != nil {
		t.Errorf("it still fails of %q", f.Title)
	}
	s.act(s.app, "delete-jobs")
	if jobs := s.state(s.app).FailedJobs; len(jobs) > 0 {
		t.Errorf("still there: %v", jobs)
	}
	if code, text := s.post("/application", "namespace", s.app.Namespace, "name", s.app.Name, "do", "delete-jobs"); code != http.StatusConflict || !strings.Contains(text, "no failed Job") {
		t.Errorf("a second deletion: %d %s", code, text)
	}
	s.act(s.app, "sync")
	contains(t, s.shows("panel", "alice"), "Syncing", "Terminate")
	if code, text := s.post("/application", "namespace", s.app.Namespace, "name", s.app.Name, "do", "sync"); code != http.StatusConflict || text != "another operation is already in progress" {
		t.Errorf("a sync during a sync: %d %s", code, text)
	}
	s.await(s.app, "well", func(state simulator.State) bool { return !state.Running && !world.Unwell(state) })
	contains(t, s.shows("panel", "alice"), "Nothing is failing.")
}

func TestAFixPushedToGitIsSeenWithARefresh(t *testing.T) {
	s := begin(t)
	at, failure := s.ofRule("render/helm-template")
	s.does("/break", "failure", strconv.Itoa(at))
	contains(t, s.shows("panel", "alice"), failure.Title, failure.Repair)
	s.act(failure.App, "repair")
	contains(t, s.shows("panel", "alice"), " is in Git, and Argo CD has not seen it.")
	s.act(failure.App, "refresh")
	if state := s.state(failure.App); state.Sync != "OutOfSync" || state.Pushed != "" {
		t.Errorf("after the refresh: %+v", state)
	}
}

// ofRule is the first failure of a rule, and its number.
func (s *scene) ofRule(rule string) (int, *world.Failure) {
	s.Helper()
	for i, f := range s.world.Failures() {
		if f.Rule == rule {
			return i, f
		}
	}
	s.Fatalf("no failure of %s", rule)
	return 0, nil
}

func TestSomebodyChangesAHealthyApplicationByHand(t *testing.T) {
	s := begin(t)
	for _, f := range s.world.Failures() {
		if !f.Editable || f.App == s.app {
			continue
		}
		contains(t, s.shows("panel", "alice"), "Change by hand (kubectl)")
		s.act(f.App, "edit")
		if state := s.state(f.App); state.Sync != "OutOfSync" {
			t.Errorf("after a change by hand: %+v", state)
		}
		s.act(f.App, "hard-refresh")
		s.act(f.App, "sync")
		s.await(f.App, "synced", func(state simulator.State) bool { return state.Sync == "Synced" })
		return
	}
	t.Fatal("nothing can be changed by hand")
}

func TestEveryFailureIsOfferedInItsGroup(t *testing.T) {
	s := begin(t)
	html := s.shows("panel", "alice")
	for _, f := range s.world.Failures() {
		contains(t, html, `<optgroup label="`+f.Group+`">`, strings.ReplaceAll(f.Title, "'", "&#39;"))
	}
}

func TestTheFleetFailsAndRecovers(t *testing.T) {
	s := begin(t)
	if strings.Contains(s.shows("panel", "alice"), "The Git host is back") {
		t.Error("it offers to repair what works")
	}
	if code, text := s.post("/fleet", "do", "repair"); code != http.StatusConflict || text != "the Git host answers already" {
		t.Errorf("repaired twice: %d %s", code, text)
	}
	s.does("/fleet", "do", "break")
	contains(t, s.shows("panel", "alice"), "40 Unknown", "The Git host is back")
	s.does("/fleet", "do", "repair")
	for _, app := range world.Fleet() {
		s.await(app, "well", func(state simulator.State) bool { return !world.Unwell(state) })
	}
}

func TestNotificationsAreDeliveredLateOrLost(t *testing.T) {
	s := begin(t)
	for how, says := range map[world.Delivery]string{world.Late: "8 s later", world.Lost: "every 15 s", world.Delivered: "at once"} {
		s.does("/delivery", "delivery", string(how))
		if got := s.world.Delivery(); got != how {
			t.Errorf("chosen %s, it is %s", how, got)
		}
		contains(t, s.shows("panel", "alice"), says, `value="`+string(how)+`" id="delivery-`+string(how)+`" aria-pressed="true"`)
	}
}

func TestSlackRefusesTheNextMessages(t *testing.T) {
	s := begin(t)
	s.does("/slack")
	call := func() int {
		r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.world.Slack.URL()+"/api/chat.postMessage",
			strings.NewReader(url.Values{"channel": {world.Channel}, "text": {"hello"}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer "+s.world.People.App.BotToken)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	for i := range 5 {
		if got := call(); got != http.StatusTooManyRequests {
			t.Errorf("message %d: %d", i+1, got)
		}
	}
	if got := call(); got != http.StatusOK {
		t.Errorf("the sixth message: %d", got)
	}
}

func TestWhatIsNotThereIsRefusedInWords(t *testing.T) {
	s := begin(t)
	for _, tt := range []struct {
		path   string
		fields []string
		want   string
	}{
		{"/application", []string{"namespace", "argocd", "name", "nobody", "do", "sync"}, "There is no application nobody."},
		{"/application", []string{"namespace", s.app.Namespace, "name", s.app.Name, "do", "explode"}, `Nothing here is called "explode".`},
		{"/break", []string{"failure", "4711"}, `There is no failure "4711". Choose one from the list.`},
		{"/break", []string{"failure", "-1"}, `There is no failure "-1". Choose one from the list.`},
		{"/fleet", []string{"do", "x"}, `Nothing here is called "x".`},
		{"/delivery", []string{"delivery", "never"}, `Notifications cannot be "never".`},
		{"/bot", []string{"do", "x"}, `Nothing here is called "x".`},
		{"/hints", []string{"do", "x"}, `Nothing here is called "x".`},
	} {
		if code, text := s.post(tt.path, tt.fields...); code != http.StatusNotFound || text != tt.want {
			t.Errorf("%s %v: %d %q, not %q", tt.path, tt.fields, code, text, tt.want)
		}
	}
	if code, text := s.post("/bot", "do", "kill"); code != http.StatusConflict || !strings.Contains(text, "not running") {
		t.Errorf("a bot that does not run is killed: %d %s", code, text)
	}
}

func TestLookingChangesNothing(t *testing.T) {
	s := begin(t)
	before := s.world.ArgoCD.States()
	for _, path := range []string{"/application", "/break", "/fleet", "/delivery", "/bot", "/slack", "/hints"} {
		rec := httptest.NewRecorder()
		s.panel.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+"?do=hide&failure=1&delivery=lost", nil))
		if rec.Code != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %d", path, rec.Code)
		}
	}
	s.shows("panel", "alice")
	s.shows("hints", "alice")
	after := s.world.ArgoCD.States()
	for i := range before {
		if before[i].Sync != after[i].Sync || before[i].Pushed != after[i].Pushed || before[i].Operation != after[i].Operation {
			t.Errorf("%+v was %+v", after[i], before[i])
		}
	}
	contains(t, s.shows("hints", "alice"), "1 of 3")
}

func TestChangesAreSignalled(t *testing.T) {
	s := begin(t)
	changed := s.panel.Changed()
	s.does("/delivery", "delivery", "late")
	select {
	case <-changed:
	default:
		t.Error("a form that was sent is no change")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.panel.Run(ctx); close(ended) }()
	changed = s.panel.Changed()
	if err := s.world.ArgoCD.Refresh(s.app, false); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-t.Context().Done():
		t.Error("what happens in Argo CD is no change")
	}
	stop()
	<-ended
}

// hostile is an application that tries to be more than text.
const hostile = `"><script>alert(1)</script>`

func TestHostileNamesAndMessagesAreText(t *testing.T) {
	s := begin(t)
	text, err := json.Marshal(map[string]any{"application": map[string]any{
		"metadata": map[string]any{"name": hostile, "namespace": "argocd"},
		"spec":     map[string]any{"project": hostile, "source": map[string]any{"repoURL": "javascript:alert(1)", "path": hostile, "targetRevision": hostile}},
		"status": map[string]any{
			"sync": map[string]any{"status": hostile, "revision": hostile}, "health": map[string]any{"status": hostile},
			"conditions":     []any{map[string]any{"type": hostile, "message": hostile}},
			"resources":      []any{map[string]any{"kind": hostile, "name": hostile, "status": hostile}},
			"operationState": map[string]any{"phase": "Failed", "message": hostile, "operation": map[string]any{}, "startedAt": "2026-11-22T08:00:00Z"},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.world.Add(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.world.Break(f); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"panel": s.shows("panel", hostile), "hints": s.shows("hints", hostile), "list": s.argoCD("/applications"),
		"application": s.argoCD("/applications/argocd/" + url.PathEscape(hostile)),
	}
	for name, html := range pages {
		if strings.Contains(html, "<script") || strings.Contains(html, `href="javascript`) || strings.Contains(html, `">&lt;script`) {
			t.Errorf("%s is more than text:\n%s", name, html)
		}
	}
	contains(t, pages["panel"], "&lt;script&gt;")
	contains(t, pages["application"], "&lt;script&gt;")
}

// argoCD is a page that stands for one of Argo CD's.
func (s *scene) argoCD(path string) string {
	s.Helper()
	rec := httptest.NewRecorder()
	s.panel.ArgoCD().ServeHTTP(rec, httptest.NewRequestWithContext(s.Context(), http.MethodGet, path, nil))
	if rec.Code != http.StatusOK {
		s.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
	}
	if csp := rec.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		s.Errorf("%s: the policy is %q", path, csp)
	}
	return rec.Body.String()
}

func TestThePagesOfArgoCDSayWhatItSays(t *testing.T) {
	s := begin(t)
	contains(t, s.argoCD("/applications/argocd/payments-api"), "OutOfSync", "Failed", "one or more synchronization tasks completed unsuccessfully", "Job/db-migrate", "PreSync")
	contains(t, s.argoCD("/applications/payments-api"), "payments-api")
	contains(t, s.argoCD("/"), "payments-api", "basket-eu-west")
	rec := httptest.NewRecorder()
	s.panel.ArgoCD().ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/applications/argocd/nobody", nil))
	if rec.Code != http.StatusNotFound || strings.TrimSpace(rec.Body.String()) != "There is no application nobody." {
		t.Errorf("an application that is not there: %d %s", rec.Code, rec.Body)
	}
}

// What somebody reads in a hint is true, whichever way they came there.
func TestHintsCanBeSkippedAndHidden(t *testing.T) {
	s := begin(t)
	contains(t, s.shows("hints", "alice"), "1 of 3", "Its thread appears in #deploys")
	if code, text := s.post("/hints", "do", "thread"); code != http.StatusConflict || !strings.Contains(text, "not there yet") {
		t.Errorf("a thread that is not there: %d %s", code, text)
	}
	s.does("/hints", "do", "next")
	contains(t, s.shows("hints", "carol"), "2 of 3", "The database is running again", "Switch to alice")
	if s.world.FailureOf(s.app) != nil {
		t.Error("the database is not running again")
	}
	s.does("/hints", "do", "next")
	contains(t, s.shows("hints", "bob"), "3 of 3")
	s.does("/hints", "do", "hide")
	if html := s.shows("hints", "alice"); html != "" {
		t.Errorf("hidden hints show %s", html)
	}
}

// The page of a story shows Argo CD as it is, also with no fleet and nothing that fails, and no hints.
func TestAPanelOfAnEmptyWorld(t *testing.T) {
	w, err := world.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &scene{T: t, world: w, panel: panel.New(w)}
	if n := len(s.panel.Sections()); n != 1 {
		t.Errorf("it has %d sections", n)
	}
	html := s.shows("panel", "alice")
	contains(t, html, "Nothing is failing.")
	if strings.Contains(html, "eight services") {
		t.Errorf("it shows a fleet that is not there: %s", html)
	}
}

func TestSectionsHaveTheirPlaces(t *testing.T) {
	s := begin(t)
	for _, section := range s.panel.Sections() {
		want := map[string]page.Place{"hints": page.Above, "panel": page.Beside}[section.ID]
		if section.Place != want || section.Label == "" || section.Changed == nil {
			t.Errorf("%+v", section)
		}
	}
}
