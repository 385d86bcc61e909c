package incident

import "time"

// Policy says when an incident is worth a message. It comes from the configuration.
type Policy struct {
	// Shard is the part of all applications that it is for.
	Shard Shard
	// OpenAfter is how long an application must fail of a rule before people are told.
	OpenAfter func(rule string) time.Duration
	// Ignored are rules that never open a thread.
	Ignored func(rule string) bool
	// Channel is where incidents of an application go.
	Channel func(app App, project string) string
	// Route is the place of an application's route in the configuration: of failures that wait to be posted, those of an earlier one go first.
	// Nil where there are none.
	Route func(app App, project string) int
	// ConnectionChannel is where incidents go that begin with a connection of Argo CD, before applications fail of it.
	ConnectionChannel string
	// HoldFor is how long an application must be well before it counts as recovered.
	HoldFor time.Duration
	// ReopenWithin is how long after a recovery the same cause goes on in the same thread.
	ReopenWithin time.Duration
	// RemindAfter is how long after the last word people hear that it still fails; 0 is never.
	RemindAfter time.Duration
	// GroupFrom is how many applications with one shared cause make an outage; 0 is never.
	GroupFrom int
	// GatherFor is how long a cause that others may share waits for them, before it is told as one application's.
	GatherFor time.Duration
	// QuietAfter is how long nobody must have watched an Argo CD for its failures to be listed instead of told one by one; 0 is
	// never.
	QuietAfter time.Duration
	// KeepFor is how long the journal remembers an incident that is over.
	KeepFor time.Duration
}
