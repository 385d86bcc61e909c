package action_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// job is a Job in YAML, with this metadata and status beside its name.
func job(t *testing.T, metadata, status string) evidence.Object {
	t.Helper()
	text := "{apiVersion: batch/v1, kind: Job, metadata: {name: db-migrate, namespace: shop, uid: u1, " + metadata + "}, status: {" + status + "}}"
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o, err := evidence.DecodeObject(raw)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAJobIsTheHookThatArgoCDRuns(t *testing.T) {
	for annotations, want := range map[string]string{
		"":                                 "",
		`argocd.argoproj.io/hook: PreSync`: "PreSync",
		`argocd.argoproj.io/hook: "PostSync, PreSync"`:                         "PreSync,PostSync",
		`argocd.argoproj.io/hook: Skip`:                                        "",
		`argocd.argoproj.io/hook: Skip, helm.sh/hook: pre-install`:             "",
		`argocd.argoproj.io/hook: presync`:                                     "", // it is case-sensitive
		`argocd.argoproj.io/hook: nonsense, helm.sh/hook: pre-install`:         "PreSync",
		`argocd.argoproj.io/hook: SyncFail, helm.sh/hook: pre-install`:         "SyncFail",
		`helm.sh/hook: "pre-install,pre-upgrade"`:                              "PreSync",
		`helm.sh/hook: "post-upgrade,pre-install,test"`:                        "PreSync,PostSync",
		`helm.sh/hook: test`:                                                   "", // Argo CD never runs it
		`helm.sh/hook: pre-rollback`:                                           "",
		`argocd.argoproj.io/hook-delete-policy: HookSucceeded, other: PreSync`: "",
	} {
		if got := action.JobOf(job(t, "annotations: {"+annotations+"}", "")).Hook; got != want {
			t.Errorf("%s: a hook of %q, want %q", annotations, got, want)
		}
	}
}

func TestAJobIsTheApplicationsThatArgoCDTakesItFor(t *testing.T) {
	id := func(id string) string { return `annotations: {argocd.argoproj.io/tracking-id: "` + id + `"}` }
	for metadata, want := range map[string]string{
		"":                                                     "",
		id("web:batch/Job:shop/db-migrate"):                    "web",
		id("team_web:batch/Job:shop/db-migrate"):               "team_web",
		id("web:batch/Job:shop/other"):                         "", // copied along with the rest of another one
		id("web:batch/Job:other/db-migrate"):                   "",
		id("web:batch/CronJob:shop/db-migrate"):                "",
		id("web:/Job:shop/db-migrate"):                         "",
		id("web"):                                              "",
		id("web:batch/Job:shop/db-migrate:more"):               "",
		id(":batch/Job:shop/db-migrate"):                       "",
		id("web:batch/Job:shop/"):                              "",
		id("web:batch/Job:shop/") + ", generateName: db-":      "web", // Argo CD named it after it was marked
		id("web:batch/Job:shop/") + ", generateName: reports-": "",
		"labels: {app.kubernetes.io/instance: web}":            "web",
		"labels: {argocd.argoproj.io/instance: web}":           "web",
		"labels: {app.kubernetes.io/instance: chart, argocd.argoproj.io/instance: web}":                   "web",
		"labels: {app.kubernetes.io/instance: chart}, " + id("web:batch/Job:shop/db-migrate"):             "web",
		"labels: {app.kubernetes.io/instance: web}, " + id("web:batch/Job:shop/other"):                    "",
		"labels: {app.kubernetes.io/instance: web}, ownerReferences: [{kind: CronJob, name: c, uid: u0}]": "",
	} {
		if got := action.JobOf(job(t, metadata, "")).TrackedBy; got != want {
			t.Errorf("%s: of %q, want %q", metadata, got, want)
		}
	}
}

func TestAnApplicationIsCalledAsArgoCDCallsIt(t *testing.T) {
	for _, x := range []struct {
		tracked, namespace, controller string
		want                           bool
	}{
		{"web", "argocd", "argocd", true},
		{"web", "argocd", "", true},
		{"web", "", "argocd", true},
		{"web", "gitops", "gitops", true},
		{"web", "team", "argocd", false}, // one of that name in Argo CD's own namespace
		{"team_web", "team", "argocd", true},
		{"team_web", "argocd", "argocd", false},
		{"other", "argocd", "argocd", false},
		{"", "argocd", "argocd", false},
	} {
		j := action.Job{TrackedBy: x.tracked}
		if got := j.BelongsTo(action.App{Namespace: x.namespace, Name: "web"}, x.controller); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
	if nobody := (action.App{}); (&action.Job{}).BelongsTo(nobody, "") {
		t.Error("a Job of nobody belongs to an application without a name")
	}
}

func TestWhetherAJobIsOver(t *testing.T) {
	for status, want := range map[string]action.Job{
		"":                          {},
		"active: 2":                 {Active: 2},
		"active: 1, terminating: 1": {Active: 2},
		"failed: 4, conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded}]":                    {Finished: "Failed"},
		"succeeded: 1, conditions: [{type: SuccessCriteriaMet, status: 'True'}, {type: Complete, status: 'True'}]": {Finished: "Complete"},
		"active: 1, conditions: [{type: FailureTarget, status: 'True'}]":                                           {Active: 1}, // about to fail
		"conditions: [{type: Suspended, status: 'True'}]":                                                          {},
		"conditions: [{type: Failed, status: 'False'}]":                                                            {},
	} {
		got := action.JobOf(job(t, "", status))
		if got.Active != want.Active || got.Finished != want.Finished || got.Deleting {
			t.Errorf("%s: %+v, want %+v", status, got, want)
		}
	}
	deleting := action.JobOf(job(t, "deletionTimestamp: '2026-11-21T09:00:00Z'", ""))
	if want := (evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate"}); !deleting.Deleting || deleting.UID != "u1" || deleting.Ref != want {
		t.Errorf("got %+v", deleting)
	}
}

func TestWhatIsNoJob(t *testing.T) {
	for _, o := range []evidence.Object{nil, {}, {"apiVersion": "v1", "kind": "Pod"}, {"apiVersion": "batch/v1", "kind": "CronJob"}, {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job"}} {
		if got := action.JobOf(o); got != nil {
			t.Errorf("%v is %+v", o, got)
		}
	}
}
