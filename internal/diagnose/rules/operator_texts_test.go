package rules_test

import (
	"strings"
	"testing"
)

// TestWordsAboutOperators: what a report says first of a recorded case, and what its first steps do.
func TestWordsAboutOperators(t *testing.T) {
	e := engine(t)
	cases := map[string]recorded{}
	for _, r := range recordedCases(t) {
		cases[r.name] = r
	}
	for name, want := range map[string]struct{ headline, step string }{
		"certificate/solver-secret-missing":        {`secrets "cf-token" not found`, "metadata.name=cf-token"},
		"child-app/no-check-and-failing":           {"Child app billing: Deployment/api is not available", "kubectl -n billing get pods"},
		"custom-resource/aws-recoverable":          {"access is denied (sqs:CreateQueue)", "Allow that to the account"},
		"custom-resource/check-waits":              {"FlinkDeployment/scores has been progressing", "correct the health check of its kind"},
		"custom-resource/has-errors":               {"Secret/sso-db does not exist", "metadata.name=sso-db"},
		"custom-resource/ready-pod-that-ends":      {"ArangoDeployment/graph is not ready", "describe arangodeployment"},
		"progress-deadline/pod-that-ends":          {"Pod/console is running, and has not ended", "restartPolicy: Always"},
		"rollout-degraded/template-in-application": {"has an invalid spec", "AnalysisTemplate/error-rate is in this application"},
		"custom-resource/error-object":             {"VolumeSnapshot/before-upgrade: access is denied", "Allow the account"},
		"custom-resource/helm-timed-out":           {"its Helm install failed", "kubectl -n logs get pods"},
		"custom-resource/listener-certificate":     {"Gateway/public: Secret edge/shop-tls does not exist", "Create what this says is missing"},
		"custom-resource/only-begun":               {"RabbitmqCluster/orders is still starting", "Wait a few minutes"},
		"custom-resource/phase-in-words":           {"Cluster/ledger: not enough disk space", "spec.storage.size"},
		"custom-resource/phase-unavailable":        {"The specified bucket does not exist", "Create what this says is missing"},
		"custom-resource/route-backend":            {"HTTPRoute", "correct the reference to it in Git"},
		"custom-resource/trigger-in-event":         {"its triggers do not work", "spec.triggers"},
		"deleting/bucket-not-empty":                {"Bucket/uploads is stuck deleting", "Its provider has to delete the external resource first"},
		"external-secret/login-secret-missing":     {"Secret/vault-approle is missing", "Create Secret/vault-approle"},
		"external-secret/store-missing":            {"its store vault does not exist", "secretStoreRef"},
		"hpa-metrics/sidecar-request":              {"container has no resource request", "sidecar.istio.io/proxyCPU: 100m"},
		"pdb/none-may-be-away":                     {"PDB/cart allows no evictions", "more replicas do not help"},
		"rollout-paused/inconclusive":              {"is paused: analysis inconclusive", "get rollout search"},
		"rollout-paused/seconds":                   {"is paused for 15 min", "get rollout search"},
		"stale/unsealed-since":                     {"SealedSecret/smtp shows an outdated error", "get secret smtp"},
		"statefulset-stuck/above-partition":        {"has not finished its partitioned rollout", "from ordinal 1 on"},
		"suspended/trouble-behind":                 {"Bucket/uploads is not ready", "describe bucket"},
	} {
		r, ok := cases["health/"+name+".json"]
		if !ok {
			t.Errorf("%s: not recorded", name)
			continue
		}
		rep := diagnosed(t, e, r.c)
		if !strings.Contains(rep.Headline, want.headline) {
			t.Errorf("%s: %s", name, rep.Headline)
		}
		steps := ""
		for _, fix := range rep.Findings[0].Fix {
			steps += fix.Text + "\n" + fix.Command + "\n" + fix.Patch + "\n"
		}
		if !strings.Contains(steps, want.step) {
			t.Errorf("%s: steps\n%s", name, steps)
		}
	}
}
