package remedy

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// App identifies an application: Argo CD instance, namespace, name.
type App = diagnose.AppName

// Kind is what can be done.
type Kind string

// The kinds. All but Mute are actions of a report, with its IDs.
const (
	HardRefresh   Kind = diagnose.ActionHardRefresh
	DeleteHookJob Kind = diagnose.ActionDeleteHookJob
	Terminate     Kind = diagnose.ActionTerminate
	Sync          Kind = diagnose.ActionSync
	Mute          Kind = "mute"
)

// Kinds are all of them, in the order in which they are listed.
var Kinds = []Kind{HardRefresh, DeleteHookJob, Terminate, Sync, Mute}

// Person is somebody in the chat. Decisions rest on the ID; the name is for people.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Who are people: users and groups of users, by ID.
type Who struct {
	Users  []string `json:"users,omitempty"`
	Groups []string `json:"groups,omitempty"`
}

// Want is what somebody wants done.
type Want struct {
	Kind Kind `json:"kind"`
	App  App  `json:"app"`
	// Target is the hook Job, of DeleteHookJob.
	Target evidence.Ref `json:"target,omitzero"`
	// Sync are the options of Sync.
	Sync SyncOptions `json:"sync,omitzero"`
	// MuteFor is how long, of Mute; 0 ends it.
	MuteFor time.Duration `json:"muteFor,omitempty"`
}

// SyncOptions are what a person chooses for a sync.
type SyncOptions struct {
	Prune  bool `json:"prune,omitempty"`
	DryRun bool `json:"dryRun,omitempty"`
	// Resources are those to be synced; none means all. Hooks do not run in a sync of selected resources.
	Resources []evidence.Ref `json:"resources,omitempty"`
	// Confirmed: the person says that what Plan.Confirm asks for is true.
	Confirmed bool `json:"confirmed,omitempty"`
}

// Place is where in the chat it was asked for, and where its history is told.
type Place struct {
	// Incident is the ID of the incident whose thread it is; "" for the thread of an answer.
	Incident string `json:"incident,omitempty"`
	Channel  string `json:"channel"`
	Thread   string `json:"thread"`
}

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
	Want
	// Project is the Argo CD project that the permission was given for.
	Project string    `json:"project,omitempty"`
	By      Person    `json:"by"`
	At      time.Time `json:"at"`
	Place   Place     `json:"place,omitzero"`
	// Click identifies what the person did in the chat: one that is delivered twice has one record.
	Click string `json:"click"`
	// Summary is what was confirmed, in a sentence: "sync 3f2a91c: 2 created, 1 changed".
	Summary string `json:"summary,omitempty"`
	// Print, Revision, UID and Operation are those of the plan that was confirmed.
	Print     string    `json:"print,omitempty"`
	Revision  string    `json:"revision,omitempty"`
	UID       string    `json:"uid,omitempty"`
	Operation time.Time `json:"operation,omitzero"`

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

// ActionLog is all that was ever asked for of one application, as far as it is remembered: the newest last.
type ActionLog struct {
	App     App       `json:"app"`
	Records []*Record `json:"records"`
	// Version is the journal's own mark of this state, for optimistic concurrency; "" for one that it does not hold.
	Version string `json:"-"`
}
