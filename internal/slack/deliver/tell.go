package deliver

import (
	"context"
	"errors"
	"slices"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Notify brings the thread of an incident up to date: root message, details, the replies that are due, in this order.
//
// Somebody may have deleted the thread. While the incident is open it is posted again, once; when it is over, nobody wants it
// back, and what is due counts as told: but for the log of a Job that waits to be deleted until the log is saved.
func (s *Sender) Notify(ctx context.Context, i *incident.Incident, uncertain bool) (incident.Told, error) {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return incident.Told{Thread: i.Thread}, err
	}
	defer leave()
	if s.team != "" { // a channel of the same name in another workspace is not ours
		if err := s.whoAmI(ctx); err != nil {
			return incident.Told{Thread: i.Thread}, err
		}
	}
	t := &telling{Sender: s, i: i, told: incident.Told{Thread: i.Thread}, uncertain: uncertain}
	err = t.all(ctx)
	if isGone(err) {
		s.log.InfoContext(ctx, "thread of an incident was deleted", "incident", i.ID, "phase", i.Phase)
		if i.Phase != incident.Open {
			return t.letGo(err)
		}
		t.told.Thread, t.found, t.uncertain = incident.Thread{Channel: t.told.Thread.Channel}, nil, false
		err = t.all(ctx)
	}
	return t.told, err
}

// telling is one Notify on its way.
type telling struct {
	*Sender
	i         *incident.Incident
	told      incident.Told
	uncertain bool
	// found are messages of a former attempt, by number.
	found map[int]string
}

func (t *telling) all(ctx context.Context) error {
	if t.told.Thread.Channel == "" {
		id, err := t.resolve(ctx, t.i.Channel)
		if err != nil {
			return err
		}
		t.told.Thread.Channel = id
	}
	if err := t.look(ctx); err != nil {
		return err
	}
	if t.told.Thread.TS == "" && t.i.Phase == incident.Joined {
		return nil // told in the thread of another: one of its own helps nobody
	}
	if err := t.root(ctx); err != nil {
		return err
	}
	if err := t.details(ctx); err != nil {
		return err
	}
	if err := t.replies(ctx); err != nil {
		return err
	}
	t.link(ctx)
	return nil
}

func (t *telling) mark(number int) mark {
	return mark{incident: t.i.ID, number: number, since: t.i.Seen}
}

func (t *telling) thread() place { return place{t.told.Thread.Channel, t.told.Thread.TS} }

// look finds what a former attempt has told. A message that it finds may show something older: its digest is not known.
func (t *telling) look(ctx context.Context) error {
	if !t.uncertain {
		return nil
	}
	thread := &t.told.Thread
	if thread.TS == "" {
		found, err := t.find(ctx, place{channel: thread.Channel}, t.mark(incident.RootNumber))
		if err != nil {
			return err
		}
		if thread.TS = found[incident.RootNumber]; thread.TS == "" {
			return nil
		}
		thread.RootDigest = ""
	}
	if thread.DetailsTS != "" && len(t.i.Outbox) == 0 {
		return nil
	}
	found, err := t.find(ctx, t.thread(), t.mark(incident.DetailsNumber))
	if err != nil {
		return err
	}
	t.found = found
	if ts := found[incident.DetailsNumber]; thread.DetailsTS == "" && ts != "" {
		thread.DetailsTS, thread.DetailsDigest = ts, ""
	}
	return nil
}

func (t *telling) root(ctx context.Context) error {
	thread := &t.told.Thread
	return t.show(ctx, place{channel: thread.Channel}, incident.RootNumber, t.present(t.i), &thread.TS, &thread.RootDigest)
}

// present is the root message of an incident as it should be now, with the buttons of what is offered now.
func (s *Sender) present(i *incident.Incident) render.Message {
	c := render.Controls{Key: s.key}
	if r := render.Offering(i); r != nil && s.offers != nil {
		c.Offers = s.offers(r)
	}
	return render.Root(i, s.links, c)
}

func (t *telling) details(ctx context.Context) error {
	thread := &t.told.Thread
	msg := render.Details(t.i)
	err := t.show(ctx, t.thread(), incident.DetailsNumber, msg, &thread.DetailsTS, &thread.DetailsDigest)
	if isGone(err) && thread.DetailsTS != "" { // only this reply was deleted, or with it the whole thread: posting it tells
		thread.DetailsTS = ""
		err = t.show(ctx, t.thread(), incident.DetailsNumber, msg, &thread.DetailsTS, &thread.DetailsDigest)
	}
	return err
}

// show makes the message be there and show what it should.
func (t *telling) show(ctx context.Context, at place, number int, msg render.Message, ts, digest *string) error {
	want := msg.Digest()
	switch {
	case *ts == "":
		posted, err := t.post(ctx, at, t.mark(number), msg)
		if err != nil {
			return err
		}
		*ts = posted
	case *digest != want:
		if err := t.update(ctx, at.channel, *ts, t.mark(number), msg); err != nil {
			return err
		}
	}
	*digest = want
	return nil
}

// replies posts what is due, in order.
func (t *telling) replies(ctx context.Context) error {
	for _, r := range t.i.Outbox[len(t.told.Numbers):] {
		if _, there := t.found[r.Number]; !there {
			if _, err := t.post(ctx, t.thread(), t.mark(r.Number), render.Reply(r, t.key)); err != nil {
				return err
			}
		}
		t.told.Numbers = append(t.told.Numbers, r.Number)
	}
	return nil
}

// link finds the address of the thread. Without it nothing is lost: the next Notify tries again.
func (t *telling) link(ctx context.Context) {
	thread := &t.told.Thread
	if thread.Permalink != "" {
		return
	}
	err := t.call(ctx, permalink, "", func(ctx context.Context) error {
		var failed error
		thread.Permalink, failed = t.client.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: thread.Channel, Ts: thread.TS})
		return failed
	})
	if err != nil {
		t.log.WarnContext(ctx, "thread permalink not read", "incident", t.i.ID, "error", err)
	}
}

// letGo counts all that is due as told. Nobody has the log of a Job that goes by it: while its action is under way it stays
// due, and the error, which is why, lets the Job be.
func (t *telling) letGo(why error) (incident.Told, error) {
	thread := &t.told.Thread
	thread.RootDigest, thread.DetailsDigest = t.present(t.i).Digest(), render.Details(t.i).Digest()
	var kept error
	for _, r := range t.i.Outbox[len(t.told.Numbers):] {
		if r.Note != nil && r.Note.Log != "" && !t.isOver(r.Action) {
			kept = &incident.NotifyError{Code: code(why), Permanent: true, Certain: true, Err: errors.New("the thread where the log must be saved was deleted")}
			continue
		}
		t.told.Numbers = append(t.told.Numbers, r.Number)
	}
	return t.told, kept
}

// isOver reports whether an action is over by now; a reply shows it as it was.
func (t *telling) isOver(r *action.Record) bool {
	at := slices.IndexFunc(t.i.Actions, func(now *action.Record) bool { return now.ID == r.ID })
	return at < 0 || t.i.Actions[at].State.Over()
}
