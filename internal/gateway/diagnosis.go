package gateway

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Diagnose diagnoses an application, as it is at that time. A fault of ours is an *[InternalError]: a person who looks for the
// cause of an outage has no use for a stack trace, and the other applications still want their report.
func Diagnose(ctx context.Context, engine *diagnose.Engine, source evidence.Source, at time.Time) (*diagnose.Report, error) {
	return safely(func() (*diagnose.Report, error) { return engine.Diagnose(ctx, source, at) })
}

// Examine is Diagnose for a person who asked: see [diagnose.Engine.Examine].
func Examine(ctx context.Context, engine *diagnose.Engine, source evidence.Source, at time.Time) (*diagnose.Report, error) {
	return safely(func() (*diagnose.Report, error) { return engine.Examine(ctx, source, at) })
}

func safely(run func() (*diagnose.Report, error)) (report *diagnose.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			report, err = nil, &InternalError{Fault: fault}
		}
	}()
	return run()
}

// InternalError says that a diagnosis panicked.
type InternalError struct{ Fault any }

func (e *InternalError) Error() string { return fmt.Sprintf("internal error: %v", e.Fault) }

// NotFoundError says that Argo CD shows no application of a name, and what it shows instead.
type NotFoundError struct {
	// Name and Project are what was asked for; Project is "" for any.
	Name, Project string
	// Elsewhere is the project that the application is in, "" if it is in none that is shown.
	Elsewhere string
	// Near are the names that may have been meant, the nearest first. Either these or Elsewhere are known.
	Near []string
	// Err is what Argo CD said.
	Err error
}

func (e *NotFoundError) Error() string {
	if e.Elsewhere != "" {
		return fmt.Sprintf("application %q is in project %s, not in %s", e.Name, e.Elsewhere, e.Project)
	}
	where := ""
	if e.Project != "" {
		where = " in project " + e.Project
	}
	return fmt.Sprintf("application %q not found%s; did you mean %s?", e.Name, where, strings.Join(e.Near, ", "))
}

// Unwrap is what Argo CD said.
func (e *NotFoundError) Unwrap() error { return e.Err }

// LookElsewhere finds out more about an application that could not be read. If Argo CD knows no such application, or does not show
// it to this account, it looks in other projects and for similar names. The error is a *[NotFoundError] if there are such, else
// it stays as it is.
func (c *Connection) LookElsewhere(ctx context.Context, name, namespace, project string, err error) error {
	if !isUnknown(err) {
		return err
	}
	found := &NotFoundError{Name: name, Project: project, Err: err}
	if project != "" {
		elsewhere, failed := c.App(name, namespace, "").Subject(ctx)
		if failed == nil && elsewhere.Application != nil {
			found.Elsewhere = elsewhere.Application.ProjectName()
			return found
		}
	}
	if found.Near = c.Argo.Suggest(ctx, name); len(found.Near) == 0 {
		return err
	}
	return found
}
