package remedy

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// World is one Argo CD and the clusters behind it: what can be seen of its applications, and done to them. cmd/bot makes it
// of internal/argo and internal/kube. Errors say what to do. They may quote what comes from outside: they are cleaned here before
// they are told.
type World interface {
	// Look reads all that a plan rests on. For Sync it has Argo CD compare with Git first, so that the revision is the newest.
	// The error is ErrGone when there is no such application.
	Look(ctx context.Context, w Want) (*Situation, error)
	// Application reads the application alone, as it stands.
	Application(ctx context.Context, app App) (*evidence.Application, error)

	// HardRefresh has Argo CD render and compare anew. It returns when that is done, or the error of what did not come.
	HardRefresh(ctx context.Context, app App) error
	// Terminate ends the running operation, if it is still the one that began then: else ErrChanged.
	Terminate(ctx context.Context, app App, startedAt time.Time) error
	// Sync starts an operation and returns what Argo CD accepted: its revision.
	Sync(ctx context.Context, app App, call SyncCall) (revision string, err error)
	// JobLog is the tail of the logs of the Job's pods, newest pod last. The error is evidence.ErrAbsent when there is none; every
	// other one means that there may be one.
	JobLog(ctx context.Context, app App, job Job) (string, error)
	// DeleteJob deletes exactly the Job of that UID: ErrChanged when there is none or another one. way says through whom:
	// "Kubernetes" (with a precondition), or "Argo CD" (after a look, where the cluster is not reachable).
	DeleteJob(ctx context.Context, app App, job Job) (way string, err error)
	// Job reads the Job as it is now; nil when there is none of that UID.
	Job(ctx context.Context, app App, job Job) (*Job, error)
	// Announce writes a Kubernetes Event on the Application.
	Announce(ctx context.Context, app App, e Event) error
	// Lacks says which right the bot's own account lacks for a kind of action on an application, and what gives it ("add to
	// policy.csv …"); "" when it lacks none. Of kinds other than DeleteHookJob the answer is the same for all of a project: then only the instance of the
	// application counts.
	Lacks(ctx context.Context, kind Kind, app App, project string) (string, error)
}

// Errors of a World and a Journal.
var (
	// ErrGone: the application does not exist any more.
	ErrGone = errors.New("the application is gone")
	// ErrChanged: it is not what it was any more, and nothing was done.
	ErrChanged = errors.New("it has changed meanwhile")
	// ErrConflict: somebody else wrote the ActionLog meanwhile.
	ErrConflict = errors.New("the action log was changed meanwhile")
)

// Situation is all that a plan rests on, read at one moment. What could not be read is nil, and Unread says why.
type Situation struct {
	Report      *diagnose.Report
	Application *evidence.Application
	Managed     []evidence.ResourceDiff
	Windows     *evidence.SyncWindows
	// Manifests are what Git wants of the revision, hooks among them. For Sync.
	Manifests []evidence.Object
	// Job is the live hook Job, of DeleteHookJob; nil when there is none.
	Job *Job
	// Unread are parts that could not be read: "managed resources: …".
	Unread []string
}

// Job is a live Job, as far as it matters whether it may be deleted.
type Job struct {
	Ref evidence.Ref `json:"ref"`
	UID string       `json:"uid"`
	// Hook is the value of its hook annotation ("PreSync"), "" if it has none. TrackedBy is the application that Argo CD's
	// tracking annotation or label names, "" if none.
	Hook      string `json:"hook,omitempty"`
	TrackedBy string `json:"trackedBy,omitempty"`
	// Active is the number of its pods that are not finished; Finished is its condition, Complete or Failed, "" while it has
	// none.
	Active   int    `json:"active,omitempty"`
	Finished string `json:"finished,omitempty"`
	// Deleting: its deletion was asked for already.
	Deleting bool `json:"deleting,omitempty"`
}

// SyncCall is a sync as Argo CD is asked for it.
type SyncCall struct {
	SyncOptions
	// Revision is the commit that was shown. Where auto-sync is on Argo CD takes none but the target revision: then the World
	// compares what it accepted.
	Revision string
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

// Event is a Kubernetes Event on an Application.
type Event struct {
	// Record makes its name, so that it is written once.
	Record string
	// Reason is one word, like ArgoWhySync; Warning is its type, else Normal.
	Reason, Message string
	Warning         bool
	At              time.Time
}

// Journal keeps the ActionLogs. internal/kube keeps them as custom resources, internal/remedy/bolt in a file;
// internal/remedy/journaltest is what both must do. It is safe for parallel use.
type Journal interface {
	// Get returns the log of an application: an empty one with the Version "" when there is none.
	Get(ctx context.Context, app App) (*ActionLog, error)
	// Put creates or replaces the log, and sets its Version. If somebody else was faster nothing is changed and the error is
	// ErrConflict.
	Put(ctx context.Context, l *ActionLog) error
	// List returns all logs that can be read, ordered by application, along with an error that names each other one: one that is
	// damaged must not stop what is done about all the rest. Where none could be looked at the logs are nil.
	List(ctx context.Context) ([]*ActionLog, error)
}

// Teller brings what happens to people.
type Teller interface {
	// Tell puts a note into the place of the record, once: told again (by record and number), it does nothing. It returns when
	// the note stands in the chat.
	Tell(ctx context.Context, r *Record, n Note) error
	// Show brings the record as it is now into the incident that it was asked for in, where there is one: its root message,
	// its status. It returns at once.
	Show(r *Record)
	// Mute silences the incident of the application, or ends that (until is zero). It reports false when there is none.
	Mute(app App, by Person, until time.Time) bool
	// Look has the application looked at soon, for its incident.
	Look(app App)
	// Redraw has what is shown of the incidents of an Argo CD drawn anew: other actions are offered than before.
	Redraw(instance string)
}

// Members knows who is in a group. An answer must not be old: who cannot be asked about is no member.
type Members interface {
	Members(ctx context.Context, group string) ([]string, error)
}
