package incident

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// Notifier brings the thread of an incident up to date, message by message: the root message, the details, the replies of the
// outbox in order; and edits those that show something else by now.
type Notifier interface {
	// Begin is called before the first Notify of a [Syncer.Run]: what was found out before may not be true any more, since another process
	// may have posted meanwhile. channels are the IDs of channels that were posted in, by what the configuration called them then: they
	// may have another name by now. posting writes down that a message of an incident is about to be posted: where it cannot, nothing is.
	Begin(channels map[string]string, posting func(ctx context.Context, id string, number int) error)
	// Room is how long until there is room in a channel for what is due for that reason: 0 is now.
	Room(channel string, why Due) time.Duration
	// Notify tells what is due for that reason, if there is room now: one new message, or all edits. Else the error says when to come
	// again. It returns what was told, also along with an error: what was told before it. uncertain says that a former attempt
	// may have told some of it: then it looks for the messages (by their metadata) before it posts them. One that was being posted
	// ([Incident.Posting]) may still appear, and is not repeated until it cannot. The incident is the caller's and must not be changed.
	//
	// Errors that are no *NotifyError are worth another attempt.
	Notify(ctx context.Context, i *Incident, why Due, uncertain bool) (Told, error)
}

// Told is what stands in Slack now.
type Told struct {
	Thread Thread
	// Numbers are those of the replies that were posted, or found to be there.
	Numbers []int
	// All: the thread shows everything about this state of the incident, or it is no longer worth showing.
	All bool
	// Gone: somebody has deleted the thread of an incident that is open. It is to be told in a new one.
	Gone bool
}

// NotifyError is a failure to tell that its cause is known of.
type NotifyError struct {
	// Code is Slack's own: channel_not_found, is_archived, ratelimited.
	Code string
	// Permanent: another attempt fails as well until a person repairs something. Remedy says what.
	Permanent bool
	Remedy    string
	// After is when to try again, where Slack said so, or where that is known.
	After time.Duration
	// Within is how long the next attempt may wait at most; 0: as long as the failures before it say.
	Within time.Duration
	// Certain: Slack refused, so that nothing was posted by this attempt.
	Certain bool
	Err     error
}

// early reports whether there was only no room: nothing is wrong, and nothing was tried that could have an effect.
func (e *NotifyError) early() bool { return e.After > 0 && e.Certain && !e.Permanent }

// Error is one line: what Slack said, and what to do.
func (e *NotifyError) Error() string {
	if e.Remedy != "" {
		return fmt.Sprintf("post: %v; %s", e.Err, e.Remedy)
	}
	return fmt.Sprintf("post: %v", e.Err)
}

// Unwrap is what the connection or Slack said.
func (e *NotifyError) Unwrap() error { return e.Err }

// Reader reads and diagnoses an application.
type Reader interface {
	// Read returns its report, clean of secrets. The error is ErrGone when Argo CD says that there is no such application;
	// any other error says nothing about the application.
	Read(ctx context.Context, app App) (*diagnose.Report, error)
}

// ErrGone says that the application no longer exists, whoever reads it: for a diagnosis or for an action.
var ErrGone = action.ErrGone
