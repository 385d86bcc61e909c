package rules_test

import (
	"testing"
)

// TestHooksAndWavesAreFollowedToTheCause: what a report of a recorded case says in its headline, its whys, its effects and its fix.
func TestHooksAndWavesAreFollowedToTheCause(t *testing.T) {
	for name, want := range map[string][]string{
		"hook/deletion-stuck/lab-hook-finalizer":    {"Finalizer example.com/cleanup holds it", `'{"metadata":{"finalizers":[]}}'`},
		"hook/deletion-stuck/own-finalizer":         {"Argo CD's own finalizer argocd.argoproj.io/hook-finalizer holds it"},
		"hook/deletion-stuck/foreground":            {"stays until its pods are gone", "get pods -o wide -l job-name=migrate"},
		"hook/job-failed/crash-beside":              {"Deployment/api: container keeps crashing", "is still deployed"},
		"hook/job-failed/two-hooks":                 {"PreSync hook seed failed too"},
		"hook/job-failed/never-started":             {"command /app/migrate not found", "no such file or directory"},
		"hook/job-failed/evicted":                   {"was evicted from its node"},
		"hook/job-failed/pod-deleted":               {"a Job deletes its pod when it gives up", "restartPolicy: Never"},
		"hook/job-failed/second-container":          {"-c sql-proxy", "Not authorized to access resource"},
		"hook/job-failed/termination-message":       {`role "app" does not exist`},
		"hook/job-failed/peer-degraded":             {"StatefulSet/postgres is Degraded", "describe statefulset.apps/postgres"},
		"hook/ordering/wait-loop":                   {"runs before Service/postgres exists", "and on the workload behind it"},
		"hook/ordering/init-container":              {"runs before Service/postgres exists"},
		"hook/ttl-deleted/first-sync":               {"no sync of this application has succeeded yet"},
		"hook/stuck/complete-unnoticed":             {"is complete, but Argo CD still waits for it", "--refresh"},
		"hook/stuck/suspended-job":                  {"spec.suspend is true"},
		"hook/stuck/init-container-waits":           {"Its init container wait-db is running", "get services,endpoints --field-selector metadata.name=pg"},
		"hook/image-pull/registry-certificate":      {"Install the CA certificate of harbor.corp on every node"},
		"hook/image-pull/registry-no-such-host":     {"make the DNS of the nodes resolve harbor.corp", "in the cluster, the hook goes on by itself"},
		"hook/image-pull/private-or-missing":        {"If the image name is right, create pull credentials", "if the repository does not exist"},
		"hook/job-failed/error-over-three-lines":    {"catalog-index: Could not store the dictionary …", "It exited 1"},
		"hook/job-failed/preempted":                 {"was preempted by another pod", "which did not fail by itself"},
		"hook/job-failed/flyway-column-exists":      {"It failed in migration V13__add_order_status.sql, line 3", "mark the migration as applied"},
		"hook/job-failed/liquibase-lock-acquired":   {`relation "idx_orders_customer" already exists`, "!holds Liquibase's lock"},
		"hook/job-failed/retry-under-way":           {"its retries stay on the old commit", "terminate-op"},
		"hook/job-failed/psql-refused":              {"Check that something listens at pg-rw", "get services,endpoints"},
		"hook/job-failed/localhost-refused":         {"127.0.0.1 is its own pod"},
		"hook/deadline-exceeded/injected-proxy":     {"Its pod also ran istio-proxy", "turn off sidecar injection"},
		"hook/already-exists/policy-not-followed":   {"By its delete policy BeforeHookCreation"},
		"hook/already-exists/one-generate-name":     {"give each hook of that phase a generateName of its own"},
		"wave/blocked/no-storage-class":             {"claim has no storage class", "a default class does as well", "Wave 1 waits for PersistentVolumeClaim/data"},
		"wave/blocked/external-secret-key":          {"Create key prod/db in the store"},
		"wave/blocked/out-of-memory":                {"ran out of memory", "Set a memory request"},
		"wave/blocked/job-log-step":                 {"Check what should listen at 10.0.0.7:5432"},
		"operation/sync-window/zone-unknown":        {"Its time zone was not read"},
		"operation/controller-error/panic":          {"hit a bug of its own", "Recovered from panic"},
		"wave/blocked/claim-without-pod":            {"only when a pod uses it", `argocd.argoproj.io/sync-wave: "1"`},
		"wave/blocked/config-in-later-wave":         {"in sync wave 2, after Deployment/db in wave 0", "So the two wait for each other", `argocd.argoproj.io/sync-wave: "-1"`},
		"wave/blocked/child-app":                    {"spec.selector is immutable", "argo-why why infra"},
		"wave/blocked/crash-log":                    {"exists but is not empty", "-c db --previous"},
		"wave/blocked/certificate-event":            {`"letsencrypt" not found`},
		"hook/dependency-missing/own-removed-again": {"This sync created ServiceAccount/prefetch as a PreSync hook, and it is gone again", "helm.sh/hook-delete-policy: before-hook-creation", "!Create the missing"},
		"wave/blocked/waits-for-postsync-job":       {"the two wait for each other", "argocd.argoproj.io/hook: Sync"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, name, want)
		})
	}
}
