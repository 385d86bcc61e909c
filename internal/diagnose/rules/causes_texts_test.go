package rules_test

import (
	"testing"
)

// TestEachCauseIsNamed: what a report of a recorded case says where words look alike, where several things fail, and where what is in Git
// is not what failed. A text that begins with "!" must not be there.
func TestEachCauseIsNamed(t *testing.T) {
	for name, want := range map[string][]string{
		"apply/schema-invalid/chart-newer-than-crd":   {"CRD is older than chart ingress-kit 5.2.0 needs (4.9.1 was deployed before)", "helm show crds ingress-kit --repo"},
		"apply/immutable-field/label-added-data-lost": {"Take label tier out of the selector", "THE DATA of Deployment/queue goes with the pods", "Service/queue already has the new selector", "!Restore", "!cascade"},
		"health/config-missing/maker-was-refused":     {"ExternalSecret/cart-database in this application makes it", "!create secret"},
		"render/helm-dependency/own-alias-registered": {"to https://charts.example.com/internal instead of alias:internal", "!argocd repo add"},
		"render/kustomize/own-base-leads-out":         {"remote base github.com/acme/platform/identity/overlays/small", "- github.com/acme/platform//identity/overlays/small?ref=v4", "!in Git", "!/tmp/common does"},
		"apply/schema-invalid/unquoted-values":        {"annotation of the pod config-version is 7", "env RETRIES of container mailer is 3"},
		"health/child-app/failed-sync-first":          {"Child app ledger: port: must be between 1 and 65535", "argo-why why ledger", "argo-why why books"},
		"health/child-app/reason-unknown":             {"for reasons that are not known here: Application/carts"},
		"health/crash-loop/missing-package":           {"an image that contains psycopg2", "!Service"},
		"health/crash-loop/operator-parts":            {"cannot parse flag -storage.max-age=forever", "/var/lib/store/wal", "Monitor/metrics runs it"},
		"health/crash-loop/resource-access":           {"cannot reach config-server:8888", "!owner"},
		"health/crash-loop/same-in-three":             {"password authentication failed", "!health/crash-loop)"},
		"health/crash-loop/static-files":              {"hides what the image has in this directory", "/usr/share/nginx/html"},
		"health/ingress-no-address/wrong-region":      {"us-east2 is no region of AWS", "HPA/shop: container has no resource request"},
		"health/job-failed/operator-job":              {"Job/ledger-bootstrap failed", "delete job.batch/ledger-bootstrap", "!keeps failing"},
		"health/job-failed/operator-job-retries":      {"Job/ledger-bootstrap keeps failing", "!delete job"},
		"health/pod-sandbox/same-twice":               {"no IP address is left", "!another cause"},
		"health/volume-pending/tied-to-cordoned-node": {"2 nodes are cordoned", "Uncordon them", "Only if its data is not needed"},
		"health/volume-pending/tied-to-lost-node":     {"1 node is not ready", "what the old one has is lost", "{.spec.nodeAffinity}", "!storageclass"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, name, want)
		})
	}
}

// TestWhatFollowsAndWhatDoesNot: what a sync brought about itself is told apart from what is wrong besides, and no step repeats what the
// application has.
func TestWhatFollowsAndWhatDoesNot(t *testing.T) {
	for name, want := range map[string][]string{
		"render/git-unreachable/own-image-beside":          {"no such host", "chown:v9"},
		"render/helm-template/own-secret-values":           {"-f secrets://charts/ferry/secrets.prod.yaml -f https://values.depot.example/common.yaml"},
		"render/helm-template/own-secrets-plugin":          {"!Reproduce it"},
		"apply/namespace-missing/own-presync-hook":         {"is a PreSync hook and was applied before the namespace existed", "argocd app sync quay", "!was deleted", "!earlier sync wave"},
		"apply/namespace-missing/own-hook-before-manifest": {"run before all resources, whatever the wave of the Namespace", "argocd.argoproj.io/hook: Sync"},
		"apply/namespace-missing/own-no-valid-name":        {`destination.namespace "Harbor_East"`, "argocd app sync mooring", "!kubectl create namespace"},
		"apply/too-large/own-refused-crd":                  {"- ServerSideApply=true", "This sync failed to apply CustomResourceDefinition/lighthouses.beam.depot.example", "The sync failed to apply", "!SkipDryRun"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, name, want)
		})
	}
}
