package evidence_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "apps", true}, {"apps", "apps", true}, {"apps", "app", false}, {"team-*", "team-a", true}, {"team-*", "a-team-a", false},
		{"*.example.com", "a.example.com", true}, {"*.example.com", "example.com", false}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "acb", false}, {"a*a", "a", false}, {"", "", true},
		{"https://*", "https://10.0.0.1:6443", true}, {"a.c", "abc", false},
	} {
		if got := evidence.Matches(c.pattern, c.name); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}
