package action

import (
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

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

// Request is what somebody wants done.
type Request struct {
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
	// Commit is the revision that a person has confirmed already; "" for the newest. A record has it as its Revision: see
	// [Record.Asked].
	Commit string `json:"-"`
}

// Place is where in the chat it was asked for, and where its history is told.
type Place struct {
	// Incident is the ID of the incident whose thread it is; "" for the thread of an answer.
	Incident string `json:"incident,omitempty"`
	Channel  string `json:"channel"`
	Thread   string `json:"thread"`
}

// ConfirmedRequest is a request that a person has confirmed.
type ConfirmedRequest struct {
	Request
	By    Person
	Place Place
	// Click identifies what the person did, Fingerprint is that of the plan that was shown ("" for what needs no confirmation).
	Click, Fingerprint string
}

// Decision is what an approver says.
type Decision struct {
	App     App
	Record  string
	By      Person
	Approve bool
	// Fingerprint is that of the plan that was shown to the approver ("" for what needs no confirmation).
	Fingerprint string
	Reason      string // of a denial
}

// RemovedInstance says that an Argo CD is no longer in the configuration.
func RemovedInstance(instance string) string {
	if instance == "" { // the only one had no name
		return "Its Argo CD instance was removed from the configuration"
	}
	return "Instance " + instance + " was removed from the configuration"
}
