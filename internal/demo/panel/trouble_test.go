package panel_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
)

// The last hint says that all is well in the thread, so it waits for the thread and not for Argo CD alone.
func TestTheLastHintWaitsForTheGreenThread(t *testing.T) {
	s := begin(t)
	ts := s.asBot("chat.postMessage", "text", "🔴 "+s.app.Name+": PreSync hook db-migrate failed")
	s.does("/hints", "do", "next")
	s.does("/hints", "do", "next")
	s.act(s.app, "delete-jobs")
	s.act(s.app, "sync")
	s.await(s.app, "well", func(state simulator.State) bool { return !state.Running && !world.Unwell(state) })
	looked := s.panel.Changed()
	go s.panel.Run(s.Context())
	<-looked
	contains(t, s.shows("hints", "alice"), "3 of 3")
	s.asBot("chat.update", "ts", ts, "text", "🟢 "+s.app.Name+": recovered")
	s.awaitHint(s.app.Name + " is healthy again")
}

// awaitHint waits until the hints show a text.
func (s *scene) awaitHint(text string) {
	s.Helper()
	for {
		slack, changed := s.world.Slack.Changed(), s.panel.Changed()
		html := s.shows("hints", "alice")
		if strings.Contains(html, text) {
			return
		}
		select {
		case <-slack:
		case <-changed:
		case <-s.Context().Done():
			s.Fatalf("the hints never show %q: %s", text, html)
		}
	}
}

// asBot calls Slack with the bot's token, and returns the ts of what was posted.
func (s *scene) asBot(method string, fields ...string) string {
	s.Helper()
	in := s.world.Slack.Channel(world.Channel)
	form := url.Values{"channel": {in.ID()}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.world.Slack.URL()+"/api/"+method, strings.NewReader(form.Encode()))
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+s.world.People.App.BotToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	_ = answer.Body.Close()
	last, _ := in.Last()
	return last.TS
}

// Somebody who has armed something sees it, sees it used up, and can take it back.
func TestWhatIsArmedShowsIt(t *testing.T) {
	s := begin(t)
	contains(t, s.shows("panel", "alice"), `value="kill-at-message" aria-pressed="false"`, `value="limit" aria-pressed="false"`)

	s.does("/bot", "do", "kill-at-message")
	contains(t, s.shows("panel", "alice"), "Armed: it will be killed at its next post.", `value="spare" aria-pressed="true"`)
	s.does("/bot", "do", "spare")
	contains(t, s.shows("panel", "alice"), `value="kill-at-message" aria-pressed="false"`)

	s.does("/slack", "do", "limit")
	contains(t, s.shows("panel", "alice"), "Armed: 5 of 5 left.", `value="answer" aria-pressed="true"`)
	s.asBot("chat.postMessage", "text", "hello")
	contains(t, s.shows("panel", "alice"), "Armed: 4 of 5 left.")
	s.does("/slack", "do", "answer")
	if html := s.shows("panel", "alice"); strings.Contains(html, "Armed") {
		t.Errorf("it was disarmed, and shows %s", html)
	}
}

// What a sync puts right has no button of its own, and says so.
func TestWhatASyncPutsRightSaysSo(t *testing.T) {
	s := begin(t)
	for rule, says := range map[string]string{
		"drift/manual-edit": "a sync corrects it", "drift/missing": "a sync corrects it", "drift/autosync-off": "a sync corrects it",
		"drift/pending-prune": "a sync with prune corrects it",
	} {
		_, f := s.ofRule(rule)
		if err := s.world.Break(f); err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(s.shows("panel", "alice"), `id="app-`+f.App.Name+`-details"`)
		item, _, _ := strings.Cut(after, "</details>")
		contains(t, item, "Nothing to fix in Git: "+says+".")
	}
}

func TestAnUnknownApplicationHasAPageToo(t *testing.T) {
	s := begin(t)
	rec := httptest.NewRecorder()
	s.panel.ArgoCD().ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/applications/argocd/"+url.PathEscape("<b>x"), nil))
	if rec.Code != http.StatusNotFound || rec.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("%d, %v", rec.Code, rec.Header())
	}
	contains(t, rec.Body.String(), "No application named &lt;b&gt;x</h1>", `rel="stylesheet"`, `rel="icon"`)
}
