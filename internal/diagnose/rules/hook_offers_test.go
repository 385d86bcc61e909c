package rules_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// offersDeletion reports whether the report of a case lets people delete a hook's Job.
func offersDeletion(t *testing.T, c *evidence.Case) bool {
	t.Helper()
	for _, a := range diagnosed(t, engine(t), c).Actions {
		if a.ID == diagnose.ActionDeleteHookJob && a.RefusedBecause == "" {
			return true
		}
	}
	return false
}

// caseNamed is a recorded case.
func caseNamed(t *testing.T, name string) *evidence.Case {
	t.Helper()
	for _, r := range recordedCases(t) {
		if r.name == name+".json" {
			return r.c
		}
	}
	t.Fatalf("no case %s", name)
	return nil
}

// TestAFailedJobThatTheNextSyncDeletesHasNoButton: what its delete policy does anyway needs no person. Where the policy keeps a failed
// Job, or has visibly not deleted the old one, there is a button.
func TestAFailedJobThatTheNextSyncDeletesHasNoButton(t *testing.T) {
	for name, want := range map[string]bool{
		"hook/job-failed/own-01":                  true,  // HookSucceeded
		"hook/job-failed/lab-presync-hook-failed": false, // BeforeHookCreation
		"hook/deadline-exceeded/injected-proxy":   false, // Helm's before-hook-creation
		"hook/already-exists/policy-not-followed": true,
	} {
		if got := offersDeletion(t, caseNamed(t, name)); got != want {
			t.Errorf("%s: offered %v, want %v", name, got, want)
		}
	}
}

// TestAHookWithoutAPolicyIsReplacedByTheNextSync: without one that it knows Argo CD takes BeforeHookCreation.
func TestAHookWithoutAPolicyIsReplacedByTheNextSync(t *testing.T) {
	for _, policy := range []string{"", "WhenISaySo"} {
		c := caseNamed(t, "hook/job-failed/own-01")
		for _, o := range c.Resources {
			annotations, ok := o.At("metadata", "annotations").(map[string]any)
			if o.Ref().Kind != "Job" || !ok {
				continue
			}
			delete(annotations, "argocd.argoproj.io/hook-delete-policy")
			if policy != "" {
				annotations["argocd.argoproj.io/hook-delete-policy"] = policy
			}
		}
		if offersDeletion(t, c) {
			t.Errorf("offered with policy %q", policy)
		}
	}
}

// TestWhatIsDeletedIsNotToBeDeletedAgain: a failed hook's Job that somebody has deleted since.
func TestWhatIsDeletedIsNotToBeDeletedAgain(t *testing.T) {
	c := caseNamed(t, "hook/job-failed/own-01")
	c.Tree.Nodes = nil
	c.Resources = nil
	rep := diagnosed(t, engine(t), c)
	root := rep.Root()
	if root == nil || root.Rule != "hook/job-failed" {
		t.Fatalf("%+v", rep.Findings)
	}
	for _, f := range root.Fix {
		if strings.Contains(f.Command, "delete job") {
			t.Errorf("step: %+v", f)
		}
	}
	if offersDeletion(t, c) {
		t.Error("offered")
	}
}
