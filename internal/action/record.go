package action

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// State is how far a record is.
type State string

// The states. From Done on it is over.
const (
	// Waiting for somebody else's approval.
	Waiting State = "Waiting"
	// Ready to be done by whoever is first.
	Ready State = "Ready"
	// Running: Holder does it.
	Running State = "Running"
	// Done: what was wanted has happened.
	Done State = "Done"
	// Failed: it was tried, and Argo CD or the cluster refused or failed. Also a sync that began and failed.
	Failed State = "Failed"
	// Changed: what was shown when it was confirmed was not true any more, so nothing was done.
	Changed State = "Changed"
	// Denied by an approver, or taken back by who asked.
	Denied State = "Denied"
	// Expired: nobody approved it in time.
	Expired State = "Expired"
	// Withdrawn: while it waited for approval, the application changed, or somebody who needs none asked for it. Result says which.
	Withdrawn State = "Withdrawn"
	// Interrupted: the bot ended in the middle. Result says what is known.
	Interrupted State = "Interrupted"
)

// Over reports whether nothing more will happen.
func (s State) Over() bool { return s != Waiting && s != Ready && s != Running }

// Step is what a running record is about to do, or does. It is written before it is done.
type Step string

// The steps.
const (
	StepCheck     Step = "check"     // plan anew, and compare
	StepLogs      Step = "logs"      // save the logs of the Job into the thread
	StepTerminate Step = "terminate" // end the operation, and wait until it has ended
	StepDelete    Step = "delete"
	StepDryRun    Step = "dry-run"
	StepSync      Step = "sync" // start the sync
	StepFollow    Step = "follow"
	StepRefresh   Step = "refresh"
	StepMute      Step = "mute"
)

// Record is one action that was asked for: the entry of the audit. All texts in it are clean of secrets.
type Record struct {
	// ID is a DNS label, unique for ever.
	ID string `json:"id"`
	Request
	// Project is the Argo CD project that the permission was given for.
	Project string    `json:"project,omitempty"`
	By      Person    `json:"by"`
	At      time.Time `json:"at"`
	Place   Place     `json:"place,omitzero"`
	// Click identifies what the person did in the chat: one that is delivered twice has one record.
	Click string `json:"click"`
	// Summary is what was confirmed, in a sentence: "sync 3f2a91c (2 created, 1 changed)".
	Summary string `json:"summary,omitempty"`
	// Shown is what of the plan whoever has to approve it reads in the request; nil where nobody has to.
	Shown *Shown `json:"shown,omitempty"`
	// Fingerprint, Revision, UID and Operation are those of the plan that was confirmed.
	Fingerprint string    `json:"print,omitempty"`
	Revision    string    `json:"revision,omitempty"`
	UID         string    `json:"uid,omitempty"`
	Operation   time.Time `json:"operation,omitzero"`
	// Before is when the last operation began that Argo CD knew of when the plan was confirmed; zero where there was none, and of a
	// record of a former release.
	Before time.Time `json:"before,omitzero"`

	State State `json:"state"`
	Step  Step  `json:"step,omitempty"`
	// Approval is nil where none is needed.
	Approval *Approval `json:"approval,omitempty"`
	// Holder is the process that does it, until Lease; after that another one may find out what became of it.
	Holder string    `json:"holder,omitempty"`
	Lease  time.Time `json:"lease,omitzero"`
	// Started and Ended are when it was begun to be done, and when it was over.
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	// Result is what came of it, a sentence or two.
	Result string `json:"result,omitempty"`
	// Notes are what is still to be told of it, in order. LastNote is the number of the last one ever made.
	Notes    []Note `json:"notes,omitempty"`
	LastNote int    `json:"lastNote,omitempty"`
}

// Approval is by somebody else.
type Approval struct {
	// From are those who may give it.
	From Who `json:"from"`
	// Expires is when nobody may give it any more.
	Expires time.Time `json:"expires"`
	// By is who decided, and At when; Reason is why it was denied.
	By     Person    `json:"by,omitzero"`
	At     time.Time `json:"at,omitzero"`
	Reason string    `json:"reason,omitempty"`
}

// Note is a line of history that is to be told once. It is told at the latest after the next start.
type Note struct {
	Number int       `json:"number"`
	State  State     `json:"state"`
	Step   Step      `json:"step,omitempty"`
	At     time.Time `json:"at"`
	// Text is what there is to say beside who, what and State: the result, the reason, the new truth.
	Text string `json:"text,omitempty"`
	// Log is the tail of a log that is about to be lost, and From whose.
	Log  string `json:"log,omitempty"`
	From string `json:"from,omitempty"`
}

// How long a record is held by a process that says nothing, and how much later somebody else takes it: clocks differ.
const (
	LeaseFor   = 30 * time.Second
	leaseGrace = 10 * time.Second
)

// Asked is the request as it was confirmed: a sync is one of that revision, whatever is committed later.
func (r *Record) Asked() Request {
	req := r.Request
	if req.Kind == Sync {
		req.Sync.Commit = r.Revision
	}
	return req
}

// Free reports whether somebody may work on the record: nobody else does, or has fallen silent.
func (r *Record) Free(holder string, now time.Time) bool {
	return r.Lease.IsZero() || holder != "" && r.Holder == holder || now.After(r.Lease.Add(leaseGrace))
}

// Hold makes the record a process's own for LeaseFor.
func (r *Record) Hold(holder string, now time.Time) { r.Holder, r.Lease = holder, now.Add(LeaseFor) }

// AddNote adds a line of history, with the next number and the present state and step.
func (r *Record) AddNote(n Note) {
	r.LastNote++
	n.Number, n.State, n.Step = r.LastNote, r.State, r.Step
	r.Notes = append(r.Notes, n)
}

// Settles reports whether a note says what became of a request for approval: it is the one that follows the request.
func (r *Record) Settles(n Note) bool { return r.Approval != nil && n.Number == 2 }

// Delivered takes a note that people have seen from the record, and lets go of the record with the last one. It reports
// whether there was a note of that number.
func (r *Record) Delivered(number int) bool {
	i := slices.IndexFunc(r.Notes, func(n Note) bool { return n.Number == number })
	if i < 0 {
		return false
	}
	r.Notes = slices.Concat(r.Notes[:i], r.Notes[i+1:])
	if len(r.Notes) == 0 && r.State != Running {
		r.Lease = time.Time{}
	}
	return true
}

// End ends the record: in which state, and what there is to say.
func (r *Record) End(state State, result sanitize.Clean, now time.Time) {
	r.State, r.Result, r.Ended = state, string(result), now
	r.AddNote(Note{At: now, Text: r.Result})
}

// Yields reports whether a live record makes way: what waits for an approval that may never come does not keep out whoever
// needs none.
func (r *Record) Yields(needsApproval bool) bool { return !needsApproval && r.State == Waiting }

// MovedTo says in a sentence that the application is in another project than when it was confirmed: other people may do things to it, and
// see it. It is "" where it is not.
func (r *Record) MovedTo(project string) string {
	if r.Project == "" || project == r.Project {
		return ""
	}
	return fmt.Sprintf("The application was moved from project %s to project %s.", sanitize.Name(r.Project), sanitize.Name(project))
}

// Diff says in a sentence what is no longer as it was confirmed; "" when all is.
func (r *Record) Diff(now *Plan) string {
	switch {
	case now.RefusedBecause == "" && now.Fingerprint == r.Fingerprint:
		return ""
	case r.Overtaken(now.application, now.built) != "":
		return r.Overtaken(now.application, now.built)
	case now.RefusedBecause != "":
		return "Not possible now: " + text.Sentence(now.RefusedBecause)
	case r.MovedTo(now.Project) != "":
		return r.MovedTo(now.Project)
	case now.Revision != r.Revision:
		return fmt.Sprintf("Git moved on from %s to %s, which changes what is synced. The plan would now be: %s", text.Revisions(r.Revision), text.Revisions(now.Revision), text.Sentence(now.Summary()))
	}
	return "The plan would now be: " + text.Sentence(now.Summary())
}
