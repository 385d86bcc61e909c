package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
)

// classes are the failure classes that this version recognises. An id that leaves this list breaks users who match on it.
const classes = `
render/helm-template render/helm-dependency render/chart-repository render/chart-repository-auth render/kustomize
render/jsonnet render/plugin render/invalid-yaml render/timeout render/git-auth render/git-unreachable
render/git-revision-not-found render/git-repository-not-found render/path-not-found render/submodule-or-lfs
render/response-too-large render/repo-server-unavailable render/redis-unavailable render/signature-required
render/version-skew
spec/invalid spec/not-permitted spec/resource-not-permitted
compare/cluster-unreachable compare/cluster-forbidden compare/conversion-webhook-unreachable compare/diff-failed
apply/immutable-field apply/missing-crd apply/admission-denied apply/admission-webhook-unreachable apply/schema-invalid
apply/too-large apply/forbidden apply/quota-exceeded apply/limit-range apply/namespace-missing
apply/namespace-terminating apply/already-exists apply/conflict apply/field-manager-conflict apply/shared-resource
apply/port-conflict apply/dependency-missing apply/api-server-timeout apply/prune-failed
operation/in-progress operation/sync-window operation/permission-denied operation/prune-blocked operation/retrying
operation/retry-exhausted operation/autosync-gave-up operation/terminated operation/rollback-blocked operation/stuck
hook/job-failed hook/deadline-exceeded hook/stuck hook/image-pull hook/dependency-missing hook/ordering
hook/already-exists hook/ttl-deleted hook/deletion-stuck hook/sidecar-never-exits hook/never-created hook/not-awaited
wave/blocked wave/in-progress
drift/hpa drift/keda drift/vpa drift/manual-edit drift/injected drift/defaulted drift/normalized drift/annotation-only
drift/controller-owned drift/pending-prune drift/ttl-deleted drift/missing drift/tracking-label drift/extraneous
drift/random-values drift/duplicate-resource drift/excluded-resource drift/conversion drift/server-side-diff
drift/selfheal-loop drift/sync-loop drift/stale-revision drift/autosync-off drift/parameter-override
drift/ignore-rule-mismatch drift/orphaned drift/unexplained
health/crash-loop health/oom-killed health/liveness health/image-pull health/config-missing health/readiness
health/unschedulable health/volume-pending health/progress-deadline health/quota health/service-account-missing
health/ingress-no-address health/load-balancer-pending health/statefulset-stuck health/pdb health/job-failed
health/hpa-metrics health/certificate health/external-secret health/rollout-paused health/rollout-degraded
health/suspended health/custom-resource health/child-app health/missing health/deleting health/namespace-terminating
health/stale`

func TestEveryClassHasARule(t *testing.T) {
	have := map[string]bool{}
	for _, r := range rules.All() {
		have[r.ID] = true
	}
	want := strings.Fields(classes)
	for _, id := range want {
		if !have[id] {
			t.Errorf("no rule for %s", id)
		}
	}
	if len(have) != len(want) {
		t.Errorf("%d rules for %d classes: add the new id to the list above", len(have), len(want))
	}
}

func TestTheListIsValid(t *testing.T) {
	if err := diagnose.Validate(rules.All()); err != nil {
		t.Error(err)
	}
}

// TestTheListIsInOrder: the list reads as a table of contents, group after group in the order of causes.
func TestTheListIsInOrder(t *testing.T) {
	order := map[string]int{"render": 0, "spec": 1, "compare": 2, "apply": 3, "operation": 4, "hook": 5, "wave": 6, "drift": 7, "health": 8}
	last := 0
	for _, r := range rules.All() {
		if n := order[r.Group()]; n < last {
			t.Errorf("%s stands after a rule of a later group", r.ID)
		} else {
			last = n
		}
	}
}

// noCase are rules without a recorded case, each with the reason.
var noCase = map[string]string{
	"wave/in-progress": "nothing is wrong: the controls of a sync under way hold it",
}

func TestEveryRuleHasCases(t *testing.T) {
	for _, r := range rules.All() {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", filepath.FromSlash(r.ID), "*.json"))
		if err != nil || len(files) == 0 && noCase[r.ID] == "" {
			t.Errorf("%s has no case in testdata/cases/%s", r.ID, r.ID)
		}
	}
}

func TestEachRuleIsInAFileOfItsName(t *testing.T) {
	for _, r := range rules.All() {
		name := strings.ReplaceAll(strings.ReplaceAll(r.ID, "/", "_"), "-", "_") + ".go"
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s is not in %s", r.ID, name)
		}
	}
}
