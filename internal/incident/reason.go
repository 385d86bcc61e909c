package incident

// Reason says why an incident was, or was not, told of.
type Reason string

// The reasons of a decision.
const (
	// Nothing: all is as it was told.
	Nothing Reason = "nothing"
	// Waiting: it fails, for too short a time to tell anybody.
	Waiting Reason = "waiting"
	// Passed: it was well again before anybody was told.
	Passed Reason = "passed"
	// Opened: it has failed for long enough.
	Opened Reason = "opened"
	// CauseChanged: it fails of something else now.
	CauseChanged Reason = "cause-changed"
	// EvidenceChanged: the same cause, and what shows it is not what it was.
	EvidenceChanged Reason = "evidence-changed"
	// SeenMeanwhile: it is seen to fail of something else, for too short a time or while somebody syncs it.
	SeenMeanwhile Reason = "seen-meanwhile"
	// Holding: it is well, for too short a time to call it recovered.
	Holding Reason = "holding"
	// RecoveredNow: it has been well for long enough.
	RecoveredNow Reason = "recovered"
	// Deleted: the application is gone.
	Deleted Reason = "deleted"
	// Over: no application of an outage fails of its cause any more, and none is well: they fail of others, or are gone.
	Over Reason = "over"
	// Unwatched: its Argo CD is no longer in the configuration.
	Unwatched Reason = "unwatched"
	// Removed: the connection that failed is no longer in the settings of Argo CD.
	Removed Reason = "removed"
	// Unneeded: no application depends on the connection now; it may still fail.
	Unneeded Reason = "unneeded"
	// Reopened: the same cause came back soon.
	Reopened Reason = "reopened"
	// Reminder: it has failed for so long that it is worth saying again.
	Reminder Reason = "reminder"
	// Unmuted: a mute has ended before its time.
	Unmuted Reason = "unmuted"
	// Grouped: it goes on in the thread of the outage that it is a part of.
	Grouped Reason = "grouped"
	// Elsewhere: the same cause is posted in another channel, too.
	Elsewhere Reason = "elsewhere"
	// MembersChanged: applications joined the outage, or left it.
	MembersChanged Reason = "members-changed"
	// Listed: it failed already when the bot began to watch, so that it is listed and has no thread.
	Listed Reason = "listed"
	// Acted: somebody asked for an action, or something became of one.
	Acted Reason = "acted"
)
