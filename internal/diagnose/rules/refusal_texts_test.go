package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestRefusalsSayWhatTheEvidenceKnows: what the case has beside the message is in the text of the first finding.
func TestRefusalsSayWhatTheEvidenceKnows(t *testing.T) {
	want := map[string][]string{
		"apply/admission-denied/own-policy":             {"change ClusterPolicy/require-requests, which this application has in its own Git"},
		"apply/admission-denied/gatekeeper-three":       {`you must provide labels: {"cost-center"}`, "has no cpu limit (limits-required)", "allowed repos are"},
		"apply/admission-denied/image-not-in-registry":  {"its image is not in the registry", "Push and sign registry.bank.example/ledger/api:2026.11.3"},
		"apply/admission-denied/kyverno-field":          {"Root filesystem must be read-only", "Change spec.template.spec.containers[0].securityContext in Git"},
		"apply/admission-denied/openshift-ids":          {"Remove fsGroup and runAsUser"},
		"apply/admission-denied/policy-without-params":  {"validatingadmissionpolicybindings replica-ceiling-prod", "argocd app sync ledger"},
		"apply/forbidden/eks-session":                   {"arn:aws:iam::210987654321:role/argocd-deployer"},
		"apply/immutable-field/claim-without-class":     {"storageClassName: ceph-block", "without Replace=true"},
		"apply/immutable-field/custom-resource":         {"storage type cannot be changed", "DATA INCLUDED"},
		"apply/immutable-field/volume-source":           {"spec.nfs"},
		"apply/missing-crd/chart-creates-it":            {"Prometheus Operator", "turn off in the values of chart redis"},
		"apply/missing-crd/same-kind-other-group":       {"is another API"},
		"apply/namespace-missing/project-forbids":       {"tenants allows no Namespace"},
		"apply/too-large/chart":                         {"chart keda", "- ServerSideApply=true"},
		"compare/cluster-forbidden/in-namespace":        {"in namespace ledger", "kubectl -n ledger create role"},
		"compare/diff-failed/settings-only":             {"in argocd-cm"},
		"spec/resource-not-permitted/namespaces":        {"kube-public, monitoring", "allows only ledger", "https://kubernetes.default.svc monitoring"},
		"spec/resource-not-permitted/two-kinds":         {"ClusterRole, ClusterRoleBinding", "rbac.authorization.k8s.io ClusterRoleBinding --list allow"},
		"apply/forbidden/default-classes":               {"2 default StorageClasses", "Set storageClassName in Git"},
		"apply/schema-invalid/empty-helm-value":         {"leaves empty in its Helm values: image.repository"},
		"apply/missing-crd/two-kinds":                   {"PodMonitor or ServiceMonitor in monitoring.coreos.com"},
		"apply/namespace-missing/generated-app":         {"the template of ApplicationSet teams"},
		"apply/namespace-terminating/claim-in-use":      {"marked for deletion 40 min ago", "pods that still use the volume claim"},
		"apply/shared-resource/whole-copy":              {"argocd app get argocd/ci", "--cascade=false"},
		"compare/cluster-forbidden/not-bound":           {"--clusterrole=argocd-manager-role"},
		"compare/cluster-forbidden/operator":            {"ARGOCD_CLUSTER_CONFIG_NAMESPACES"},
		"compare/diff-failed/live-field":                {"is older than the cluster", "rollout restart"},
		"compare/diff-failed/managed-fields":            {"managedFieldsManagers"},
		"operation/autosync-gave-up/no-results":         {"failed with: one or more synchronization tasks are not valid."},
		"operation/sync-window/time-zone":               {"15:00 UTC", "America/New_York"},
		"compare/cluster-unreachable/login-twice":       {"rejects Argo CD's login"},
		"apply/immutable-field/job-replaced":            {"without Replace=true"},
		"compare/cluster-unreachable/aggregated-api":    {"kubectl get apiservice"},
		"compare/diff-failed/rule-for-all-applications": {"in argocd-cm"},
		"apply/namespace-missing/left-out-by-self-heal": {"retries repeat the same selection", "Sync the whole application"},
	}
	unlike := map[string]string{"compare/diff-failed/live-field": "ServerSideDiff", "compare/diff-failed/managed-fields": "ServerSideDiff", "compare/cluster-forbidden/not-bound": "resource.exclusions",
		"compare/cluster-forbidden/in-namespace": "clusterrole", "compare/diff-failed/settings-only": "spec.ignoreDifferences", "apply/namespace-missing/project-forbids": "CreateNamespace=true", "apply/too-large/chart": "add to the manifest"}
	checkTexts(t, want, unlike)
}

// checkTexts checks that the first finding of recorded cases says some words and not another, and that its cause is named once.
func checkTexts(t *testing.T, want map[string][]string, unlike map[string]string) {
	t.Helper()
	e := engine(t)
	for _, r := range recordedCases(t) {
		words, ok := want[strings.TrimSuffix(r.name, ".json")]
		if !ok {
			continue
		}
		delete(want, strings.TrimSuffix(r.name, ".json"))
		rep := diagnosed(t, e, r.c)
		f := first(t, rep)
		all := []string{f.Title, f.Why, f.Says.Text}
		for _, fix := range f.Fix {
			all = append(all, fix.Text, fix.Command, fix.Patch)
		}
		said := strings.Join(all, "\n")
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("%s does not say %q:\n%s", r.name, w, said)
			}
		}
		if not := unlike[strings.TrimSuffix(r.name, ".json")]; not != "" && strings.Contains(said, not) {
			t.Errorf("%s says %q:\n%s", r.name, not, said)
		}
		if n := causes(rep, f.Rule); n != 1 {
			t.Errorf("%s: %d causes of %s, want 1", r.name, n, f.Rule)
		}
	}
	for name := range want {
		t.Errorf("no case %s", name)
	}
}

// TestTroublesBesideAFailure: pods that fail by themselves are a cause beside the one that the sync failed for; pods that wait for what the
// failed sync was to bring are none.
func TestTroublesBesideAFailure(t *testing.T) {
	e := engine(t)
	want := map[string]string{
		"render/helm-template/pods-crash-beside.json": "health/crash-loop",
		"apply/port-conflict/image-beside.json":       "health/image-pull",
		"apply/forbidden/pods-wait-for-it.json":       "",
	}
	for _, r := range recordedCases(t) {
		rule, ok := want[r.name]
		if !ok {
			continue
		}
		delete(want, r.name)
		rep := diagnosed(t, e, r.c)
		found := slices.IndexFunc(rep.Findings, func(f diagnose.Finding) bool { return strings.HasPrefix(f.Rule, "health/") })
		switch {
		case rule == "" && found >= 0:
			t.Errorf("%s: %s beside what explains it", r.name, rep.Findings[found].Rule)
		case rule != "" && (found <= 0 || rep.Findings[found].Rule != rule || rep.Findings[found].Role != diagnose.RoleCause):
			t.Errorf("%s: want %s as a second cause, got %+v", r.name, rule, rep.Findings)
		}
	}
	for name := range want {
		t.Errorf("no case %s", name)
	}
}

// causes counts the findings of a rule that are causes.
func causes(rep *diagnose.Report, rule string) int {
	n := 0
	for _, f := range rep.Findings {
		if f.Rule == rule && f.Role == diagnose.RoleCause {
			n++
		}
	}
	return n
}
