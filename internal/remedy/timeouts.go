package remedy

import "time"

// How long one call may take. The callers of the Gateway, the Journal and the Notifier own these limits: what is behind those
// interfaces has a limit of its own only where it has something to fall back on.
const (
	// journalTimeout is for one read or write of a Log.
	journalTimeout = 10 * time.Second
	// readTimeout is for the application alone, a Job, a right.
	readTimeout = 15 * time.Second
	// lookTimeout is for a situation, and includes that Argo CD compares with Git.
	lookTimeout = time.Minute
	// effectTimeout is for one call that changes something: what Argo CD gets to resolve a revision, to note a termination, to
	// delete a Job. It is no longer than drainFor, so that the end of the process does not break off a call, and shorter than the
	// fence of a fresh claim, so that the lease does not either.
	effectTimeout = 15 * time.Second
	// refreshTimeout is that of HardRefresh: Argo CD gives rendering a minute. It may be repeated and so may outlast a lease.
	refreshTimeout = time.Minute
	// logTimeout is for the logs of all pods of a Job, one after the other.
	logTimeout = 25 * time.Second
	// notifyTimeout is below the lease that a claim gives.
	notifyTimeout = 20 * time.Second
	// announceTimeout is for the Event.
	announceTimeout = 10 * time.Second
)
