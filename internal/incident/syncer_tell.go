package incident

import (
	"context"
	"errors"
	"hash/fnv"
	"time"
)

// line is that of a channel, with a worker of its own: a channel that cannot be posted to holds up no other.
func (s *Syncer) line(channel string) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lines[channel]
	if l == nil {
		l = newLine()
		s.lines[channel] = l
		if s.closing {
			l.close()
		}
		s.notifiers.Go(func() { s.serve(channel, l) })
	}
	return l
}

// serve tells what waits in a line, one message after the other, until the line is closed and done.
func (s *Syncer) serve(channel string, l *line) {
	dues := func(id string) []Due { return s.Store.dues(id, channel) }
	room := func(why Due) time.Duration { return s.Notifier.Room(channel, why) }
	for s.ctx.Err() == nil {
		id, why, wait, ok := l.next(dues, s.Store.importance, room)
		switch {
		case !ok:
			return
		case id != "":
			s.tell(channel, l, id, why)
		default:
			l.rest(s.ctx, wait)
		}
	}
}

// tell tells one message of an incident, or brings those that stand up to date.
func (s *Syncer) tell(channel string, l *line, id string, why Due) {
	t, ok := s.Store.toTell(id, channel)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, tellTimeout)
	defer cancel()
	told, err := s.Notifier.Notify(ctx, t.Incident, why, t.uncertain)
	s.Touch(s.Store.tellResult(t, why, told, err, time.Now())...)
	known := asNotifyError(err)
	if known != nil && known.early() {
		l.again(id, known.After)
		return
	}
	s.Metrics.told(err)
	if t.Digest != nil && t.Thread.TS == "" && told.Thread.TS != "" {
		s.Metrics.digest("posted")
	}
	switch {
	case err == nil && !told.Gone && (told.All || why.Edit() || told.Thread != t.Thread || len(told.Numbers) > 0):
	case err == nil: // a thread that is deleted again and again is not posted again and again
		l.failed(id, &NotifyError{})
	case known.Permanent:
		s.Log.Error("incident cannot be posted until someone fixes the cause", "incident", id, "channel", channel, "code", known.Code, "error", err)
		l.again(id, repairRetry)
	default:
		s.Log.Warn("incident not posted, will try again", "incident", id, "channel", channel, "error", err)
		l.failed(id, known)
	}
}

// asNotifyError is what is known of an error; nil for none.
func asNotifyError(err error) *NotifyError {
	var known *NotifyError
	if err != nil && !errors.As(err, &known) {
		known = &NotifyError{Err: err}
	}
	return known
}

// posting writes down that a message is about to be posted, so that whoever comes after a crash knows that it may still appear. It is known by
// the ID that its messages carry.
func (s *Syncer) posting(ctx context.Context, posted string, number int) error {
	id := s.Store.entryOf(posted)
	defer s.alone(id)()
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	t, ok := s.Store.toPost(id, Posting{Number: number, At: time.Now()})
	if !ok {
		return nil
	}
	err := s.Journal.Put(ctx, t.Incident)
	if err == nil {
		s.Store.toBePosted(t)
	} else {
		err = s.conflict(ctx, t, err)
	}
	s.Metrics.saved(err)
	return err
}

// alone waits until nobody writes an entry, and has others wait until its end.
func (s *Syncer) alone(id string) (end func()) {
	sum := fnv.New32a()
	sum.Write([]byte(id))
	lock := &s.writing[sum.Sum32()%uint32(len(s.writing))]
	lock.Lock()
	return lock.Unlock
}
