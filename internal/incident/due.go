package incident

import (
	"github.com/argo-why/argo-why/internal/diagnose"
)

// Due is why Slack has to hear of an incident: the more urgent, the smaller. Slack takes about a message a second in a channel
// and fifty edits a minute in all, so that with many incidents open most of them wait for something.
type Due int

// The reasons, in the order in which they are served. Posts and edits have limits of their own: edits use what time there is between
// posts, and never keep one waiting.
const (
	// NewRoot: nobody knows of the failure yet.
	NewRoot Due = iota + 1
	// Response: a person waits for a reply: what became of an action.
	Response
	// History: other replies are due, the evidence of a new incident among them.
	History
	// Correction: the thread says something that no longer holds (see claim), or shows a button that no longer works.
	Correction
	// Refresh: all else that a message shows and that has changed.
	Refresh
)

// Edit reports whether it is about messages that stand already.
func (d Due) Edit() bool { return d >= Correction }

// post is why a new message is due in the thread; 0 when none is.
func (e *entry) post() Due {
	if e.Thread.TS == "" {
		return NewRoot
	}
	why := Due(0)
	if e.Thread.DetailsTS == "" && e.Failure() {
		why = History
	}
	for _, r := range e.onRecord.Outbox {
		switch {
		case !due(e.Outbox, r.Number):
		case r.Note != nil:
			return Response
		default:
			why = History
		}
	}
	return why
}

// claim is what a root message says that people act on: it is put right before anything else is edited.
type claim struct {
	phase    Phase
	cause    string
	headline string
	verdict  diagnose.Verdict
	sync     diagnose.SyncVerdict
	newer    bool // a commit that may contain the fix
	interim  bool // the advice on a sync is out of sight
	muted    bool
	actions  string
	link     string
}

func (i *Incident) claim() claim {
	c := claim{phase: i.Phase, cause: i.Cause.Key, headline: settled(headline(i.Report)), interim: i.Interim != nil, muted: i.Silenced() != nil, link: i.JoinedLink}
	if i.Report != nil {
		c.verdict, c.sync, c.newer = i.Report.Verdict, i.Report.Sync.Verdict, i.Report.Sync.Newer != ""
	}
	for _, r := range i.Actions { // what still waits for approval, and what is being done
		c.actions += r.ID + " " + string(r.State) + "\n"
	}
	return c
}

// dues are the reasons why an incident has something to post in a channel, the most urgent first; none when everything is posted.
func (s *Store) dues(id, channel string) []Due {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || !e.tellable(channel) {
		return nil
	}
	edit := Correction
	if e.shown == e.claimed {
		edit = Refresh
	}
	switch post := e.post(); {
	case post == 0:
		return []Due{edit}
	case post == NewRoot, e.edited >= e.saved: // there is nothing to edit
		return []Due{post}
	default:
		return []Due{post, edit}
	}
}

// tellable reports whether there is something to tell in that channel.
func (e *entry) tellable(channel string) bool { return e.untold() && e.onRecord.Channel == channel }

// urgent reports whether nobody knows of an incident yet: its entry in the journal is written before others.
func (s *Store) urgent(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	return e != nil && e.Phase == Open && e.Thread.TS == ""
}
