package argo_test

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestFollowAsksForWhatItNeeds: a list and a stream over HTTP, both with fields left out, and all applications completely once, however
// often they are listed.
func TestFollowAsksForWhatItNeeds(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
	requests := make(chan *http.Request, 100)
	s.Proxy(func(api http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests <- r.Clone(t.Context())
			api.ServeHTTP(w, r)
		})
	})
	f := follow(t, connect(t, s, argo.Options{}), 100*time.Millisecond)
	f.want(t, "shop Healthy")
	for range 4 {
		f.stands(t)
	}
	lists, streams := 0, 0
	for len(requests) > 0 {
		r := <-requests
		fields := r.URL.Query().Get("fields")
		switch r.URL.Path {
		case "/api/v1/applications":
			lists++
		case "/api/v1/stream/applications":
			streams++
		default:
			t.Errorf("asked for %s", r.URL)
		}
		if fields == "" || strings.Contains(fields, "status.history") || r.Header.Get("Authorization") != "Bearer "+argotest.Token {
			t.Errorf("asked for %s with %s", r.URL, r.Header)
		}
	}
	if lists < 4 || streams != 1 {
		t.Errorf("%d lists and %d streams, want at least 4 and one", lists, streams)
	}
	if n := s.Calls()["Watch"]; n != 2 { // the stream, and the complete reading
		t.Errorf("%d calls of Watch, want 2", n)
	}
}

// TestFollowReportsWhatADiagnosisMayDependOn, and nothing else.
func TestFollowReportsWhatADiagnosisMayDependOn(t *testing.T) {
	t.Parallel()
	const (
		before = `"resources": [{"kind": "Service", "name": "a", "status": "Synced", "health": {"status": "Healthy"}}, {"kind": "Service", "name": "b", "status": "Synced"}],
			"conditions": [{"type": "OrphanedResourceWarning", "message": "1 resource", "lastTransitionTime": "2026-11-21T10:00:00Z"}],
			"operationState": {"phase": "Running", "message": "waiting for a", "startedAt": "2026-11-21T10:00:00Z", "operation": {}, "syncResult": {"resources": [{"name": "a", "hookPhase": "Running"}]}}`
		spec = `"source": {"repoURL": "https://git", "helm": {"valuesObject": {"b": 1, "a": {"z": "<x>", "y": []}}}}`
	)
	app := func(metadata, spec, state, rest string) []byte {
		return fmt.Appendf(nil, `{"application": {"metadata": {"name": "shop", "namespace": "argocd" %s}, "spec": {"project": "default", %s},
			"status": {"sync": {"status": "Synced", "revision": "1"}, "health": {"status": "Progressing"}, %s} %s}}`, metadata, spec, state, rest)
	}
	s := argotest.NewServer(t, app("", spec, before, ""))
	f := follow(t, connect(t, s, argo.Options{}), time.Hour)
	f.want(t, "shop Progressing")
	f.stands(t)
	s.AwaitWatch(t, 1)
	in := func(old, changed string) string {
		if !strings.Contains(before+spec, old) {
			t.Fatalf("there is no %s", old)
		}
		return strings.Replace(before, old, changed, 1)
	}
	for what, changed := range map[string][]byte{
		"resource version":             app(`, "resourceVersion": "7"`, spec, before, ""),
		"annotation":                   app(`, "annotations": {"a": "b"}`, spec, before, ""),
		"time of the last look":        app("", spec, before+`, "reconciledAt": "2026-11-21T10:00:00Z"`, ""),
		"time of a condition":          app("", spec, in("T10:00:00Z\"}]", "T11:00:00Z\"}]"), ""),
		"health of a resource":         app("", spec, in(`"Healthy"`, `"Degraded"`), ""),
		"history":                      app("", spec, before+`, "history": [{"id": 1}]`, ""),
		"images":                       app("", spec, before+`, "summary": {"images": ["a"]}`, ""),
		"order of the values for Helm": app("", strings.Replace(spec, `{"b": 1, "a": {"z": "<x>", "y": []}}`, `{"a": {"y": [], "z": "<x>"}, "b": 1}`, 1), before, ""),
	} {
		s.Put(t, changed)
		s.Put(t, shop("mark", what, "1")) // what comes before it was told, or kept
		f.want(t, "mark "+what)
	}
	for what, changed := range map[string][]byte{
		"sync status of a resource":  app("", spec, in(`"name": "b", "status": "Synced"`, `"name": "b", "status": "OutOfSync"`), ""),
		"message of a condition":     app("", spec, in("1 resource", "2 resources"), ""),
		"message of an operation":    app("", spec, in("waiting for a", "waiting for b"), ""),
		"phase of an operation":      app("", spec, in(`"Running"`, `"Failed"`), ""),
		"beginning of an operation":  app("", spec, in(`"startedAt": "2026-11-21T10`, `"startedAt": "2026-11-21T11`), ""),
		"retries of an operation":    app("", spec, in(`"operation": {}`, `"operation": {}, "retryCount": 2`), ""),
		"request for an operation":   app("", spec, before, `, "operation": {"sync": {}}`),
		"value for Helm":             app("", strings.Replace(spec, `"b": 1`, `"b": 2`, 1), before, ""),
		"label":                      app(`, "labels": {"team": "pay"}`, spec, before, ""),
		"deletion":                   app(`, "deletionTimestamp": "2026-11-21T10:00:00Z"`, spec, before, ""),
		"another resource":           app("", spec, in(`{"kind": "Service", "name": "b", "status": "Synced"}`, `{"kind": "Service", "name": "b", "status": "Synced"}, {"kind": "Job", "name": "c"}`), ""),
		"hydrator that cannot do it": app("", spec, before+`, "sourceHydrator": {"currentOperation": {"phase": "Failed", "message": "no"}}`, ""),
	} {
		s.Put(t, changed)
		f.want(t, "shop Progressing")
		s.Put(t, app("", spec, before, ""))
		f.want(t, "shop Progressing")
		t.Log(what)
	}
}

// TestFollowReportsTheSameOfEverySource: what was read completely, over gRPC, is no news on the stream or in a list, for any
// application that was ever recorded.
func TestFollowReportsTheSameOfEverySource(t *testing.T) {
	t.Parallel()
	var cases [][]byte
	err := filepath.WalkDir("../diagnose/rules/testdata/cases", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), `"application": {`) { // else Argo CD refused to read it
			cases = append(cases, text)
		}
		return err
	})
	if err != nil || len(cases) < 100 {
		t.Fatal(len(cases), err)
	}
	s := argotest.NewServer(t, cases...)
	f := follow(t, connect(t, s, argo.Options{}), 200*time.Millisecond)
	for range s.Names() {
		receive(t, f.changes, "all applications")
	}
	f.stands(t)
	s.AwaitWatch(t, 1)
	if err := s.Compared(s.Names()...); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		f.stands(t)
	}
	s.Put(t, shop("last", "Healthy", "1"))
	f.want(t, "last Healthy")
}

// ways are what may be between the bot and Argo CD's HTTP API.
var ways = map[string]struct {
	proxy http.HandlerFunc
	says  string
	// or is what it says where the stream, which is asked for at the same time, answers before the list.
	or string
}{
	"nothing there":  {proxy: http.NotFound, says: "not Argo CD's HTTP API: HTTP 404, text/plain"},
	"a login page":   {proxy: page(http.StatusOK), says: "not Argo CD's HTTP API: HTTP 200, a web page"},
	"a redirect":     {proxy: http.RedirectHandler("https://login.example.com/", http.StatusFound).ServeHTTP, says: "not Argo CD's HTTP API: HTTP 302, a web page"},
	"a broken proxy": {proxy: page(http.StatusBadGateway), says: "not Argo CD's HTTP API: HTTP 502, a web page"},
	"an answer that is cut off": {proxy: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"items": [{"metadata": {"name": "shop"`)
	}, says: "read the list: unexpected EOF", or: "not Argo CD's HTTP API: HTTP 200, application/json"},
}

func page(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "<html>")
	}
}

// TestFollowDoesWithoutTheHTTPAPI, says why, and comes back to it.
func TestFollowDoesWithoutTheHTTPAPI(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := argotest.NewServer(t, shop("shop", "Healthy", "1"))
			s.Proxy(func(http.Handler) http.Handler { return way.proxy })
			f := follow(t, connect(t, s, argo.Options{}), 100*time.Millisecond)
			f.want(t, "shop Healthy")
			if complaints := f.stands(t); complaints != nil {
				t.Errorf("complained of %v", complaints)
			}
			if why := receive(t, f.whole, "the reason"); why == nil || why.Error() != way.says && why.Error() != way.or {
				t.Errorf("whole applications because of %v, want %s", why, way.says)
			}
			s.Put(t, shop("shop", "Degraded", "2"))
			f.want(t, "shop Degraded")
			for range 3 {
				f.stands(t)
			}
			if len(f.whole) > 0 {
				t.Errorf("told again: %v", <-f.whole)
			}
			s.Proxy(nil)
			if why := receive(t, f.whole, "the HTTP API"); why != nil {
				t.Errorf("told %v", why)
			}
			s.Put(t, shop("shop", "Healthy", "3"))
			f.want(t, "shop Healthy")
		})
	}
}

// TestFollowMoreThanArgoCDLists: over 200 MB Argo CD lists nothing, not to its own page either. Then the stream that begins with all
// applications is the list, and who is missing in it is asked for by name.
func TestFollowMoreThanArgoCDLists(t *testing.T) {
	t.Parallel()
	tooLarge := status.Error(codes.ResourceExhausted, "grpc: received message larger than max (340370000 vs. 209715200)")
	s := argotest.NewServer(t, shop("shop", "Healthy", "1"), shop("till", "Healthy", "1"))
	s.Proxy(func(api http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/api/v1/applications" {
				api.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = fmt.Fprintf(w, `{"error": %q, "code": 8, "message": %[1]q}`, status.Convert(tooLarge).Message())
		})
	})
	c := connect(t, s, argo.Options{})
	if states, err := c.List(t.Context()); err != nil || len(states) != 2 || states[0].Partial {
		t.Errorf("listed %+v, %v; want both, whole", states, err)
	}
	f := follow(t, c, 100*time.Millisecond)
	f.want(t, "shop Healthy", "till Healthy")
	f.stands(t)
	if len(f.whole) > 0 {
		t.Errorf("whole applications because of %v", <-f.whole)
	}
	s.AwaitWatch(t, 1)
	s.Mute(true)
	s.Remove(t, "argocd", "till")
	f.want(t, "till gone")
}

// TestFollowFindsWhatTheStreamDropped in the next list. Of what that does not show it is not said that it is well.
func TestFollowFindsWhatTheStreamDropped(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("shop", "Degraded", "1"))
	states := make(chan argo.AppState, 10)
	go func() {
		_ = connect(t, s, argo.Options{}).Follow(t.Context(), argo.FollowOptions{Relist: 200 * time.Millisecond}, func(c argo.Change) { states <- c.State }) // ends with the test
	}()
	if state := receive(t, states, "the application"); state.Partial || state.Health != "Degraded" {
		t.Errorf("told %+v, want all of it", state)
	}
	s.AwaitWatch(t, 1)
	s.Mute(true)
	s.Put(t, shop("shop", "Healthy", "2"))
	if state := receive(t, states, "the change"); !state.Partial || state.Health != "Healthy" || state.Digest != 0 {
		t.Errorf("told %+v, want what a list shows", state)
	}
	s.Mute(false)
	s.Put(t, shop("shop", "Healthy", "3"))
	if state := receive(t, states, "all of it"); state.Partial || !state.Well() {
		t.Errorf("told %+v, want that it is well", state)
	}
}

// TestFollowListsAfterABurst: Argo CD drops what it cannot send at once, so that many changes may hide others.
func TestFollowListsAfterABurst(t *testing.T) {
	t.Parallel()
	s := argotest.NewServer(t, shop("lost", "Healthy", "1"))
	told := make(chan string, 10_000)
	go func() {
		_ = connect(t, s, argo.Options{}).Follow(t.Context(), argo.FollowOptions{Relist: time.Hour}, func(c argo.Change) { // ends with the test
			told <- c.State.Name + " " + c.State.Health
		})
	}()
	if got := receive(t, told, "the application"); got != "lost Healthy" {
		t.Fatalf("told %s", got)
	}
	s.AwaitWatch(t, 1)
	s.Mute(true)
	s.Put(t, shop("lost", "Degraded", "2"))
	s.Mute(false)
	for n := range 600 {
		s.Put(t, shop(fmt.Sprintf("shop-%03d", n), "Degraded", "1"))
	}
	for receive(t, told, "what was lost") != "lost Degraded" {
	}
}
