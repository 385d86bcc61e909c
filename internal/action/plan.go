package action

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Plan is what would happen: what a person is shown before it is confirmed, and what must still be true when it is done.
type Plan struct {
	Request
	Project string
	// Destination is the cluster and the namespace that the application goes to.
	Destination evidence.Destination
	// RefusedBecause says why it cannot be done now; "" when it can. The rest is filled in as far as it is known.
	RefusedBecause string
	// Steps are what will be done, in order, a sentence each: "Terminate the sync that began at 02:51", "Delete Job db-migrate".
	Steps []string
	// Needs are further kinds that the person must be allowed, because they are part of it.
	Needs []Kind
	// Approval are those of whom somebody else has to agree; nil where none is needed.
	Approval *Who
	// Why is why the report offers it.
	Why string

	// Of Sync: the exact revision (a commit, or versions of several sources joined by ", "), the verdict of the report and its
	// reason, what changes (what loses data first), which hooks will run, what differs and is ignored.
	Revision string
	Verdict  diagnose.SyncVerdict
	Reason   string
	Changes  []Change
	Hooks    []Hook
	Ignored  []string
	// Moved is where Git is by now, where that is not Revision: see [Moved].
	Moved Moved
	// Newer is the commit in Git that may contain the fix, as the report names it.
	Newer string
	// Confirm is what the person has to say is true, because nobody else can know: "the cause is fixed". "" for nothing. It is
	// the Once of the report's action.
	Confirm string
	// Notes are further things to know: that auto-sync is on, that the comparison may be old, what could not be read.
	Notes []string

	// Job is the one that DeleteHookJob deletes.
	Job *Job
	// Operation is when the operation that is terminated began.
	Operation time.Time
	// Fingerprint is equal for plans that show the same: revision, changes, hooks, operation, window, what is confirmed and of which
	// cause, auto-sync, retries, Job. It does not depend on the options
	// of a sync, and is "" for what needs no confirmation.
	Fingerprint string

	// built is when, for the date of what was not today, and application what it was built of.
	built       time.Time
	application *evidence.Application
}

// Effect is what a sync does to a resource.
type Effect string

// The effects, the gravest first.
const (
	Pruned    Effect = "pruned"
	Recreated Effect = "recreated"
	Replaced  Effect = "replaced"
	Changes   Effect = "changed"
	Created   Effect = "created"
	// Kept: it is not in Git any more and stays, as prune is off or forbidden.
	Kept Effect = "kept"
)

// Change is what a sync does to one resource.
type Change struct {
	Ref    evidence.Ref `json:"ref"`
	Effect Effect       `json:"effect"`
	// HoldsData: losing it loses data.
	HoldsData bool `json:"data,omitempty"`
	// Fields are the paths that change, at most a few and then "7 more"; of what is kept or pruned, the reason: [PruneOff],
	// "Prune=false", "Prune=confirm".
	Fields []string `json:"fields,omitempty"`
}

// Hook is one that a sync runs.
type Hook struct {
	Ref   evidence.Ref
	Phase string // PreSync, Sync, PostSync, SyncFail
	Wave  int
}
