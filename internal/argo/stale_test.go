package argo_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestASourceThatIsNotComparedYetIsSeen: whatever of it was changed, also what no rule reads, and whatever was taken away from the status.
func TestASourceThatIsNotComparedYetIsSeen(t *testing.T) {
	const compared = `"source": {"repoURL": "https://git.example.com/x.git", "path": "x", "kustomize": {"commonLabels": {"a": "1"}}}`
	of := func(compared string) string {
		return `"status": "Synced", "comparedTo": {"destination": {}, ` + compared + `}`
	}
	const erased = `"comparedTo": {"destination": {"namespace": "shop"}}`
	for name, x := range map[string]struct {
		spec, sync string
		stale      bool
	}{
		"the same":                    {compared, of(compared), false},
		"a field that no rule reads":  {strings.Replace(compared, `"1"`, `"2"`, 1), of(compared), true},
		"another repository":          {strings.Replace(compared, "x.git", "y.git", 1), of(compared), true},
		"never compared":              {compared, ``, false},
		"nothing could be compared":   {compared, `"status": "Unknown", ` + erased, false},
		"with what is erased":         {compared, `"status": "OutOfSync", ` + erased, true},
		"that and the state":          {compared, `"status": "Unknown", "revision": "3f2a91c", ` + erased, true},
		"that of several sources":     {`"sources": [{"repoURL": "https://a.example"}]`, `"status": "Unknown", "revisions": ["3f2a91c"], ` + erased, true},
		"one of several":              {`"sources": [{"repoURL": "https://a.example"}, {"repoURL": "https://b.example"}]`, of(`"sources": [{"repoURL": "https://a.example"}, {"repoURL": "https://c.example"}]`), true},
		"keys of values in any order": {strings.Replace(compared, `"kustomize"`, `"helm": {"valuesObject": {"b": 1, "a": 2}}, "kustomize"`, 1), of(strings.Replace(compared, `"kustomize"`, `"helm": {"valuesObject": {"a": 2, "b": 1}}, "kustomize"`, 1)), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := argotest.NewServer(t, []byte(`{"case": "argo-why.dev/v1", "now": "2026-11-20T18:32:00Z", "application": {"metadata": {"name": "shop", "namespace": "argocd"},
				"spec": {"project": "default", "destination": {"server": "https://kubernetes.default.svc", "namespace": "shop"}, `+x.spec+`},
				"status": {"sync": {`+x.sync+`}}}}`))
			subject, err := connect(t, s, argo.Options{}).App("shop", "", "").Subject(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := subject.Application.Stale(); got != x.stale {
				t.Errorf("stale: %t, want %t", got, x.stale)
			}
		})
	}
}
