package clean_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
	"github.com/argo-why/argo-why/internal/redact"
)

// url has a password, which is made here so that no scanner takes it for a real one.
func url(password string) string { return "https://deploy:" + password + "@git.example.com/shop.git" }

func password(n int) string { return strings.Repeat("Zx7q", n) + "9K" }

func object(t *testing.T, text string) evidence.Object {
	t.Helper()
	o, err := evidence.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func shown(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryTypeOfEvidenceCanBeCleaned(t *testing.T) {
	// Reading panics for a type that nobody has thought of.
	clean.Fact(t.Context(), evidence.Subject{Application: &evidence.Application{Operation: &evidence.Operation{}}})
	clean.Fact(t.Context(), &evidence.Tree{Nodes: make([]evidence.Node, 1), OrphanedNodes: make([]evidence.Node, 1)})
	clean.Fact(t.Context(), make([]evidence.ResourceDiff, 1))
	clean.Fact(t.Context(), evidence.Object{"a": nil, "b": 1.0, "c": []any{true}})
	clean.Fact(t.Context(), make([]evidence.Object, 1))
	clean.Fact(t.Context(), make([]evidence.Event, 1))
	clean.Fact(t.Context(), evidence.Log{})
	clean.Fact(t.Context(), make([]evidence.Log, 1))
	clean.Fact(t.Context(), &evidence.SyncWindows{ActiveWindows: make([]evidence.SyncWindow, 1)})
	clean.Fact(t.Context(), &evidence.Project{})
	clean.Fact(t.Context(), make([]evidence.Repository, 1))
	clean.Fact(t.Context(), &evidence.Application{})
	clean.Fact(t.Context(), "")
}

// The original is shared: a case file is diagnosed more than once.
func TestTheOriginalStaysAsItIs(t *testing.T) {
	secret := password(4)
	app := &evidence.Application{}
	app.Metadata.Annotations = map[string]string{"note": "see " + url(secret)}
	app.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: "fetch " + url(secret) + ": denied"}, {Message: "fine"}}
	app.Status.OperationState = &evidence.OperationState{Message: "fetch " + url(secret)}
	before := shown(t, app)
	got := clean.Fact(t.Context(), evidence.Subject{Application: app, Refusal: "no " + url(secret)})
	if after := shown(t, got); strings.Contains(after, secret[:5]) || !strings.Contains(after, "git.example.com") {
		t.Errorf("got %s", after)
	}
	if after := shown(t, app); after != before {
		t.Errorf("the original was changed: %s", after)
	}
	o := object(t, `{"kind":"Pod","spec":{"containers":[{"name":"a","env":[{"name":"DB_PASSWORD","value":"`+secret+`"}]}]}}`)
	before = shown(t, o)
	if after := shown(t, clean.Fact(t.Context(), o)); strings.Contains(after, secret[:5]) {
		t.Errorf("got %s", after)
	}
	if after := shown(t, o); after != before {
		t.Errorf("the original was changed: %s", after)
	}
}

func TestEvidenceWithoutSecretsIsNotCopied(t *testing.T) {
	app := &evidence.Application{}
	app.Status.Conditions = []evidence.Condition{{Message: "Deployment web: not found"}}
	tree := &evidence.Tree{Nodes: []evidence.Node{{Kind: "Pod", Name: "web", Health: &evidence.Health{Message: "back-off"}}}}
	o := object(t, `{"kind":"Pod","status":{"message":"back-off"}}`)
	for range 2 { // the second time it is known
		if clean.Fact(t.Context(), app) != app || clean.Fact(t.Context(), tree) != tree || reflect.ValueOf(clean.Fact(t.Context(), o)).Pointer() != reflect.ValueOf(o).Pointer() {
			t.Error("copied")
		}
	}
}

func TestATreeThatWasCleanedIsIndexedAnew(t *testing.T) {
	tree := &evidence.Tree{Nodes: []evidence.Node{{Kind: "Pod", Name: "web", Health: &evidence.Health{Message: "pull " + url(password(4))}}}}
	ref := evidence.Ref{Kind: "Pod", Name: "web"}
	if tree.Find(ref) == nil {
		t.Fatal("no pod")
	}
	if m := clean.Fact(t.Context(), tree).Find(ref).Health.Message; strings.Contains(m, "Zx7q") {
		t.Errorf("found %q", m)
	}
}

// Two secrets that differ must not look alike: the drift would be gone.
func TestSecretsThatDifferStillDoInStates(t *testing.T) {
	state := func(first, second string) evidence.State {
		return evidence.State(`{"kind":"Deployment","spec":{"env":[{"name":"DB_PASSWORD","value":"` + first + `"},{"name":"URL","value":"` + url(second) + `"},{"name":"MODE","value":"fast"}]}}`)
	}
	a, b := password(3), password(4)
	s, err := clean.StatesOf(evidence.ResourceDiff{TargetState: state(a, a), LiveState: state(b, a), NormalizedLiveState: state(b, a), PredictedLiveState: state(a, b)})
	if err != nil {
		t.Fatal(err)
	}
	env := func(o evidence.Object, i int) string { return o.List("spec", "env")[i].Text("value") }
	for name, same := range map[string]bool{
		"git and predicted password": env(s.Target, 0) == env(s.Predicted, 0),
		"git and live password":      env(s.Target, 0) != env(s.Live, 0),
		"live and normalized":        env(s.Live, 0) == env(s.Normalized, 0),
		"git and live URL":           env(s.Target, 1) == env(s.Live, 1),
		"git and predicted URL":      env(s.Target, 1) != env(s.Predicted, 1),
		"no secret":                  env(s.Target, 2) == "fast",
	} {
		if !same {
			t.Errorf("%s: %s", name, shown(t, s))
		}
	}
	for _, o := range []evidence.Object{s.Target, s.Live, s.Normalized, s.Predicted} {
		if text := shown(t, o); strings.Contains(text, "Zx7q") {
			t.Errorf("shows %s", text)
		}
	}
}

func TestAStateDoesNotPrintItself(t *testing.T) {
	d := evidence.ResourceDiff{LiveState: evidence.State(`{"data":"` + password(4) + `"}`)}
	if s := "state " + d.LiveState.String(); strings.Contains(s, "Zx7q") {
		t.Error(s)
	}
}

func TestFactsAreCleanedInParallel(t *testing.T) {
	o := object(t, `{"kind":"Pod","status":{"message":"pull `+url(password(4))+`"}}`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if s := shown(t, clean.Fact(t.Context(), o)); strings.Contains(s, "Zx7q") {
					t.Error(s)
				}
			}
		})
	}
	wg.Wait()
}

// A text that nobody had the time to search is not shown: it could be one with a secret.
func TestNothingIsShownThatWasNotSearched(t *testing.T) {
	secret := password(9)
	app := &evidence.Application{}
	app.Metadata.Annotations = map[string]string{"note": "see " + url(secret)}
	app.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: "fetch " + url(secret) + ": denied"}}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	got := shown(t, clean.Fact(late, app))
	if strings.Contains(got, secret) || strings.Contains(got, "denied") || strings.Count(got, redact.NotShown) != 2 {
		t.Errorf("it became %s", got)
	}
	o := object(t, `{"kind":"ConfigMap","data":{"a":"see `+url(secret)+`"}}`)
	if got := shown(t, clean.Fact(late, o)); strings.Contains(got, secret) || !strings.Contains(got, redact.NotShown) {
		t.Errorf("it became %s", got)
	}
}

// TestANameThatIsTooLongIsCut: the status of an application may have one of a megabyte.
func TestANameThatIsTooLongIsCut(t *testing.T) {
	const most = 10_000
	long := strings.Repeat("ä", most)
	app := &evidence.Application{}
	app.Status.Resources = []evidence.ResourceStatus{{Kind: "Service", Name: long}}
	app = clean.Fact(t.Context(), app)
	diffs := clean.Fact(t.Context(), []evidence.ResourceDiff{{Kind: "Service", Name: long}})
	o, _ := clean.Object(t.Context(), evidence.Object{"metadata": map[string]any{"name": long}})
	for where, name := range map[string]string{"a status": app.Status.Resources[0].Name, "a comparison": diffs[0].Name, "an object": o.Text("metadata", "name")} {
		if len(name) > most || !strings.HasSuffix(name, "ä…") {
			t.Errorf("the name in %s has %d bytes", where, len(name))
		}
	}
	if again := clean.Fact(t.Context(), app); again.Status.Resources[0].Name != app.Status.Resources[0].Name {
		t.Error("what was cut is cut again")
	}
}
