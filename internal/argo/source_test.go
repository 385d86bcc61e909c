package argo_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Recorded cases, and the names of their applications.
const (
	hookFailed = "courier-api"
	syncWindow = "inventory"
	noGit      = "garage-api-us"
)

var cases = map[string]string{"presync-hook-failed": hookFailed, "sync-window": syncWindow, "git-unreachable": noGit}

func decode(t *testing.T, text []byte) *evidence.Case {
	t.Helper()
	decoded, err := evidence.DecodeCases(text, time.Unix(0, 0))
	if err != nil || len(decoded) != 1 {
		t.Fatalf("decode case: %d cases, %v", len(decoded), err)
	}
	return decoded[0]
}

// read is one read of a source.
type read struct {
	method string // the one request it costs
	name   string
	do     func(context.Context, evidence.Source) (any, error)
}

func plainReads() []read {
	return []read{
		{"Get", "subject", func(ctx context.Context, s evidence.Source) (any, error) {
			subject, err := s.Subject(ctx)
			return subject.Application, err // the refusal of a recorded sync is not part of reading
		}},
		{"ResourceTree", "tree", func(ctx context.Context, s evidence.Source) (any, error) { return s.Tree(ctx) }},
		{"ManagedResources", "managed", func(ctx context.Context, s evidence.Source) (any, error) { return s.ManagedResources(ctx) }},
		{"GetApplicationSyncWindows", "windows", func(ctx context.Context, s evidence.Source) (any, error) { return s.SyncWindows(ctx) }},
		{"project.Get", "project", func(ctx context.Context, s evidence.Source) (any, error) { return s.Project(ctx) }},
		{"repository.ListRepositories", "repositories", func(ctx context.Context, s evidence.Source) (any, error) { return s.Repositories(ctx) }},
	}
}

// objectReads are the reads about each object of the case.
func objectReads(c *evidence.Case) []read {
	var out []read
	queries := []evidence.ObjectQuery{{Ref: evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: c.Application.Metadata.Name}}}
	if c.Tree != nil {
		for _, n := range c.Tree.Nodes {
			if n.UID == "" {
				continue
			}
			q := evidence.ObjectQuery{Ref: n.Ref(), UID: n.UID}
			queries = append(queries, q)
			out = append(out, read{"GetResource", "object " + n.Ref().String(), func(ctx context.Context, s evidence.Source) (any, error) { return s.Object(ctx, q) }})
		}
	}
	for _, q := range queries {
		out = append(out, read{"ListResourceEvents", "events " + q.String(), func(ctx context.Context, s evidence.Source) (any, error) {
			events, err := s.Events(ctx, q)
			return append([]evidence.Event{}, events...), err // no events: nil or empty, both say so
		}})
	}
	for _, l := range c.Logs {
		q := evidence.LogQuery{Namespace: l.Namespace, Pod: l.Pod, Container: l.Container, Previous: l.Previous}
		out = append(out, read{"PodLogs", "log " + l.Pod, func(ctx context.Context, s evidence.Source) (any, error) { return s.Log(ctx, q) }})
	}
	return out
}

// TestLiveIsLikeRecorded reads each recorded case through a server and from its file: the same evidence, one request each.
func TestLiveIsLikeRecorded(t *testing.T) {
	for file, name := range cases {
		t.Run(file, func(t *testing.T) {
			text := readCase(t, file)
			c := decode(t, text)
			s := argotest.NewServer(t, text)
			app := connect(t, s, argo.Options{}).App(name, "", "")
			for _, r := range append(plainReads(), objectReads(c)...) {
				s.Reset()
				got, err := r.do(t.Context(), app)
				want, wantErr := r.do(t.Context(), c.Source())
				if app, ok := got.(*evidence.Application); ok { // a file has no digests
					app.Wanted, app.Compared, app.Policy = evidence.Digest{}, evidence.Digest{}, evidence.Digest{}
				}
				if (err != nil) != (wantErr != nil) {
					t.Errorf("%s: error %v, recorded %v", r.name, err, wantErr)
				} else if err == nil && !reflect.DeepEqual(got, want) {
					t.Errorf("%s:\ngot  %s\nwant %s", r.name, asJSON(t, got), asJSON(t, want))
				}
				if calls := s.Calls(); !reflect.DeepEqual(calls, map[string]int{r.method: 1}) {
					t.Errorf("%s: calls %v, want one %s", r.name, calls, r.method)
				}
			}
		})
	}
}

// TestRecordingIsACase records a whole reading and reads it back: the same evidence again, and Everything asks only for
// what was not read.
func TestRecordingIsACase(t *testing.T) {
	for file, name := range cases {
		t.Run(file, func(t *testing.T) {
			text := readCase(t, file)
			c := decode(t, text)
			s := argotest.NewServer(t, text)
			app := connect(t, s, argo.Options{}).App(name, "", "")
			app.Record = &evidence.Recording{}
			if _, err := app.Subject(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, r := range objectReads(c) {
				if r.name == "events Application/"+name {
					continue // left to Everything
				}
				if _, err := r.do(t.Context(), app); err != nil {
					t.Fatal(err)
				}
			}
			s.Reset()
			s.Gather(4) // one after the other they would never be answered
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			if err := app.Everything(ctx); ctx.Err() != nil || err != nil && c.Tree != nil {
				t.Fatal(err)
			}
			if s.Calls()["Get"] != 0 || s.Overlap() < 4 {
				t.Errorf("calls %v, %d at once: want no second Get, and the rest at once", s.Calls(), s.Overlap())
			}
			encoded, err := app.Record.Encode(c.Now.Time, c.Origin)
			if err != nil {
				t.Fatal(err)
			}
			recorded := decode(t, encoded)
			for _, r := range append(plainReads(), objectReads(c)...) {
				got, err := r.do(t.Context(), recorded.Source())
				want, wantErr := r.do(t.Context(), c.Source())
				if (err != nil) != (wantErr != nil) || err == nil && !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v\ngot  %s\nwant %s (%v)", r.name, err, asJSON(t, got), asJSON(t, want), wantErr)
				}
			}
		})
	}
}

func TestObjectThatIsNotThere(t *testing.T) {
	text := readCase(t, "presync-hook-failed")
	s := argotest.NewServer(t, text)
	app := connect(t, s, argo.Options{}).App(hookFailed, "", "")
	missing := decode(t, text).Application.Status.Resources[0].Ref()
	if _, err := app.Object(t.Context(), evidence.ObjectQuery{Ref: missing}); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("before the application was read: %v, want ErrAbsent", err)
	}
	subject, err := app.Subject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range subject.Application.Status.Resources {
		if r.Kind == "ConfigMap" {
			if o, err := app.Object(t.Context(), evidence.ObjectQuery{Ref: r.Ref()}); o != nil || err != nil {
				t.Errorf("%s of the application, not in the tree: %v, %v, want nil", r.Ref(), o, err)
			}
		}
	}
	foreign := evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Secret", Namespace: "elsewhere", Name: "registry"}}
	if _, err := app.Object(t.Context(), foreign); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("object outside of the tree: %v, want ErrAbsent", err)
	}
	s.Reset()
	if _, err := app.Events(t.Context(), foreign); !errors.Is(err, evidence.ErrAbsent) || len(s.Calls()) != 0 {
		t.Errorf("events without a UID: %v, calls %v, want ErrAbsent and none", err, s.Calls())
	}
}

func TestEventsTakeTheUIDFromTheTree(t *testing.T) {
	text := readCase(t, "presync-hook-failed")
	app := connect(t, argotest.NewServer(t, text), argo.Options{}).App("argocd/"+hookFailed, "", "default")
	tree, err := app.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range tree.Nodes {
		if n.Kind == "Job" {
			events, err := app.Events(t.Context(), evidence.ObjectQuery{Ref: n.Ref()})
			if err != nil || len(events) == 0 {
				t.Errorf("events of %s: %d, %v", n.Ref(), len(events), err)
			}
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	const pod, namespace = "migrate-jvd8l", "team-courier-api"
	line := strings.Repeat("x", 999)
	for _, tc := range []struct {
		name, text string
		want       string
	}{
		{"short", "a\n\nb", "a\n\nb"},
		{"lines", strings.Repeat("old\n", 500) + strings.Repeat("y\n", 199) + "end", strings.Repeat("y\n", 199) + "end"},
		{"bytes", strings.Repeat(line+"\n", 199) + "end", strings.Repeat(line+"\n", 65) + "end"},
		{"one line", strings.Repeat("z", 200_000), strings.Repeat("z", 64<<10-1)},
		{"no text", "a\xffb", "a\uFFFDb"},
		{"empty", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var doc map[string]any
			if err := json.Unmarshal(readCase(t, "presync-hook-failed"), &doc); err != nil {
				t.Fatal(err)
			}
			doc["logs"] = []any{}
			s := argotest.NewServer(t, asJSON(t, doc))
			s.Log(namespace, pod, "migrate", true, tc.text)
			app := connect(t, s, argo.Options{}).App(hookFailed, "", "")
			log, err := app.Log(t.Context(), evidence.LogQuery{Namespace: namespace, Pod: pod, Container: "migrate", Previous: true})
			if err != nil {
				t.Fatal(err)
			}
			if log.Text != tc.want {
				t.Errorf("%d bytes, want %d", len(log.Text), len(tc.want))
			}
			_, err = app.Log(t.Context(), evidence.LogQuery{Namespace: namespace, Pod: pod, Container: "migrate"})
			if err == nil || !strings.Contains(err.Error(), "is waiting to start") {
				t.Errorf("log of the present run: %v, want the words of the API server as an error", err)
			}
			if _, err = app.Log(t.Context(), evidence.LogQuery{Namespace: namespace, Pod: "gone"}); !errors.Is(err, evidence.ErrAbsent) {
				t.Errorf("log of a pod outside of the tree: %v, want ErrAbsent", err)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	named := func(namespace, name string) []byte {
		return asJSON(t, map[string]any{"application": map[string]any{"metadata": map[string]string{"name": name, "namespace": namespace}}})
	}
	s := argotest.NewServer(t, named("argocd", "payments-api-prod"), named("argocd", "payments-web"), named("argocd", "ledger"), named("team-a", "web"), named("team-a", "ledger"))
	c := connect(t, s, argo.Options{})
	for name, want := range map[string][]string{
		"payments-api": {"payments-api-prod", "payments-web"},
		"legder":       {"ledger", "team-a/ledger"},
		"ledger":       {"argocd/ledger", "team-a/ledger"},
		"argocd/web":   {"team-a/web", "payments-web"},
		"zzz":          nil,
	} {
		s.Reset()
		if got := c.Suggest(t.Context(), name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if n := s.Calls()["List"]; n != 1 {
			t.Errorf("%s: %d calls of List", name, n)
		}
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
