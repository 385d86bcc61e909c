package rules_test

import (
	"testing"
)

// TestSharedCauseIsTheSameForEveryApplication: what two applications fail of together is named alike, whatever they are.
func TestSharedCauseIsTheSameForEveryApplication(t *testing.T) {
	named := map[string]map[string]bool{}
	e := engine(t)
	for _, c := range recordedCases(t) {
		if root := diagnosed(t, e, c.c).Root(); root != nil && root.Shared != "" {
			if named[root.Rule] == nil {
				named[root.Rule] = map[string]bool{}
			}
			named[root.Rule][root.Shared] = true
		}
	}
	for _, rule := range []string{"render/git-unreachable", "render/repo-server-unavailable", "compare/cluster-unreachable", "apply/admission-webhook-unreachable", "apply/missing-crd"} {
		if len(named[rule]) == 0 {
			t.Errorf("no case of %s names what is shared", rule)
		}
	}
	if n := len(named["render/repo-server-unavailable"]); n != 1 {
		t.Errorf("the repo-server has %d names: %v", n, named["render/repo-server-unavailable"])
	}
}
