package rules_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

const rendering = "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = "

// TestNamesDoNotDecide: what something is called is no evidence of what happened to it.
func TestNamesDoNotDecide(t *testing.T) {
	e := engine(t)
	for text, want := range map[string]string{
		"`helm pull --version 99.9.9 --repo https://charts.example.com oauth2-proxy` failed exit status 1: Error: chart \"oauth2-proxy\" version \"99.9.9\" not found in https://charts.example.com repository": "render/chart-repository",
		"Get \"https://git.example.com/x/oauth-proxy.git/info/refs?service=git-upload-pack\": dial tcp: lookup git.example.com: no such host":                                                                   "render/git-unreachable",
		"failed to unmarshal manifest: error converting YAML to JSON: yaml: line 403: mapping values are not allowed in this context":                                                                           "render/invalid-yaml",
		"apps/redis-ha: app path does not exist": "render/path-not-found",
		"`helm template . --set backend=http://api:8081` failed exit status 1: Error: execution error at (web/templates/d.yaml:3:4): image.tag is needed": "render/helm-template",
		"`helm template . --values ../submodules/values.yaml` failed exit status 1: Error: execution error at (web/templates/d.yaml:3:4): boom":           "render/helm-template",
		"`helm template .` failed exit status 1: Error: execution error at (web/templates/d.yaml:3:4): replicas exceeds the limit of 5":                   "render/helm-template",
		"Get \"https://git.example.com/team/jsonnet-apps.git/info/refs?service=git-upload-pack\": dial tcp 10.0.0.1:443: connect: connection refused":     "render/git-unreachable",
		"Failed to unmarshal \"argocd-redis.yaml\": failed to unmarshal manifest: error converting YAML to JSON: yaml: line 2: did not find expected key": "render/invalid-yaml",
	} {
		app := &evidence.Application{}
		app.Spec.Source = &evidence.ApplicationSource{RepoURL: "https://git.example.com/team/deploy.git", Path: "apps/web"}
		app.Status.Sync.Status = "Unknown"
		app.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: rendering + text}}
		rep := diagnosed(t, e, &evidence.Case{Application: app, Now: evidence.Time{Time: time.Unix(0, 0)}})
		if root := rep.Root(); root == nil || root.Rule != want {
			t.Errorf("%s\ngot %+v, want %s", text, rep.Findings, want)
		}
	}
}

// TestAHooksOwnWordsAreNoRefusal: a Pod hook carries its container's message, and that may sound like the API server.
func TestAHooksOwnWordsAreNoRefusal(t *testing.T) {
	e := engine(t)
	for _, text := range []string{"dial tcp 10.0.1.45:5432: connect: connection refused", "DATABASE_URL is required", `relation "users" already exists`, "unknown field in settings"} {
		app := &evidence.Application{}
		app.Status.Sync.Status = "OutOfSync"
		app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, Message: "one or more synchronization tasks completed unsuccessfully", SyncResult: &evidence.SyncResult{
			Resources: []evidence.ResourceResult{{Kind: "Pod", Name: "migrate", Message: text, HookType: "PreSync", HookPhase: evidence.OperationFailed}},
		}}
		rep := diagnosed(t, e, &evidence.Case{Application: app, Now: evidence.Time{Time: time.Unix(0, 0)}})
		if root := rep.Root(); root == nil || root.Rule != "hook/job-failed" {
			t.Errorf("%s: got %+v", text, rep.Findings)
		}
	}
}

// TestAWarningGivesWayToAFailure: two applications sharing an object is no reason for a failed hook.
func TestAWarningGivesWayToAFailure(t *testing.T) {
	app := &evidence.Application{}
	app.Metadata.Name = "web"
	app.Status.Sync.Status = "OutOfSync"
	app.Status.Conditions = []evidence.Condition{{Type: "SharedResourceWarning", Message: "ConfigMap/shared is part of applications argocd/web and api"}}
	app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, SyncResult: &evidence.SyncResult{
		Resources: []evidence.ResourceResult{{Group: "batch", Kind: "Job", Name: "migrate", Message: "Job has reached the specified backoff limit", HookType: "PreSync", HookPhase: evidence.OperationFailed}},
	}}
	rep := diagnosed(t, engine(t), &evidence.Case{Application: app, Now: evidence.Time{Time: time.Unix(0, 0)}})
	if root := rep.Root(); root == nil || root.Rule != "hook/job-failed" || rep.Sync.Verdict != "pointless" {
		t.Errorf("got %+v, sync %+v", rep.Findings, rep.Sync)
	}
}

// waitsForAPerson is how a headline says that nothing happens until someone acts.
var waitsForAPerson = regexp.MustCompile(`is waiting for manual promotion|is paused|is suspended`)

// TestWaitingForAPersonIsNoFailure: what is paused or suspended is said first, and is no cause.
func TestWaitingForAPersonIsNoFailure(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || r.c.Application.Status.Health.Status != "Suspended" || r.c.Application.CurrentOperation() != nil {
			continue
		}
		if r.expect.Rule == "health/custom-resource" { // another resource fails behind what is suspended
			continue
		}
		n++
		rep := diagnosed(t, e, r.c)
		if rep.Root() != nil || rep.Verdict.Bad() || len(rep.Findings) == 0 || !waitsForAPerson.MatchString(rep.Headline) {
			t.Errorf("%s: %s, %s", r.name, rep.Verdict, rep.Headline)
		}
	}
	if n < 5 {
		t.Errorf("%d applications are suspended: recordings are missing", n)
	}
}
