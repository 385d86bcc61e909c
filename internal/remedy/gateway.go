package remedy

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Gateway is one Argo CD and the clusters behind it: what can be seen of its applications, and done to them. internal/gateway makes it
// of internal/argo and internal/kube. Errors say what to do. They may quote what comes from outside: they are cleaned here
// before people see them.
type Gateway interface {
	// Look reads all that a plan rests on. For Sync it has Argo CD compare with Git first, so that the revision is the newest; or
	// the one that was confirmed before ([action.SyncOptions]), while the newest wants the same of the application: see
	// [action.Moved]. The error is ErrGone when there is no such application.
	Look(ctx context.Context, w action.Request) (*action.Situation, error)
	// Application reads the application alone, as it stands.
	Application(ctx context.Context, app action.App) (*evidence.Application, error)

	// HardRefresh has Argo CD render and compare again. It returns when that is done, or the error of what did not come.
	HardRefresh(ctx context.Context, app action.App) error
	// Terminate ends the running operation, if it is still the one that began then: else ErrChanged.
	Terminate(ctx context.Context, app action.App, startedAt time.Time) error
	// Sync starts an operation and returns what Argo CD accepted: its revision.
	Sync(ctx context.Context, app action.App, call SyncCall) (revision string, err error)
	// JobLog is the tail of the logs of the Job's pods, newest pod last. The error is evidence.ErrAbsent when there is none; every
	// other one means that there may be one.
	JobLog(ctx context.Context, app action.App, job action.Job) (string, error)
	// DeleteJob deletes exactly the Job of that UID: ErrChanged when there is none or another one. way says through whom:
	// "Kubernetes" (with a precondition), or "Argo CD" (after a look, where the cluster is not reachable).
	DeleteJob(ctx context.Context, app action.App, job action.Job) (way string, err error)
	// Job reads the Job as it is now; nil when there is none of that UID.
	Job(ctx context.Context, app action.App, job action.Job) (*action.Job, error)
	// Announce writes a Kubernetes Event on the Application.
	Announce(ctx context.Context, app action.App, e action.Event) error
	// Lacks says which right the bot's own account lacks for a kind of action on an application, and what gives it ("add to
	// policy.argo-why-actions.csv …"); "" when it lacks none. Of kinds other than DeleteHookJob the answer is the same for all of a project: then only the instance of the
	// application counts.
	Lacks(ctx context.Context, kind action.Kind, app action.App, project string) (string, error)
}

// SyncCall is a sync as Argo CD is asked for it.
type SyncCall struct {
	action.SyncOptions
	// Revision is the commit that was shown. Where auto-sync is on Argo CD takes none but the target revision: then the Gateway
	// compares what it accepted.
	Revision string
	// Exactly: Git has moved on, so that the target revision is known to be another commit: it must not be taken.
	Exactly bool
	// Info is written into the operation and shown by Argo CD, in this order.
	Info []Info
}

// Info is one entry of a sync operation's `info`.
type Info struct{ Name, Value string }

// The names of the infos.
const (
	InfoRequest  = "argo-why"             // the ID of the record
	InfoBy       = "argo-why/by"          // "dana (U0123)"
	InfoApproved = "argo-why/approved-by" // "erin (U0456)"
)

// Notifier brings what happens to people.
type Notifier interface {
	// Notify puts a note into the place of the record, once: called again with the same record and number, it does nothing. It
	// returns when the note stands in the chat.
	Notify(ctx context.Context, r *action.Record, n action.Note) error
	// Show brings the record as it is now into the incident that it was asked for in, where there is one: its root message,
	// its status. It returns at once.
	Show(r *action.Record)
	// Redraw has what is shown of the incidents of an Argo CD drawn again: other actions are offered than before.
	Redraw(instance string)
}
