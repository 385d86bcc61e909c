package rules

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
)

// recordings are the cases of the examples, and no others: they are part of the program.
//
//go:embed testdata/cases/render/git-unreachable/own-01.json
//go:embed testdata/cases/render/helm-template/lab-helm-nil.json
//go:embed testdata/cases/render/path-not-found/own-03.json
//go:embed testdata/cases/render/repo-server-unavailable/own-01.json
//go:embed testdata/cases/spec/resource-not-permitted/own-01.json
//go:embed testdata/cases/spec/not-permitted/own-03.json
//go:embed testdata/cases/compare/cluster-unreachable/own-02.json
//go:embed testdata/cases/compare/cluster-forbidden/a330.json
//go:embed testdata/cases/apply/immutable-field/lab-immutable-field.json
//go:embed testdata/cases/apply/admission-denied/lab-admission-webhook.json
//go:embed testdata/cases/apply/missing-crd/lab-missing-crd.json
//go:embed testdata/cases/apply/quota-exceeded/own-03.json
//go:embed testdata/cases/operation/sync-window/lab-sync-window.json
//go:embed testdata/cases/operation/prune-blocked/own-03.json
//go:embed testdata/cases/operation/stuck/own-02.json
//go:embed testdata/cases/hook/job-failed/own-01.json
//go:embed testdata/cases/hook/stuck/lab-presync-hook-stuck.json
//go:embed testdata/cases/hook/image-pull/own-01.json
//go:embed testdata/cases/hook/dependency-missing/own-03.json
//go:embed testdata/cases/wave/blocked/lab-wave-stuck-9m.json
//go:embed testdata/cases/wave/blocked/k008.json
//go:embed testdata/cases/drift/manual-edit/lab-scale-drift.json
//go:embed testdata/cases/drift/hpa/foreign-hpa-1.json
//go:embed testdata/cases/drift/pending-prune/lab-pending-prune.json
//go:embed testdata/cases/drift/missing/foreign-missing-2.json
//go:embed testdata/cases/drift/autosync-off/foreign-autosync-off-1.json
//go:embed testdata/cases/health/image-pull/lab-pod-waiting-imagepull.json
//go:embed testdata/cases/health/crash-loop/own-01.json
//go:embed testdata/cases/health/oom-killed/foreign-oom-killed-1.json
//go:embed testdata/cases/health/config-missing/foreign-config-missing-1.json
//go:embed testdata/cases/health/certificate/own-01.json
//go:embed testdata/cases/health/rollout-degraded/own-01.json
var recordings embed.FS

// The applications of two examples that the demo needs by name.
const (
	// Migration: a hook fails, and its Job stays in the way of the next sync.
	Migration = "payments-api"
	// Outage: a Git host does not answer. Put under many names, all of these fail with one cause.
	Outage = "garage-api"
)

// Example is a recorded failure that reads well to somebody who has not seen Argo CD before. The demo offers them.
type Example struct {
	// Rule is the cause that a diagnosis finds.
	Rule string
	// Title is what happened: "A migration Job cannot reach the database".
	Title string
	// App is the name of the application, which no other example has.
	App string
	// Repair is what makes the cause go away, before a sync: "Start the database again". "": a sync is enough.
	Repair string
	// Shared: many applications can fail with the same cause, which the bot then shows as one outage.
	Shared bool
	// Editable: the application has what somebody could edit by hand.
	Editable bool
	// Outside: the cause is outside of Git, so that the repair is no commit: "Start the Git host again".
	Outside bool

	file       string // below testdata/cases, without .json
	recordedAs string // the application's name in the file; "" for App
}

// Group is what kind of failure it is, in words: "A hook failed or hangs".
func (e *Example) Group() string {
	group, _, _ := strings.Cut(e.Rule, "/")
	return groupTitles[group]
}

// Recorded is the recorded case that it is, as stories name it.
func (e *Example) Recorded() string { return e.file }

// Case is its case file.
func (e *Example) Case() ([]byte, error) {
	text, err := recordings.ReadFile("testdata/cases/" + e.file + ".json")
	if err != nil {
		return nil, fmt.Errorf("example %s: %w", e.App, err)
	}
	if e.recordedAs != "" {
		text = bytes.ReplaceAll(text, []byte(e.recordedAs), []byte(e.App))
	}
	return bytes.ReplaceAll(text, []byte(labRepository), []byte("https://git.example.com/shop/deploy.git")), nil
}

// labRepository is where the recordings of the laboratory have their manifests.
const labRepository = "http://127.0.0.1:19418/git/lab.git"

var groupTitles = map[string]string{
	"render": "Manifests cannot be rendered", "spec": "The application is invalid or not permitted", "compare": "Argo CD cannot read the cluster",
	"apply": "The API server rejects a resource", "operation": "The sync does not run", "hook": "A hook fails or hangs", "wave": "A sync wave is blocked",
	"drift": "The cluster differs from Git", "health": "Applied, but not healthy",
}

// Examples are all of them, ordered by group as a sync can fail.
func Examples() []*Example {
	return []*Example{
		{
			Rule: "render/git-unreachable", App: "garage-api", Title: "The Git host is down",
			Repair: "Start the Git host again", Outside: true, Shared: true, file: "render/git-unreachable/own-01",
		},
		{
			Rule: "render/helm-template", App: "tariff-api", Title: "A Helm chart is missing a value",
			Repair: "Push the missing value", file: "render/helm-template/lab-helm-nil", recordedAs: "tariff-api-two",
		},
		{
			Rule: "render/path-not-found", App: "cargo-desk", Title: "The manifests' folder was moved in Git",
			Repair: "Move the folder back", file: "render/path-not-found/own-03",
		},
		{
			Rule: "render/repo-server-unavailable", App: "ideabox", Title: "Argo CD's own repo-server is down",
			Repair: "Start the repo-server again", Outside: true, Shared: true, Editable: true, file: "render/repo-server-unavailable/own-01",
		},
		{
			Rule: "spec/resource-not-permitted", App: "depot", Title: "The project does not permit a resource kind",
			Repair: "Push a commit without the resource", Editable: true, file: "spec/resource-not-permitted/own-01",
		},
		{
			Rule: "spec/not-permitted", App: "fleet-billing", Title: "The project does not permit the repository",
			Repair: "Permit the repository in the project", Outside: true, file: "spec/not-permitted/own-03",
		},
		{
			Rule: "compare/cluster-unreachable", App: "crm-sync", Title: "The cluster is unreachable",
			Repair: "Bring the cluster back online", Outside: true, Shared: true, Editable: true, file: "compare/cluster-unreachable/own-02",
		},
		{
			Rule: "compare/cluster-forbidden", App: "batch-reports", Title: "Argo CD lost a permission in the cluster",
			Repair: "Restore the permission", Outside: true, Shared: true, Editable: true, file: "compare/cluster-forbidden/a330", recordedAs: "payments-api",
		},
		{
			Rule: "apply/immutable-field", App: "checkout", Title: "An immutable field was changed",
			Repair: "Push a commit that reverts the field", Editable: true, file: "apply/immutable-field/lab-immutable-field",
		},
		{
			Rule: "apply/admission-denied", App: "voucher-api", Title: "An admission policy denies a Deployment",
			Repair: "Push the annotation the policy requires", Editable: true, file: "apply/admission-denied/lab-admission-webhook", recordedAs: "voucher-api-two",
		},
		{
			Rule: "apply/missing-crd", App: "stock-sync", Title: "A CRD is missing in the cluster",
			Repair: "Push the CRD", Shared: true, Editable: true, file: "apply/missing-crd/lab-missing-crd", recordedAs: "stock-sync-eu",
		},
		{
			Rule: "apply/quota-exceeded", App: "lodging", Title: "The namespace's quota is exhausted",
			Repair: "Raise the quota", Outside: true, Shared: true, file: "apply/quota-exceeded/own-03",
		},
		{
			Rule: "operation/sync-window", App: "inventory", Title: "A sync window blocks syncs now",
			Repair: "End the sync window", Outside: true, Editable: true, file: "operation/sync-window/lab-sync-window",
		},
		{
			Rule: "operation/prune-blocked", App: "web-store", Title: "A commit removed every manifest",
			Repair: "Push the manifests back", Editable: true, file: "operation/prune-blocked/own-03",
		},
		{
			Rule: "operation/stuck", App: "label-print", Title: "A sync has been running for hours",
			Repair: "Remove what it is waiting for", Outside: true, Editable: true, file: "operation/stuck/own-02",
		},
		{
			Rule: "hook/job-failed", App: "payments-api", Title: "A migration Job cannot reach the database",
			Repair: "Start the database again", Outside: true, Editable: true, file: "hook/job-failed/own-01",
		},
		{
			Rule: "hook/stuck", App: "courier-web", Title: "A migration Job never finishes",
			Repair: "Push a migration that finishes", Editable: true, file: "hook/stuck/lab-presync-hook-stuck", recordedAs: "courier-api-eu",
		},
		{
			Rule: "hook/image-pull", App: "tracker-api", Title: "A hook Job's image cannot be pulled",
			Repair: "Push an image that exists", Editable: true, file: "hook/image-pull/own-01",
		},
		{
			Rule: "hook/dependency-missing", App: "roster-api", Title: "A hook Job's Secret is missing",
			Repair: "Push the Secret", Editable: true, file: "hook/dependency-missing/own-03",
		},
		{
			Rule: "wave/blocked", App: "meter-reader", Title: "A sync wave waits for a database that never becomes ready",
			Repair: "Push a database that starts", Editable: true, file: "wave/blocked/lab-wave-stuck-9m",
		},
		{
			Rule: "wave/blocked", App: "loyalty", Title: "A sync wave waits for a Deployment whose volume cannot be mounted",
			Repair: "Push a volume that exists", Editable: true, file: "wave/blocked/k008",
		},
		{
			Rule: "drift/manual-edit", App: "rating-api", Title: "Someone scaled a Deployment manually",
			Editable: true, file: "drift/manual-edit/lab-scale-drift", recordedAs: "rating-api-two",
		},
		{
			Rule: "drift/hpa", App: "mailer", Title: "Git and an autoscaler both set the replicas",
			Repair: "Push a commit without replicas", Editable: true, file: "drift/hpa/foreign-hpa-1",
		},
		{
			Rule: "drift/pending-prune", App: "harbor-view", Title: "A resource removed from Git is still in the cluster",
			Editable: true, file: "drift/pending-prune/lab-pending-prune", recordedAs: "harbor-view-eu",
		},
		{
			Rule: "drift/missing", App: "accounts", Title: "Someone deleted a Deployment",
			Editable: true, file: "drift/missing/foreign-missing-2",
		},
		{
			Rule: "drift/autosync-off", App: "feed-ingest", Title: "A new image is waiting to be synced",
			Editable: true, file: "drift/autosync-off/foreign-autosync-off-1",
		},
		{
			Rule: "health/image-pull", App: "pricing", Title: "An image tag is misspelled",
			Repair: "Push the right tag", Editable: true, file: "health/image-pull/lab-pod-waiting-imagepull", recordedAs: "pricing-us",
		},
		{
			Rule: "health/crash-loop", App: "ledger", Title: "The database rejects the password",
			Repair: "Push the right password", Editable: true, file: "health/crash-loop/own-01",
		},
		{
			Rule: "health/oom-killed", App: "media-store", Title: "A container has too little memory",
			Repair: "Push a higher limit", Editable: true, file: "health/oom-killed/foreign-oom-killed-1",
		},
		{
			Rule: "health/config-missing", App: "quote-api", Title: "A Secret is missing",
			Repair: "Push the Secret", Editable: true, file: "health/config-missing/foreign-config-missing-1",
		},
		{
			Rule: "health/certificate", App: "site", Title: "A certificate was not issued",
			Repair: "Push the right challenge", file: "health/certificate/own-01",
		},
		{
			Rule: "health/rollout-degraded", App: "recs", Title: "A canary was aborted because of errors",
			Repair: "Push a version without the error", file: "health/rollout-degraded/own-01",
		},
	}
}
