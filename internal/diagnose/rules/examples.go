package rules

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
)

// recordings are the cases of the examples, and no others: they are part of the program.
//
//go:embed testdata/cases/render/git-unreachable/lab-git-unreachable.json
//go:embed testdata/cases/render/helm-template/lab-helm-nil.json
//go:embed testdata/cases/apply/immutable-field/lab-immutable-field.json
//go:embed testdata/cases/apply/missing-crd/lab-missing-crd.json
//go:embed testdata/cases/hook/job-failed/lab-presync-hook-failed.json
//go:embed testdata/cases/hook/stuck/lab-presync-hook-stuck.json
//go:embed testdata/cases/wave/blocked/lab-wave-stuck.json
//go:embed testdata/cases/drift/manual-edit/lab-scale-drift.json
//go:embed testdata/cases/health/image-pull/lab-pod-waiting-imagepull.json
var recordings embed.FS

// Example is a recorded failure that reads well to somebody who has not seen Argo CD before. The demo offers them.
type Example struct {
	// Rule is the cause that a diagnosis finds.
	Rule string
	// Title is what happened: "A migration job cannot reach the database".
	Title string
	// App is the name of the application, which no other example has.
	App string
	// Repair is what makes the cause go away, without a sync: "Start the database again".
	Repair string
	// Outside: the cause is outside of Git, so that the repair is no commit.
	Outside bool

	file       string // below testdata/cases, without .json
	recordedAs string // the application's name in the file; "" for App
}

// Group is what kind of failure it is, in words: "A hook failed or hangs".
func (e *Example) Group() string {
	group, _, _ := strings.Cut(e.Rule, "/")
	return groupTitles[group]
}

// Case is its case file.
func (e *Example) Case() ([]byte, error) {
	text, err := recordings.ReadFile("testdata/cases/" + e.file + ".json")
	if err != nil {
		return nil, fmt.Errorf("example %s: %w", e.App, err)
	}
	if e.recordedAs != "" {
		text = bytes.ReplaceAll(text, []byte(e.recordedAs), []byte(e.App))
	}
	return text, nil
}

var groupTitles = map[string]string{
	"render": "Manifests cannot be rendered", "spec": "The application is not valid or not permitted", "compare": "The cluster cannot be compared",
	"apply": "The API server refuses something", "operation": "The sync does not run", "hook": "A hook fails or hangs", "wave": "A sync wave waits",
	"drift": "The cluster differs from Git", "health": "Applied, but not healthy",
}

// Examples are all of them, ordered by group as a sync can fail. The first of hook is the failed migration.
func Examples() []*Example {
	return []*Example{
		{
			Rule: "render/git-unreachable", App: "garage-api", Title: "The Git host cannot be reached", Repair: "The Git host answers again", Outside: true,
			file: "render/git-unreachable/lab-git-unreachable", recordedAs: "garage-api-us",
		},
		{
			Rule: "render/helm-template", App: "tariff-api", Title: "A Helm chart misses a value", Repair: "Push the missing value",
			file: "render/helm-template/lab-helm-nil", recordedAs: "tariff-api-two",
		},
		{
			Rule: "apply/immutable-field", App: "checkout", Title: "A field changed that cannot be changed", Repair: "Push a commit that leaves it as it is",
			file: "apply/immutable-field/lab-immutable-field",
		},
		{
			Rule: "apply/missing-crd", App: "stock-sync", Title: "The cluster does not know a kind of resource", Repair: "Push a commit that adds its CRD",
			file: "apply/missing-crd/lab-missing-crd", recordedAs: "stock-sync-eu",
		},
		{
			Rule: "hook/job-failed", App: "courier-api", Title: "A migration job cannot reach the database", Repair: "Start the database again", Outside: true,
			file: "hook/job-failed/lab-presync-hook-failed",
		},
		{
			Rule: "hook/stuck", App: "courier-web", Title: "A hook does not end", Repair: "Push a hook that ends",
			file: "hook/stuck/lab-presync-hook-stuck", recordedAs: "courier-api-eu",
		},
		{
			Rule: "wave/blocked", App: "meter-reader", Title: "A sync wave waits for a deployment that does not become healthy", Repair: "Push a deployment that starts",
			file: "wave/blocked/lab-wave-stuck",
		},
		{
			Rule: "drift/manual-edit", App: "rating-api", Title: "Somebody scaled a deployment by hand", Repair: "Nothing to repair in Git: sync",
			file: "drift/manual-edit/lab-scale-drift", recordedAs: "rating-api-two",
		},
		{
			Rule: "health/image-pull", App: "pricing", Title: "An image cannot be pulled", Repair: "Push an image tag that exists",
			file: "health/image-pull/lab-pod-waiting-imagepull", recordedAs: "pricing-us",
		},
	}
}
