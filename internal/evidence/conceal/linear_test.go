package conceal

import (
	"context"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// private hides the applications that are listed in it.
type private map[string]bool

func (p private) Hidden(_, name string) (hidden, listed bool) { return p[name], p[name] }

// hostileFragments are what the search looks for, and what stands beside it.
var hostileFragments = []string{
	"app ", "APP ", "App ", "apps/", "Application", "application.argoproj.io ", "applications/", "part of applications ", "argocd/", "argocd%2F", "%2F",
	"hidden", "hidden ", "parent", "other, ", "and ", "named called by ", "\"", "''''", "((", " ", "\u00a0", "a-", "a.", "a_", "-", "/", "x/", ":", "a:/A:", "hidden:apps/Deployment:",
	"app.kubernetes.io/instance", "argocd.argoproj.io/instance: hidden ", "=", "Z", "é",
}

func TestRepeatedFragmentsCostAsMuchAsTheTextIsLong(t *testing.T) {
	s := New(nil, "argocd", "parent", private{"hidden": true})
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
	s := New(nil, "argocd", "parent", private{"hidden": true})
	for _, text := range []string{
		"ConfigMap/x is part of applications argocd/parent, other/unlisted and hidden", "applications argocd/parent, other/unlisted and argocd/hidden",
		"https://argocd.example.com/applications/argocd%2Fhidden?view=tree", "Application\u00a0hidden", "Application \u200bhidden", "Application <hidden>",
		"Application “hidden”", "APPLICATION hidden", "app APP app hidden",
	} {
		if got := texts(t.Context(), s, text); strings.Contains(got, "hidden") {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := texts(t.Context(), s, map[string]any{"applications/hidden": true}); len(got) != 1 || got["applications/(private)"] != true {
		t.Errorf("the keys of a map became %v", got)
	}
	for _, text := range []string{"the app is hidden", "application is ready, hidden", "webapp hidden", "hidden"} {
		if got := texts(t.Context(), s, text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
