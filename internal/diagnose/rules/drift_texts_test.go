package rules_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestDriftSaysWhoWroteItAndWhatHelps: who made the difference, and a step that is possible for whoever owns the manifests.
func TestDriftSaysWhoWroteItAndWhatHelps(t *testing.T) {
	want := map[string][]string{
		"drift/autosync-off/values-of-the-application":     {"changed in the Application", "own values or parameters have changed"},
		"drift/controller-owned/aks-admissions-enforcer":   {"admissions.enforcer/disabled"},
		"drift/controller-owned/ca-bundle-predicted-equal": {"queue-operator added clientConfig.caBundle", "predicts that a sync leaves it"},
		"drift/controller-owned/canary-weights":            {"rollouts-controller changed route[0].weight"},
		"drift/defaulted/chart-of-someone-else":            {"with values of chart storefront if it has any for this", "Or set the defaults"},
		"drift/defaulted/null-selectors":                   {"3 more fields", "namespaceSelector: {}", "objectSelector: {}"},
		"drift/defaulted/second-claim-template":            {"name: store", "volumeClaimTemplates[metadata.name=store]"},
		"drift/extraneous/python-operator":                 {"a program in Python", "created-by says secret-sync", "kubectl -n team-blue annotate"},
		"drift/hpa/replicas-ignored-already":               {"cover it already", "a sync leaves it as in the cluster"},
		"drift/manual-edit/port-renumbered":                {"set it back manually", "kubectl -n shop edit service/web"},
		"drift/manual-edit/removed-or-unknown-field":       {"someone has removed it", "kubectl explain deployment.spec.template.spec.containers.readynessProbe"},
		"drift/manual-edit/restart-empty-annotations":      {"restarted outside Git", "Remove the empty"},
		"drift/normalized/quantities-in-nested-lists":      {"field: spec.zones.tiers.ceiling.cores\n      type: core/Quantity", "type: core/v1/ResourceList"},
		"drift/parameter-override/second-source":           {"--source-position 2"},
		"drift/pending-prune/foreign-pending-prune-1":      {"argocd app diff"},
		"drift/random-values/generated-ca":                 {"cert-manager", "/data/tls.key", "| .clientConfig.caBundle"},
		"drift/random-values/rendered-anew-in-a-loop":      {"at least 7 times", "caBundle of ValidatingWebhookConfiguration/broker-check", "--self-heal=false"},
		"drift/tracking-label/kubectl-apply":               {"kubectl apply 60 min ago", "a manifest without the tracking label removes it"},
		"drift/tracking-label/recorded-adopt-cr":           {"Check what else manages this resource"},
		"drift/vpa/applied-by-another-tool":                {"vpa-applier changed", "in mode Off"},
	}
	unlike := map[string]string{
		"drift/autosync-off/values-of-the-application":     "every render",
		"drift/controller-owned/ca-bundle-predicted-equal": "et the live value", // a certificate that is renewed
		"drift/controller-owned/canary-weights":            "et the live value",
		"drift/defaulted/chart-of-someone-else":            "in Git (",
		"drift/extraneous/python-operator":                 "person",
		"drift/hpa/replicas-ignored-already":               "jsonPointers",
		"drift/manual-edit/port-renumbered":                "argocd app sync",
		"drift/normalized/quantities-in-nested-lists":      "ResourceRequirements",
		"drift/pending-prune/foreign-pending-prune-1":      "dry-run",
		"drift/random-values/rendered-anew-in-a-loop":      "k8s.io/v1\n",
		"drift/tracking-label/kubectl-apply":               "resourceTrackingMethod",
		"drift/vpa/applied-by-another-tool":                "updateMode",
	}
	checkTexts(t, want, unlike)
}

// TestDriftBesideAFailureIsAnotherCause: what a failed sync applied and what differs all the same is not the failure's effect.
func TestDriftBesideAFailureIsAnotherCause(t *testing.T) {
	rep := reportOf(t, "hook/job-failed/drift-beside.json")
	if first(t, rep).Rule != "hook/job-failed" || causes(rep, "drift/hpa") != 1 {
		t.Errorf("the failed hook is not first, or the autoscaler no cause of its own: %v", rep.Findings)
	}
}

// TestRefusedPasswordIsAnEffect: what a database refuses because each render makes a new password has no cause of its own.
func TestRefusedPasswordIsAnEffect(t *testing.T) {
	rep := reportOf(t, "drift/random-values/password-that-the-database-refuses.json")
	if first(t, rep).Rule != "drift/random-values" || causes(rep, "health/crash-loop") != 0 {
		t.Errorf("the generated password is not first, or the crash a cause of its own: %v", rep.Findings)
	}
}

// reportOf is the report of a recorded case.
func reportOf(t *testing.T, name string) *diagnose.Report {
	t.Helper()
	for _, r := range recordedCases(t) {
		if r.name == name {
			return diagnosed(t, engine(t), r.c)
		}
	}
	t.Fatalf("no case %s", name)
	return nil
}
