package action

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/sanitize"
)

// Code is why something is refused, for metrics and tests.
type Code string

// The codes.
const (
	NotAllowed       Code = "not-allowed"   // the policy does not let this person
	NotOffered       Code = "not-offered"   // the state of the application forbids it, or makes it pointless
	NotConfirmed     Code = "not-confirmed" // the person did not say that what Plan.Confirm asks for is true
	NoRight          Code = "no-right"      // the bot's account lacks a right
	PlanChanged      Code = "changed"       // what was shown is not true any more: Plan is the new truth
	Busy             Code = "busy"          // the same is under way, asked for by somebody
	OwnRequest       Code = "own-request"   // nobody approves what they asked for
	NotApprover      Code = "not-approver"  // this person is not among the approvers
	TooLate          Code = "too-late"      // it is over: decided, expired, withdrawn
	UnknownRequest   Code = "unknown"       // there is no such record
	Unreadable       Code = "unreadable"    // Argo CD, the journal or the group could not be read: nothing was done
	Unseen           Code = "unseen"        // it changes applications that who reads it may not see
	AlreadyRequested Code = "already-asked" // this very click has a record already
)

// Refusal is why nothing is done. It is no failure of ours, and is told to the person.
type Refusal struct {
	Code Code
	// What is a sentence without its full stop.
	What sanitize.Clean
	// Could are those who could.
	Could Who
	// Plan is the new truth, of PlanChanged; Record the one that is in the way, of Busy, TooLate and AlreadyRequested.
	Plan   *Plan
	Record *Record
	Err    error
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.What) }

// Unwrap is what it came from.
func (r *Refusal) Unwrap() error { return r.Err }
