package conceal

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// private hides the applications that are listed in it.
type private map[string]bool

func (p private) Hidden(namespace, name string) (hidden, listed bool) {
	listed = p[name] && (namespace == "" || namespace == "argocd" || namespace == "team-x")
	return listed, listed
}

func (p private) HiddenProject(name string) (hidden, listed bool) { return p[name], p[name] }

// hostileFragments are what the search looks for, and what stands beside it.
var hostileFragments = []string{
	"app ", "APP ", "App ", "apps/", "Application", "application.argoproj.io ", "applications/", "part of applications ", "argocd/", "argocd%2F", "%2F",
	"hidden", "hidden ", "hidden-books", "project ", "in namespace ", "Name=", "\n", "\\n", "->", "image ", ".yaml", "parent", "other, ", "and ", "named called by ", "\"", "''''", "((", " ", "\u00a0", "a-", "a.", "a_", "-", "/", "x/", ":", "a:/A:", "hidden:apps/Deployment:",
	"app.kubernetes.io/instance", "argocd.argoproj.io/instance: hidden ", "=", "Z", "é",
}

func TestRepeatedFragmentsCostAsMuchAsTheTextIsLong(t *testing.T) {
	s := New(nil, "argocd", "parent", private{"hidden": true, "hidden-books": true})
	s.names["child"] = "(private-1)"
	steps := func(fragment string, n int) float64 {
		text := "App app " + strings.Repeat(fragment, n/len(fragment)+1)
		m := effort.New(t.Context(), 1<<60)
		s.text(text, m)
		return float64(m.Spent()) / float64(len(text))
	}
	check := func(fragment string) {
		const enough = 64
		if once := steps(fragment, 4<<10); once > enough {
			if twice := steps(fragment, 8<<10); once > 1024 || twice > 1.25*once {
				t.Errorf("%q repeated: %.0f steps a byte, %.0f in twice as much", fragment, once, twice)
			}
		}
	}
	for i, a := range hostileFragments {
		for j, b := range hostileFragments {
			check(a + b)
			check(a + b + hostileFragments[(i*7+j*3)%len(hostileFragments)])
		}
	}
}

func TestATextThatCannotBeSearchedIsNotShown(t *testing.T) {
	s := New(nil, "argocd", "parent", private{"hidden": true})
	text := strings.Repeat("app x hidden ", 100)
	if got := s.text(text, effort.New(t.Context(), 50)); got != notSearched {
		t.Errorf("behind the limit: %.80q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := texts(ctx, s, text); got != notSearched {
		t.Errorf("without the context: %.80q", got)
	}
}

func TestAPrivateNameIsFoundInEachForm(t *testing.T) {
	s := New(nil, "argocd", "parent", private{"hidden": true, "hidden-books": true, "argo-image": true})
	s.own["own-books"] = true
	for _, text := range []string{
		"ConfigMap/x is part of applications argocd/parent, other/unlisted and hidden", "applications argocd/parent, other/unlisted and argocd/hidden",
		"https://argocd.example.com/applications/argocd%2Fhidden?view=tree", "Application\u00a0hidden", "Application \u200bhidden", "Application <hidden>",
		"Application “hidden”", "APPLICATION hidden", "app APP app hidden",
		"hidden application is degraded", `"hidden" application is degraded`, "argocd/hidden app", "Application argoproj.io/v1alpha1 hidden", "Application:\n  hidden",
		"applications:\n- parent\n- hidden\n", "Application -> hidden", "Application{hidden}", "application with name hidden", "application in argocd: hidden",
		"application in namespace argocd: hidden", "{Kind: Application, Namespace: argocd, Name: hidden}", "https://x/team-x%2Fhidden", "https://x/team-x%2fhidden",
		"project hidden does not exist", `AppProject.argoproj.io "hidden" is invalid`, "hidden project", "application parent in project hidden",
		// Hardly anything else is called so:
		"hidden-books is degraded", "hidden-books", "why hidden-books?", `\nhidden-books\t`, `\u003chidden-books\u003e`, "%2Fhidden-books", "x=hidden-books:8080",
		"apps/hidden-books.yaml: mapping values are not allowed", "https://git.example.com/all/hidden-books.git", "a/b/hidden-books/c", "all_hidden-books", "Hidden: (hidden-books)",
	} {
		if got := texts(t.Context(), s, text); strings.Contains(got, "hidden") {
			t.Errorf("%q became %q", text, got)
		} else if again := texts(t.Context(), s, got); again != got {
			t.Errorf("%q became %q, and then %q", text, got, again)
		}
	}
	for _, in := range []any{
		map[string]any{"applications/hidden": true}, map[string]any{"hidden-books": true}, map[string]string{"hidden-books": "x"},
		map[string]any{"data": map[string]any{"hidden-books.yaml": "x"}},
	} {
		if got := shownMap(t, texts(t.Context(), s, in)); strings.Contains(got, "hidden") || !strings.Contains(got, "(private)") {
			t.Errorf("the keys of a map became %v", got)
		}
	}
	for _, text := range []string{
		"the app is hidden", "application is ready, hidden", "webapp hidden", "hidden", "waiting for app web\nhidden: connected", "application failed because hidden said so",
		"host hidden-books.shop.svc", "xhidden-books-2", "own-books", `Failed to pull image "registry.example.com/all/hidden-books:1.0"`, `image hidden-books@sha256:00`,
		"the project is hidden",
	} {
		if got := texts(t.Context(), s, text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	container := map[string]any{"image": "hidden-books:1.0", "hidden": true}
	if got := texts(t.Context(), s, container); shownMap(t, got) != shownMap(t, container) {
		t.Errorf("a container became %v", got)
	}
}

func TestAChildIsFoundWhereverItStandsUnlessItsNameIsAnOrdinaryWord(t *testing.T) {
	child := func(name string) evidence.ResourceStatus {
		return evidence.ResourceStatus{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: name}
	}
	app := &evidence.Application{}
	app.Status.Resources = []evidence.ResourceStatus{child("error"), child("zeus"), child("web")}
	s := New(nil, "argocd", "parent", private{"error": true, "zeus": true, "web": true})
	s.meet(app)
	for text, want := range map[string]string{
		"error: no such web at zeus": "error: no such web at (private-3)",
		"application error failed":   "application (private-1) failed",
	} {
		if got := texts(t.Context(), s, text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
	labels := map[string]any{"labels": map[string]any{"zeus": "x"}, "zeus": map[string]any{}}
	if got := shownMap(t, texts(t.Context(), s, labels)); got != `{"labels":{"(private-3)":"x"},"zeus":{}}` {
		t.Errorf("labels became %s", got)
	}
}

func shownMap(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
