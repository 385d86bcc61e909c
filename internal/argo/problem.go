package argo

import (
	"context"
	"errors"

	"github.com/argo-why/argo-why/internal/sanitize"

	"google.golang.org/grpc/codes"
)

// Problem is why Argo CD could not be read, in classes that people can do something about.
type Problem string

// The classes of problems.
const (
	// NotConfigured: nothing says where Argo CD is.
	NotConfigured Problem = "not-configured"
	// NotLoggedIn: no token, an expired one, or one that Argo CD does not accept.
	NotLoggedIn Problem = "not-logged-in"
	// Forbidden: the account lacks a right.
	Forbidden Problem = "no-permission"
	// UnknownApplication: it does not exist, or the account has no access to it. Argo CD gives one answer to both, on purpose.
	UnknownApplication Problem = "unknown-application"
	// Unreachable: nobody answers at the address.
	Unreachable Problem = "unreachable"
	// BadTLS: the certificate is not trusted, or one side speaks TLS and the other does not.
	BadTLS Problem = "tls"
	// WrongServer: something answers, and it is not the API of Argo CD.
	WrongServer Problem = "wrong-server"
	// TooSlow: connected, but the answer did not come in time.
	TooSlow Problem = "too-slow"
	// Busy: another operation of the application is running.
	Busy Problem = "busy"
	// Idle: there is no operation that could be terminated.
	Idle Problem = "no-operation"
	// OutsideWindow: a sync window of the project forbids a sync now.
	OutsideWindow Problem = "sync-window"
	// Failed: Argo CD answered with an error of its own.
	Failed Problem = "failed"
)

// Error is a failed request to Argo CD. Its text is one line: the operation, what happened, what to do.
type Error struct {
	Problem   Problem
	Operation string // "read application my-app"
	Err       error  // what the connection or Argo CD said
	// what happened and what to do about it, in our words and those that Argo CD used.
	what, todo sanitize.Clean
}

var errNotConfigured = errors.New("no Argo CD is configured")

// Missing reports that there is no such application in the project that was named. Argo CD distinguishes that from an application
// without access only for accounts that can read the applications of that project.
func (e *Error) Missing() bool {
	return e.Problem == UnknownApplication && code(e.Err) == codes.NotFound
}

func (e *Error) Error() string {
	what, todo := e.what, e.todo
	if e.Problem == NotConfigured {
		what, todo = sanitize.Excerpt(e.Err.Error()), "run argocd login HOST, set ARGOCD_SERVER and ARGOCD_AUTH_TOKEN, or use --server and --auth-token"
	}
	if what == "" {
		what = sanitize.Excerpt(e.Err.Error())
	}
	if todo == "" {
		return e.Operation + ": " + string(what)
	}
	return e.Operation + ": " + string(what+": "+todo)
}

// Unwrap is what the connection or Argo CD said.
func (e *Error) Unwrap() error { return e.Err }

// Is lets a time-out and a cancellation be found as what they are: gRPC has errors of its own for them.
func (e *Error) Is(target error) bool {
	switch target {
	case context.DeadlineExceeded:
		return code(e.Err) == codes.DeadlineExceeded
	case context.Canceled:
		return code(e.Err) == codes.Canceled
	}
	return false
}

// What is what happened, in one line and without the advice, which is for the command line of `bot why`.
func (e *Error) What() string {
	if e.what == "" {
		return e.Operation + ": " + string(sanitize.Excerpt(e.Err.Error()))
	}
	return e.Operation + ": " + string(e.what)
}
