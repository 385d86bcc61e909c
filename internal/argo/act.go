package argo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"google.golang.org/grpc/codes"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// ErrChanged says that the target of an action is no longer what it was, and that nothing was done.
var ErrChanged = errors.New("it has changed in the meantime")

// Refresh makes Argo CD compare the application with Git now, and with hard also render its manifests without its caches. It
// returns the application as it is after that. Argo CD answers when its controller has done it, and waits for that without end
// (rendering alone may take a minute, controller.repo.server.timeout.seconds). Where the context ends first the error has the
// problem [TooSlow], and the refresh may still come.
func (a *App) Refresh(ctx context.Context, hard bool) (*evidence.Application, error) {
	kind, operation := "normal", "refresh application "+a.Name()
	if hard {
		kind, operation = "hard", "hard refresh of application "+a.Name()
	}
	app, err := a.get(ctx, kind)
	if err == nil {
		return app, nil
	}
	failed := a.failed(ctx, operation, RightHardRefresh, err)
	var e *Error
	if errors.As(failed, &e) && e.Problem == TooSlow {
		e.what = "Argo CD did not finish it in time"
		e.todo = "check the load of argocd-application-controller and argocd-repo-server, and try again"
	}
	return nil, failed
}

// Terminate ends the operation that is running, whichever it is. Argo CD answers when it has noted that; the operation itself
// ends a moment later, in its phase Failed. The problem of an error is [Idle] when there is none, also in the moment between the
// request for an operation and its begin. Where it takes several tries the error is [ErrChanged] when another operation, or none,
// is running by then.
func (a *App) Terminate(ctx context.Context) error {
	operation := "terminate the operation of application " + a.Name()
	before, err := a.get(ctx, "")
	if err != nil {
		return a.failed(ctx, operation, RightTerminate, err)
	}
	request := &applicationpkg.OperationTerminateRequest{Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project)}
	_, err = a.client.applications.TerminateOperation(ctx, request)
	// Up to 2.14 Argo CD tries the same outdated object ten times when the controller wrote in between.
	for tries := 1; err != nil && tries < 3 && strings.Contains(message(err), "Too many conflicts"); tries++ {
		now, unread := a.get(ctx, "")
		switch {
		case unread != nil:
			return a.failed(ctx, operation, RightTerminate, err)
		case !sameOperation(before, now):
			return fmt.Errorf("%s: %w", operation, ErrChanged)
		}
		_, err = a.client.applications.TerminateOperation(ctx, request)
	}
	return a.failed(ctx, operation, RightTerminate, err)
}

// sameOperation reports whether the operation that ran before still runs.
func sameOperation(before, now *evidence.Application) bool {
	old, op := before.Status.OperationState, now.Status.OperationState
	return old.Running() && op.Running() && op.StartedAt.Equal(old.StartedAt.Time)
}

// failed is [Client.fail] for what changes something, with the right that it takes. Nil stays nil.
func (a *App) failed(ctx context.Context, operation string, right Right, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if failed := a.client.fail(ctx, operation, err); !errors.As(failed, &e) {
		return failed
	}
	text := message(err)
	switch {
	case isTargetOnly(err) && code(err) == codes.FailedPrecondition:
		e.what, e.todo = "auto-sync is on, so that Argo CD takes no other commit than the newest", "sync the newest commit, or turn auto-sync off"
	case isTargetOnly(err):
		e.Problem, e.what = Forbidden, "the account lacks the right to sync another commit than the newest"
		e.todo = sanitize.Line(a.grant(RightOverride))
	case strings.Contains(text, "another operation is already in progress"):
		e.Problem, e.what, e.todo = Busy, "another operation is running", "wait until it ends, or terminate it"
	case strings.Contains(text, "No operation is in progress"):
		e.Problem, e.what, e.todo = Idle, "no operation is running", "check the application again"
	case strings.Contains(text, "blocked by sync window"):
		e.Problem, e.what = OutsideWindow, "a sync window of its project forbids it now"
		e.todo = "wait until the window allows it, or allow manual syncs in the window (manualSync)"
	case strings.Contains(text, "application is deleting"):
		e.Problem, e.what, e.todo = Failed, "the application is being deleted", "wait until the deletion is finished"
	case strings.Contains(text, "application refresh deadline exceeded"):
		e.Problem = TooSlow
	case code(err) == codes.PermissionDenied && strings.HasPrefix(text, "permission denied"):
		// Argo CD says the same of an application that does not exist. Who is asked to act has seen it a moment ago.
		e.Problem, e.what = Forbidden, "the account lacks the right, or the application no longer exists"
		e.todo = sanitize.Line(a.grant(right))
	}
	return e
}

// grant says how to give the account a right.
func (a *App) grant(right Right) string {
	return policy.Grant(a.client.accountName(), right.Resource, right.Verb, a.rbacProject()+"/*")
}

// rbacProject is the project for a line of a policy; "*" while it is not known.
func (a *App) rbacProject() string {
	if project := a.projectName(); project != "" {
		return project
	}
	return "*"
}
