package argo_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

var hookJob = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "team-courier-api", Name: "migrate"}

const hookJobUID = "742e2168-9b0e-474f-b5d4-6d09c0ff6577"

// acting is a server that takes actions, and the application of its case. Replacements change the case: old, new, old, new …
func acting(t *testing.T, name string, on argotest.Acting, replacements ...string) (*argotest.Server, *argo.Client, *argo.App) {
	t.Helper()
	text := readCase(t, name)
	for i := 0; i < len(replacements); i += 2 {
		if !bytes.Contains(text, []byte(replacements[i])) {
			t.Fatalf("the case %s does not hold %q", name, replacements[i])
		}
		text = bytes.Replace(text, []byte(replacements[i]), []byte(replacements[i+1]), 1)
	}
	s := argotest.NewServer(t, text)
	s.Act(on)
	c := connect(t, s, argo.Options{})
	return s, c, c.App(cases[name], "", "")
}

// automated makes the application of a case sync itself.
var automated = []string{`"spec": {`, `"spec": {"syncPolicy": {"automated": {}, "syncOptions": ["Validate=false"]},`}

func TestRefresh(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	began := time.Now().Truncate(time.Second)
	for _, hard := range []bool{true, false} {
		got, err := app.Refresh(t.Context(), hard)
		if err != nil || got.Status.ReconciledAt.Before(began) {
			t.Fatalf("refreshed: %v, %v", got, err)
		}
	}
	if got := s.Refreshes(); !reflect.DeepEqual(got, []string{"hard " + hookFailed, "normal " + hookFailed}) {
		t.Errorf("refreshed %v", got)
	}
}

func TestDiagnosisOnlyReads(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "presync-hook-failed"))
	app := connect(t, s, argo.Options{}).App(hookFailed, "", "")
	_, refresh := app.Refresh(t.Context(), false)
	_, sync := app.Sync(t.Context(), argo.SyncRequest{})
	for what, err := range map[string]error{
		"refresh": refresh, "sync": sync, "terminate": app.Terminate(t.Context()), "delete": app.DeleteResource(t.Context(), hookJob, hookJobUID),
	} {
		if err == nil || !strings.Contains(err.Error(), "a diagnosis must not "+what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestRefreshThatNeverComes(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	if _, err := app.Subject(t.Context()); err != nil { // the connection stands
		t.Fatal(err)
	}
	s.Delay("Get", time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := app.Refresh(ctx, true)
	want := "hard refresh of application courier-api: Argo CD did not finish it in time: check the load of argocd-application-controller and argocd-repo-server, and try again"
	if problemOf(err) != argo.TooSlow || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestSyncAsAskedFor(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	request := argo.SyncRequest{
		Revision: "3f2a91c", Prune: true, DryRun: true, Resources: []evidence.Ref{{Kind: "ConfigMap", Namespace: "team-courier-api", Name: "settings"}},
		Info: []argo.SyncInfo{{Name: "argo-why", Value: "r-1"}, {Name: "argo-why/by", Value: "dana (U0123)"}},
	}
	got, err := app.Sync(t.Context(), request)
	if err != nil || got != "3f2a91c" {
		t.Fatalf("accepted %q, %v", got, err)
	}
	want := argotest.Operation{
		Namespace: "argocd", App: hookFailed, Revision: "3f2a91c", Prune: true, DryRun: true, Resources: request.Resources,
		Info: []evidence.OperationInfo{{Name: "argo-why", Value: "r-1"}, {Name: "argo-why/by", Value: "dana (U0123)"}},
	}
	if got := s.Operations(); !reflect.DeepEqual(got, []argotest.Operation{want}) {
		t.Errorf("asked for %+v", got)
	}
	subject, err := app.Subject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	state := subject.Application.Status.OperationState
	if state.Phase != evidence.OperationSucceeded || !reflect.DeepEqual(state.Operation.Info, want.Info) || subject.Application.Status.Sync.Status != "OutOfSync" {
		t.Errorf("after a dry run: %+v", subject.Application.Status)
	}
}

func TestSyncOfAnApplicationThatSyncsItself(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{Target: "newer"}, automated...)
	got, err := app.Sync(t.Context(), argo.SyncRequest{Revision: "shown"})
	if err != nil || got != "newer" {
		t.Errorf("accepted %q, %v", got, err)
	}
	if got, err := app.Sync(t.Context(), argo.SyncRequest{Revision: "shown", DryRun: true}); err != nil || got != "shown" {
		t.Errorf("dry run of %q, %v", got, err)
	}
	if n := len(s.Operations()); n != 2 {
		t.Errorf("%d operations", n)
	}
}

func TestSyncOfSeveralSources(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{},
		`"spec": {`, `"spec": {"sources": [{"repoURL": "http://a"}, {"repoURL": "http://b"}],`,
		`"revision": "bb498fd6518dfb10e6be99a13066d11e1304965f"`, `"revisions": ["a1", "b1"]`)
	got, err := app.Sync(t.Context(), argo.SyncRequest{Revisions: []string{"a0", "b0"}})
	if err != nil || got != "a0, b0" {
		t.Errorf("accepted %q, %v; %+v", got, err, s.Operations())
	}
}

// stays is an operation that goes on.
func stays(argotest.Operation) argotest.Outcome { return argotest.Outcome{} }

func TestActionsThatAreRefused(t *testing.T) {
	sync := func(ctx context.Context, a *argo.App) error { _, err := a.Sync(ctx, argo.SyncRequest{}); return err }
	terminate := func(ctx context.Context, a *argo.App) error { return a.Terminate(ctx) }
	remove := func(ctx context.Context, a *argo.App) error { return a.DeleteResource(ctx, hookJob, hookJobUID) }
	const add = "add to policy.csv in argocd-rbac-cm: "
	for _, tc := range []struct {
		name, of string
		change   []string
		prepare  func(*argotest.Server, *argo.App) error
		do       func(context.Context, *argo.App) error
		problem  argo.Problem
		want     string
	}{
		{
			name: "an operation is running", prepare: func(_ *argotest.Server, a *argo.App) error { return sync(t.Context(), a) }, do: sync,
			problem: argo.Busy, want: "sync application courier-api: another operation is running: wait until it ends, or terminate it",
		},
		{
			name: "no operation is running", do: terminate,
			problem: argo.Idle, want: "terminate the operation of application courier-api: no operation is running: check the application again",
		},
		{
			name: "a sync window", of: "sync-window", do: sync,
			problem: argo.OutsideWindow, want: "sync application inventory: a sync window of its project forbids it now: wait until the window allows it, or allow manual syncs in the window (manualSync)",
		},
		{
			name: "an application that goes", change: []string{`"metadata": {`, `"metadata": {"deletionTimestamp": "2026-11-20T18:49:24Z",`}, do: sync,
			problem: argo.Failed, want: "sync application courier-api: the application is being deleted: wait until the deletion is finished",
		},
		{
			name: "no right to sync", prepare: denied("sync", "default/*"), do: sync,
			problem: argo.Forbidden, want: "sync application courier-api: the account lacks the right, or the application no longer exists: " + add + "p, ACCOUNT, applications, sync, default/*, allow",
		},
		{
			name: "no right to terminate", prepare: denied("sync", "*/*"), do: terminate,
			problem: argo.Forbidden, want: "terminate the operation of application courier-api: the account lacks the right, or the application no longer exists: " + add + "p, ACCOUNT, applications, sync, default/*, allow",
		},
		{
			name: "no right to delete", prepare: denied("delete/batch/Job/*/*", "*/*"), do: remove,
			problem: argo.Forbidden, want: "delete Job/migrate: the account lacks the right, or the application no longer exists: " + add + "p, ACCOUNT, applications, delete/batch/Job/*/*, default/*, allow",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			of := tc.of
			if of == "" {
				of = "presync-hook-failed"
			}
			s, _, app := acting(t, of, argotest.Acting{OnSync: stays}, tc.change...)
			if _, err := app.Subject(t.Context()); err != nil {
				t.Fatal(err)
			}
			if tc.prepare != nil {
				if err := tc.prepare(s, app); err != nil {
					t.Fatal(err)
				}
			}
			before := len(s.Operations())
			err := tc.do(t.Context(), app)
			if problemOf(err) != tc.problem || err.Error() != tc.want {
				t.Errorf("got %q: %v\nwant %q: %s", problemOf(err), err, tc.problem, tc.want)
			}
			if len(s.Operations()) != before || len(s.Deleted()) > 0 {
				t.Errorf("something was done: %v, %v", s.Operations(), s.Deleted())
			}
		})
	}
}

func denied(action, objects string) func(*argotest.Server, *argo.App) error {
	return func(s *argotest.Server, _ *argo.App) error { s.Deny("applications", action, objects); return nil }
}

func TestRightToOverrideIsNotNeeded(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	s.Fail("Sync", status.Error(codes.PermissionDenied, "permission denied: applications, override, default/courier-api, sub: x"))
	if _, err := app.Sync(t.Context(), argo.SyncRequest{Revision: "shown"}); problemOf(err) != argo.Forbidden {
		t.Errorf("got %v", err)
	}
	if n := s.Calls()["Sync"]; n != 2 {
		t.Errorf("asked %d times, want a second time without the revision", n)
	}
}

// TestWhereGitHasMovedOnNothingElseIsSynced: Argo CD would take the newest commit, and begin to deploy it.
func TestWhereGitHasMovedOnNothingElseIsSynced(t *testing.T) {
	for refusal, want := range map[error]string{
		status.Error(codes.PermissionDenied, "permission denied: applications, override, default/courier-api, sub: x"): "the account lacks the right to sync another commit than the newest: " +
			"add to policy.csv in argocd-rbac-cm: p, ACCOUNT, applications, override, */*, allow",
		status.Error(codes.FailedPrecondition, "Cannot sync to shown: auto-sync currently set to main"): "auto-sync is on, so that Argo CD takes no other commit than the newest: " +
			"sync the newest commit, or turn auto-sync off",
	} {
		s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
		s.Fail("Sync", refusal)
		if _, err := app.Sync(t.Context(), argo.SyncRequest{Revision: "shown", Exactly: true}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
		if n := s.Calls()["Sync"]; n != 1 {
			t.Errorf("asked %d times", n)
		}
	}
}

func TestTerminate(t *testing.T) {
	running := evidence.ResourceResult{Group: "batch", Kind: "Job", Namespace: hookJob.Namespace, Name: hookJob.Name, HookType: "PreSync", HookPhase: "Running", SyncPhase: "PreSync"}
	_, _, app := acting(t, "presync-hook-failed", argotest.Acting{OnSync: func(argotest.Operation) argotest.Outcome {
		return argotest.Outcome{Message: "waiting for completion of hook batch/Job/migrate", Results: []evidence.ResourceResult{running}}
	}})
	if _, err := app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	subject, err := app.Subject(t.Context())
	if err != nil || !subject.Application.Status.OperationState.Running() {
		t.Fatalf("%v, %v", subject.Application, err)
	}
	if err := app.Terminate(t.Context()); err != nil {
		t.Fatal(err)
	}
	subject, err = app.Subject(t.Context())
	if err != nil || subject.Application.Status.OperationState.Phase != "Failed" || subject.Application.Status.OperationState.Message != "Operation terminated" {
		t.Errorf("%v, %v", subject.Application, err)
	}
	if o, err := app.Object(t.Context(), evidence.ObjectQuery{Ref: hookJob}); o != nil || err != nil {
		t.Errorf("the hook's Job is still there: %v, %v", o, err)
	}
}

// conflict is Argo CD that gives up because the controller was faster, and what the controller did.
type conflict struct{ meanwhile func() }

func (conflict) Error() string { return "Failed to terminate app. Too many conflicts" }

func (c conflict) GRPCStatus() *status.Status {
	c.meanwhile()
	return status.New(codes.Internal, c.Error())
}

// TestTerminateAgain: what conflicts is tried again, but never on an operation that has begun since.
func TestTerminateAgain(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{OnSync: stays})
	if _, err := app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	s.Fail("TerminateOperation", conflict{func() {}})
	s.Reset()
	if err := app.Terminate(t.Context()); problemOf(err) != argo.Failed || s.Calls()["TerminateOperation"] != 3 {
		t.Errorf("conflicts: %v after %d calls", err, s.Calls()["TerminateOperation"])
	}
	var ended atomic.Bool
	s.Fail("TerminateOperation", conflict{func() {
		if ended.CompareAndSwap(false, true) {
			s.Finish(t, app.Name(), argotest.Outcome{Phase: "Succeeded"})
		}
	}})
	s.Reset()
	if err := app.Terminate(t.Context()); !errors.Is(err, argo.ErrChanged) || s.Calls()["TerminateOperation"] != 1 {
		t.Errorf("it has ended: %v after %d calls", err, s.Calls()["TerminateOperation"])
	}
}
