package panel_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/panel"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

func TestAFailingApplicationIsRepairedStepByStep(t *testing.T) {
	s := begin(t)
	html := s.shows("panel", "alice")
	contains(t, html, "payments-api", "OutOfSync", "Sync failed", s.world.Migration().Title, s.world.Migration().Repair, "Delete Job db-migrate", "40 Healthy")

	s.act(s.app, "repair")
	contains(t, s.shows("panel", "alice"), "The cause is fixed, but Argo CD has not noticed it yet. Delete the failed Job, then press Sync.")
	if f := s.world.FailureOf(s.app); f != nil {
		t.Errorf("it still fails with %q", f.Title)
	}
	s.act(s.app, "delete-jobs")
	if jobs := s.state(s.app).FailedJobs; len(jobs) > 0 {
		t.Errorf("still there: %v", jobs)
	}
	if code, text := s.post("/application", "namespace", s.app.Namespace, "name", s.app.Name, "do", "delete-jobs"); code != http.StatusConflict || !strings.Contains(text, "no longer has a failed Job") {
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
	contains(t, s.shows("panel", "alice"), " is in Git, but Argo CD has not noticed it yet. Press Refresh or Sync.")
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
		contains(t, s.shows("panel", "alice"), "Change manually (kubectl)")
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
	if code, text := s.post("/fleet", "do", "repair"); code != http.StatusConflict || text != "the Git host is already reachable" {
		t.Errorf("fixed twice: %d %s", code, text)
	}
	s.does("/fleet", "do", "break")
	contains(t, s.shows("panel", "alice"), "40 Unknown", "The Git host is back")
	s.does("/fleet", "do", "repair")
	for _, app := range world.Fleet() {
		s.await(app, "well", func(state simulator.State) bool { return !world.Unwell(state) })
	}
}

// TestEverythingIsRepaired whatever fails: one of each failure, and the fleet.
func TestEverythingIsRepaired(t *testing.T) {
	s := begin(t)
	for i := range s.world.Failures() {
		s.does("/break", "failure", strconv.Itoa(i))
	}
	s.does("/fleet", "do", "break")
	contains(t, s.shows("panel", "alice"), "Fix everything")
	s.does("/everything")
	for _, state := range s.world.ArgoCD.States() {
		s.await(state.Name, "well", func(state simulator.State) bool { return !state.Running && !world.Unwell(state) && state.Pushed == "" })
	}
	html := s.shows("panel", "alice")
	contains(t, html, "Nothing is failing.")
	if strings.Contains(html, "Fix everything") {
		t.Error("it offers to repair what works")
	}
}

func TestNotificationsAreDeliveredLateOrLost(t *testing.T) {
	s := begin(t)
	for how, says := range map[world.Delivery]string{world.Late: "8 s later", world.Lost: "every 15 s", world.Delivered: "immediately"} {
		s.does("/delivery", "delivery", string(how))
		if got := s.world.Delivery(); got != how {
			t.Errorf("chosen %s, it is %s", how, got)
		}
		contains(t, s.shows("panel", "alice"), says, `value="`+string(how)+`" id="delivery-`+string(how)+`" aria-pressed="true"`)
	}
}

func TestSlackRefusesTheNextMessages(t *testing.T) {
	s := begin(t)
	s.does("/slack", "do", "limit")
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
		{"/application", []string{"namespace", "argocd", "name", "nobody", "do", "sync"}, "No application named nobody."},
		{"/application", []string{"namespace", s.app.Namespace, "name", s.app.Name, "do", "explode"}, `Unknown action "explode".`},
		{"/break", []string{"failure", "4711"}, `No failure named "4711". Choose one from the list.`},
		{"/break", []string{"failure", "-1"}, `No failure named "-1". Choose one from the list.`},
		{"/fleet", []string{"do", "x"}, `Unknown action "x".`},
		{"/delivery", []string{"delivery", "never"}, `Unknown delivery "never".`},
		{"/bot", []string{"do", "x"}, `Unknown action "x".`},
		{"/slack", []string{"do", "x"}, `Unknown action "x".`},
		{"/hints", []string{"do", "x"}, `Unknown action "x".`},
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

// What somebody reads in a hint is true, whichever way they came there.
func TestHintsCanBeSkippedAndHidden(t *testing.T) {
	s := begin(t)
	contains(t, s.shows("hints", "alice"), "1 of 3", "Its thread will appear in #deploys")
	if code, text := s.post("/hints", "do", "thread"); code != http.StatusConflict || !strings.Contains(text, "does not exist yet") {
		t.Errorf("a thread that is not there: %d %s", code, text)
	}
	s.does("/hints", "do", "next")
	contains(t, s.shows("hints", "carol"), "2 of 3", "The demo has restarted the database", "Switch to alice")
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
	if strings.Contains(html, "The fleet") {
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
