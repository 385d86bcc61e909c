package action

import (
	"errors"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Situation is all that a plan rests on, read at one moment. What could not be read is nil, and Unread says why.
type Situation struct {
	Report      *diagnose.Report
	Application *evidence.Application
	Managed     []evidence.ResourceDiff
	Windows     *evidence.SyncWindows
	// Manifests are what Git wants of the revision, hooks among them. For Sync.
	Manifests []evidence.Object
	// Moved is where Git is, if that is not where the request wants it: see [Moved].
	Moved Moved
	// ArgoNamespace is where Argo CD runs, by the application's project; empty where that was not read. For DeleteHookJob.
	ArgoNamespace string
	// Job is the live hook Job, of DeleteHookJob; nil when there is none.
	Job *Job
	// Unread are parts that could not be read: "managed resources: …".
	Unread []string
}

// Errors of whoever reads, acts and remembers.
var (
	// ErrGone: the application does not exist any more.
	ErrGone = errors.New("the application no longer exists")
	// ErrChanged: it is not what it was any more, and nothing was done.
	ErrChanged = errors.New("it has changed in the meantime")
	// ErrConflict: somebody else wrote the Log meanwhile.
	ErrConflict = errors.New("the action log was changed in the meantime")
)
