package action_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	migrate = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "payments", Name: "db-migrate"}
)

// failed is an application whose PreSync hook failed, with everything that may be done about it.
func failed() *action.Situation {
	app := &evidence.Application{Metadata: evidence.Metadata{Name: "payments-api", Namespace: "argocd", UID: "app-1"}}
	app.Spec.Project = "payments"
	app.Status.ControllerNamespace = "argocd"
	app.Status.Sync = evidence.SyncStatus{Status: "OutOfSync", Revision: "3f2a91c0000000000000000000000000000000aa"}
	app.Status.ReconciledAt = at(-time.Minute)
	app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, StartedAt: at(-time.Hour), FinishedAt: at(-50 * time.Minute)}
	return &action.Situation{
		Application: app,
		Managed:     []evidence.ResourceDiff{},
		Manifests:   []evidence.Object{},
		Windows:     &evidence.SyncWindows{CanSync: new(true)},
		Job:         &action.Job{Ref: migrate, UID: "job-1", Hook: "PreSync", TrackedBy: "payments-api", Finished: "Failed"},
		Report: &diagnose.Report{
			Sync: diagnose.Sync{Verdict: diagnose.SyncSafe, Why: "it was merged and never synced"},
			Actions: []diagnose.Action{
				{ID: diagnose.ActionDeleteHookJob, Target: migrate, Why: "it failed and is in the way of the next one"},
				{ID: diagnose.ActionTerminate, Why: "it waits for a hook that cannot end well"},
				{ID: diagnose.ActionSync, Why: "it was merged and never synced"},
			},
		},
	}
}

func at(d time.Duration) evidence.Time { return evidence.Time{Time: noon.Add(d)} }

// running has a sync running that waits for the hook.
func running(s *action.Situation) *evidence.OperationState {
	op := &evidence.OperationState{Phase: evidence.OperationRunning, StartedAt: at(-9*time.Hour - 9*time.Minute)}
	op.Operation.InitiatedBy.Username = "dana"
	op.Operation.Sync = &evidence.SyncOperation{Revision: "9c1e0d20000000000000000000000000000000bb"}
	s.Application.Status.OperationState, s.Application.Operation = op, &op.Operation
	return op
}

// unattended has no application controller act on the application.
func unattended(s *action.Situation) { s.Report.Unattended = "while it is paused" }

// refreshing has a refresh pending.
func refreshing(s *action.Situation, kind string) {
	s.Application.Metadata.Annotations = map[string]string{evidence.AnnotationRefresh: kind}
}

func want(kind action.Kind) action.Request {
	w := action.Request{Kind: kind, App: prod}
	if kind == action.DeleteHookJob {
		w.Target = migrate
	}
	return w
}

func TestWhatWouldBeDone(t *testing.T) {
	for name, test := range map[string]struct {
		want    action.Request
		change  func(*action.Situation)
		steps   []string
		summary string
		needs   []action.Kind
	}{
		"hard refresh": {want: want(action.HardRefresh), steps: []string{"Render the manifests again without Argo CD's cache, and compare them with the cluster"}, summary: "hard refresh"},
		"hard refresh without a diagnosis": {
			want: want(action.HardRefresh), change: func(s *action.Situation) { s.Report = nil },
			steps: []string{"Render the manifests again without Argo CD's cache, and compare them with the cluster"}, summary: "hard refresh",
		},
		"mute":     {want: action.Request{Kind: action.Mute, MuteFor: 4 * time.Hour}, steps: []string{"Mute this incident for 4 h"}, summary: "mute for 4 h"},
		"mute odd": {want: action.Request{Kind: action.Mute, MuteFor: 90 * time.Minute}, steps: []string{"Mute this incident for 90 min"}, summary: "mute for 90 min"},
		"unmute":   {want: action.Request{Kind: action.Mute}, steps: []string{"Unmute this incident"}, summary: "unmute"},
		"delete the failed Job": {
			want: want(action.DeleteHookJob), steps: []string{"Save the log of Job db-migrate to the thread", "Delete Job db-migrate"},
			summary: "delete Job db-migrate (PreSync hook)",
		},
		"delete a Job that an operation waits for": {
			want: want(action.DeleteHookJob), change: func(s *action.Situation) { running(s) },
			steps: []string{
				"Terminate the sync of 9c1e0d2 that started at 02:51 UTC, requested by dana and wait for it to end",
				"Save the log of Job db-migrate to the thread", "Delete Job db-migrate",
			},
			summary: "terminate the sync that started at 02:51 UTC and delete Job db-migrate (PreSync hook)", needs: []action.Kind{action.Terminate},
		},
		"a Job of an application outside of Argo CD's namespace": {
			want: action.Request{Kind: action.DeleteHookJob, App: action.App{Instance: "prod", Namespace: "team-a", Name: "payments-api"}, Target: migrate},
			change: func(s *action.Situation) {
				s.Application.Metadata.Namespace, s.Job.TrackedBy, s.Job.Hook = "team-a", "team-a_payments-api", "PreSync,PostSync"
			},
			steps: []string{"Save the log of Job db-migrate to the thread", "Delete Job db-migrate"}, summary: "delete Job db-migrate (PreSync, PostSync hook)",
		},
		"terminate": {
			want: want(action.Terminate), change: func(s *action.Situation) { running(s) },
			steps: []string{"Terminate the sync of 9c1e0d2 that started at 02:51 UTC, requested by dana"}, summary: "terminate the sync that started at 02:51 UTC",
		},
		"terminate one that began the day before": {
			want: want(action.Terminate), change: func(s *action.Situation) {
				op := running(s)
				op.StartedAt, op.Operation.InitiatedBy.Username, op.Operation.InitiatedBy.Automated = at(-24*time.Hour), "", true
			},
			steps: []string{"Terminate the sync of 9c1e0d2 that started at 20 Nov 12:00 UTC, requested by auto-sync"}, summary: "terminate the sync that started at 20 Nov 12:00 UTC",
		},
		"sync": {
			want: want(action.Sync), steps: []string{"Dry run first, which changes nothing", "Sync 3f2a91c"}, summary: "sync 3f2a91c (no changes)",
		},
		"sync and prune": {
			want: action.Request{Kind: action.Sync, App: prod, Sync: action.SyncOptions{Prune: true}}, change: func(s *action.Situation) {
				s.Application.Status.Sync.Revision, s.Application.Status.Sync.Revisions = "", []string{s.Application.Status.Sync.Revision, "1.2.3"}
			},
			steps:   []string{"Dry run first, which changes nothing", "Sync 3f2a91c, 1.2.3 and delete what was removed from Git"},
			summary: "sync 3f2a91c, 1.2.3 (no changes)",
		},
		"dry run": {
			want: action.Request{Kind: action.Sync, App: prod, Sync: action.SyncOptions{DryRun: true}}, steps: []string{"Dry run first, which changes nothing"},
			summary: "dry run of 3f2a91c (no changes)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := failed()
			if test.change != nil {
				test.change(s)
			}
			p := action.Build(test.want, s, noon)
			if p.RefusedBecause != "" {
				t.Fatalf("refused: %s", p.RefusedBecause)
			}
			equal(t, "steps", p.Steps, test.steps)
			equal(t, "needs", p.Needs, test.needs)
			if got := p.Summary(); got != test.summary {
				t.Errorf("summary %q, want %q", got, test.summary)
			}
			if confirmed := test.want.Kind != action.HardRefresh && test.want.Kind != action.Mute; confirmed != (p.Fingerprint != "") {
				t.Errorf("print %q", p.Fingerprint)
			}
			if op := s.Application.Status.OperationState; op.Running() && !p.Operation.Equal(op.StartedAt.Time) {
				t.Errorf("ends the operation of %s", p.Operation)
			}
		})
	}
}

func TestWhyItIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		kind   action.Kind
		change func(*action.Situation)
		why    string
	}{
		"an unknown kind":              {"reboot", func(*action.Situation) {}, "unknown action"},
		"no application":               {action.Sync, func(s *action.Situation) { s.Application = nil }, "the application could not be read"},
		"a refresh of a deleted one":   {action.HardRefresh, func(s *action.Situation) { s.Application.Metadata.DeletionTimestamp = at(-time.Hour) }, "the application is being deleted (since 11:00 UTC)"},
		"no operation":                 {action.Terminate, func(*action.Situation) {}, "no operation is running"},
		"no operation ever":            {action.Terminate, func(s *action.Situation) { s.Application.Status.OperationState = nil }, "no operation is running"},
		"an operation that is ending":  {action.Terminate, func(s *action.Situation) { running(s).Phase = evidence.OperationTerminating }, "the sync of 9c1e0d2 that started at 02:51 UTC, requested by dana is already being terminated"},
		"an operation that is at work": {action.Terminate, func(s *action.Situation) { running(s); s.Report.Actions = nil }, "nothing suggests that the operation is stuck"},
		"no diagnosis":                 {action.Terminate, func(s *action.Situation) { running(s); s.Report = nil }, "the application could not be diagnosed"},

		"a refresh that nobody would do": {action.HardRefresh, unattended, "the refresh would stay pending while it is paused"},
		"a second hard refresh":          {action.HardRefresh, func(s *action.Situation) { refreshing(s, "hard") }, "a hard refresh is already requested and has not happened yet"},
		"a hard refresh after another":   {action.HardRefresh, func(s *action.Situation) { refreshing(s, "normal") }, ""},
		"a sync that nobody would do":    {action.Sync, unattended, "the sync would stay pending while it is paused"},
		"an end that nobody would bring": {action.Terminate, func(s *action.Situation) { running(s); unattended(s) }, "the termination would stay pending while it is paused"},
		"a Job of an operation that nobody would end": {
			action.DeleteHookJob, func(s *action.Situation) { running(s); unattended(s) },
			"the termination of the running operation would stay pending while it is paused",
		},
		"a Job that needs no controller": {action.DeleteHookJob, unattended, ""},

		"no Job":           {action.DeleteHookJob, func(s *action.Situation) { s.Job = nil }, "Job/db-migrate no longer exists"},
		"another Job":      {action.DeleteHookJob, func(s *action.Situation) { s.Job.Ref.Name = "other" }, "Job/db-migrate could not be read"},
		"a Job of no UID":  {action.DeleteHookJob, func(s *action.Situation) { s.Job.UID = "" }, "Job/db-migrate could not be read"},
		"no hook":          {action.DeleteHookJob, func(s *action.Situation) { s.Job.Hook = "" }, "Job/db-migrate has no hook annotation: it is a regular resource of the application, not a hook"},
		"nobody's Job":     {action.DeleteHookJob, func(s *action.Situation) { s.Job.TrackedBy = "" }, "Job/db-migrate is not tracked by any application"},
		"another's Job":    {action.DeleteHookJob, func(s *action.Situation) { s.Job.TrackedBy = "ledger" }, "Job/db-migrate belongs to application ledger"},
		"a namesake's Job": {action.DeleteHookJob, func(s *action.Situation) { s.Job.TrackedBy = "team-a_payments-api" }, "Job/db-migrate belongs to application team-a_payments-api"},
		"a Job of a namesake, by the word of the status alone": {
			action.DeleteHookJob, func(s *action.Situation) {
				s.Application.Status.ControllerNamespace, s.ArgoNamespace = "argocd", "gitops"
			}, "Job/db-migrate belongs to application payments-api",
		},
		"a running Job": {action.DeleteHookJob, func(s *action.Situation) { s.Job.Finished = "" }, "Job/db-migrate is still running, and running Jobs are never deleted"},
		"pods that still run": {
			action.DeleteHookJob, func(s *action.Situation) { s.Job.Active = 1 }, "Job/db-migrate is still running, and running Jobs are never deleted",
		},
		"a running Job that an operation waits for": {
			action.DeleteHookJob, func(s *action.Situation) { running(s); s.Job.Active, s.Job.Finished = 1, "" }, "Job/db-migrate is still running, and running Jobs are never deleted",
		},
		"a Job that goes": {action.DeleteHookJob, func(s *action.Situation) { s.Job.Deleting = true }, "Job/db-migrate is already being deleted"},
		"a Job of an ending operation": {
			action.DeleteHookJob, func(s *action.Situation) { running(s).Phase = evidence.OperationTerminating },
			"the sync of 9c1e0d2 that started at 02:51 UTC, requested by dana is being terminated: try again when it has ended",
		},
		"a Job of an operation that begins": {
			action.DeleteHookJob, func(s *action.Situation) { s.Application.Operation = &evidence.Operation{} }, "a sync requested earlier is about to start",
		},
		"a Job that succeeded": {action.DeleteHookJob, func(s *action.Situation) { s.Report.Actions = nil }, "Job db-migrate is not a hook Job that failed or blocks a sync"},
		"a Job that the report says no of": {
			action.DeleteHookJob, func(s *action.Situation) { s.Report.Actions[0].RefusedBecause = "it is needed" }, "it is needed",
		},
		"another Job is offered": {
			action.DeleteHookJob, func(s *action.Situation) { s.Report.Actions[0].Target.Name = "other" }, "Job db-migrate is not a hook Job that failed or blocks a sync",
		},

		"a sync while one runs": {
			action.Sync, func(s *action.Situation) { running(s) },
			"the sync of 9c1e0d2 that started at 02:51 UTC, requested by dana is still running, and Argo CD will not start another one until it ends or is terminated",
		},
		"a sync while one begins": {
			action.Sync, func(s *action.Situation) {
				s.Application.Operation = &evidence.Operation{}
				s.Application.Operation.InitiatedBy.Username = "erin"
			}, "a sync requested by erin is about to start",
		},
		"a sync of a deleted one": {action.Sync, func(s *action.Situation) { s.Application.Metadata.DeletionTimestamp = at(-25 * time.Hour) }, "the application is being deleted (since 20 Nov 11:00 UTC)"},
		"a deny window": {
			action.Sync, func(s *action.Situation) {
				*s.Windows = evidence.SyncWindows{CanSync: new(false), ActiveWindows: []evidence.SyncWindow{{Kind: "deny", Schedule: "0 10 * * *", Duration: "4h"}}}
			}, "a deny window (0 10 * * * for 4h UTC) also blocks manual syncs",
		},
		"no allow window": {
			action.Sync, func(s *action.Situation) {
				*s.Windows = evidence.SyncWindows{CanSync: new(false), AssignedWindows: []evidence.SyncWindow{{Kind: "allow", Schedule: "0 22 * * *", Duration: "1h", TimeZone: "Europe/Berlin"}}}
			}, "syncs are only allowed in a sync window (0 22 * * * for 1h Europe/Berlin) that is not open now",
		},
		"a window that is not shown": {action.Sync, func(s *action.Situation) { *s.Windows = evidence.SyncWindows{CanSync: new(false)} }, "a sync window of the project blocks it now"},
		"a pointless sync":           {action.Sync, func(s *action.Situation) { s.Report.Actions[2].RefusedBecause = "pointless: the port stays taken" }, "pointless: the port stays taken"},
		"nothing to sync":            {action.Sync, func(s *action.Situation) { s.Report.Actions = nil }, "the cluster already matches Git"},
		"no revision":                {action.Sync, func(s *action.Situation) { s.Application.Status.Sync.Revision = "" }, "the revision to sync is unknown: Argo CD has not compared any yet"},
		"no diff": {
			action.Sync, func(s *action.Situation) {
				s.Application.Status.Resources = []evidence.ResourceStatus{{Kind: "ConfigMap", Name: "settings", Status: "OutOfSync"}}
				s.Managed, s.Unread = nil, []string{"managed resources: time-out"}
			}, "the changes could not be read: managed resources: time-out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := failed()
			test.change(s)
			if got := action.Build(want(test.kind), s, noon).RefusedBecause; got != test.why {
				t.Errorf("refused because %q, want %q", got, test.why)
			}
		})
	}
	if got := action.Build(want(action.Sync), nil, noon).RefusedBecause; got != "the application could not be read" {
		t.Errorf("nothing was read, and it is refused because %q", got)
	}
	w := want(action.DeleteHookJob)
	w.Target = evidence.Ref{}
	if got := action.Build(w, failed(), noon).RefusedBecause; got != "no Job was specified" {
		t.Errorf("no Job was specified, and it is refused because %q", got)
	}
	w = want(action.Sync)
	w.Sync.Resources = []evidence.Ref{{Kind: "Secret", Namespace: "other", Name: "loot"}}
	if got := action.Build(w, failed(), noon).RefusedBecause; got != "Secret/loot is not a resource of the application" {
		t.Errorf("a foreign resource is selected, and it is refused because %q", got)
	}
}

// A sync that would fail again is offered once somebody says that its cause is repaired.
func TestSyncAfterARepairAsksWhetherItIsRepaired(t *testing.T) {
	s := failed()
	s.Report.Sync = diagnose.Sync{Verdict: diagnose.SyncPointless, Why: "the hook fails again until its cause is repaired"}
	s.Report.Actions[2].RefusedBecause, s.Report.Actions[2].Once = "pointless: the hook fails again until its cause is repaired", "the cause is repaired"
	p := action.Build(want(action.Sync), s, noon)
	if p.RefusedBecause != "" || p.Confirm != "the cause is repaired" {
		t.Errorf("refused %q, to be confirmed %q", p.RefusedBecause, p.Confirm)
	}
	if p.Verdict != diagnose.SyncPointless || p.Reason != "the hook fails again until its cause is repaired" {
		t.Errorf("told: %s, %s", p.Verdict, p.Reason)
	}
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: got %v, want %v", what, got[i], want[i])
		}
	}
}

func contains(t *testing.T, list []string, text string) {
	t.Helper()
	for _, s := range list {
		if strings.Contains(s, text) {
			return
		}
	}
	t.Errorf("%q is not among %q", text, list)
}
