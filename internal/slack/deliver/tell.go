package deliver

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Notify tells one message of the thread of an incident, or brings those that stand up to date: see [incident.Notifier].
//
// Somebody may have deleted the thread. While the incident is open it is told in a new one; when it is over, nobody wants it
// back, and what is due counts as told: but for the log of a Job that waits to be deleted until the log is saved.
func (t *Threads) Notify(ctx context.Context, i *incident.Incident, why incident.Due, uncertain bool) (incident.Told, error) {
	ctx, leave, err := t.enter(ctx)
	if err != nil {
		return incident.Told{Thread: i.Thread}, err
	}
	defer leave()
	who := t.readers(ctx, i.Channel)
	now := &telling{caller: t.caller(why), i: i, who: who, seen: posted.To(who, i), told: incident.Told{Thread: i.Thread}, uncertain: uncertain}
	if t.team != "" { // a channel of the same name in another workspace is not ours
		if err := now.whoAmI(ctx); err != nil {
			return now.told, err
		}
	}
	err = now.tell(ctx)
	if isGone(err) {
		t.log.InfoContext(ctx, "thread of an incident was deleted", "incident", i.ID, "phase", i.Phase)
		switch {
		case i.Phase == incident.Open:
		case code(err) == notOurs: // and it says something that no longer holds
			return now.told, now.counted(&incident.NotifyError{
				Code: notOurs, Permanent: true, Certain: true, Remedy: "Slack does not let the bot edit its message; allow it, or delete the message", Err: err,
			})
		default:
			return now.letGo(err)
		}
		now.told.Thread, now.told.Gone = incident.Thread{Channel: now.told.Thread.Channel}, true
		return now.told, nil
	}
	return now.told, err
}

// telling is one Notify on its way.
type telling struct {
	caller
	i *incident.Incident
	// who reads its channel, and seen is what they see of it.
	who       audience.Audience
	seen      posted.Incident
	told      incident.Told
	uncertain bool
}

func (t *telling) tell(ctx context.Context) error {
	thread := &t.told.Thread
	if thread.Channel == "" {
		id, err := t.resolve(ctx, t.i.Channel)
		if err != nil {
			return err
		}
		thread.Channel = id
	}
	if err := t.look(ctx); err != nil {
		return err
	}
	if thread.TS == "" && t.i.Phase == incident.Joined {
		if err := t.open(t.mark(incident.RootNumber)); err != nil { // it would say for ever that it fails
			return err
		}
		t.told.All = true // told in the thread of another: one of its own helps nobody
		return nil
	}
	root, details := t.present(), t.evidence()
	if err := t.due(ctx, root, details); err != nil {
		return err
	}
	t.link(ctx)
	t.told.All = thread.TS != "" && thread.RootDigest == root.Digest() && t.detailed(details) && len(t.outbox()) == 0
	return nil
}

// detailed reports whether the first reply shows what it should, if there is one.
func (t *telling) detailed(details render.Message) bool {
	thread := t.told.Thread
	return details.Text == "" || thread.DetailsTS != "" && thread.DetailsDigest == details.Digest()
}

// due tells what is due for the reason.
func (t *telling) due(ctx context.Context, root, details render.Message) error {
	thread := &t.told.Thread
	switch {
	case t.why.Edit():
		if err := t.edit(ctx, incident.RootNumber, root, thread.TS, &thread.RootDigest); err != nil {
			return err
		}
		err := t.edit(ctx, incident.DetailsNumber, details, thread.DetailsTS, &thread.DetailsDigest)
		if isGone(err) { // only this reply was deleted, or with it the whole thread: posting it tells
			thread.DetailsTS = ""
			return nil
		}
		return err
	case thread.TS == "":
		return t.first(ctx, place{channel: thread.Channel}, incident.RootNumber, root, &thread.TS, &thread.RootDigest)
	case t.why == incident.NewRoot: // it was there already
		return nil
	case thread.DetailsTS == "" && details.Text != "":
		return t.first(ctx, t.thread(), incident.DetailsNumber, details, &thread.DetailsTS, &thread.DetailsDigest)
	}
	return t.reply(ctx)
}

func (t *telling) mark(number int) mark {
	return mark{incident: t.i.PostedID(), number: number, since: t.i.Seen}
}

func (t *telling) thread() place { return place{t.told.Thread.Channel, t.told.Thread.TS} }

// outbox are the replies that are due still.
func (t *telling) outbox() []incident.Reply {
	return slices.DeleteFunc(slices.Clone(t.i.Outbox), func(r incident.Reply) bool { return slices.Contains(t.told.Numbers, r.Number) })
}

// look finds what a former attempt has told. A message that it finds may show something older: its digest is not known.
func (t *telling) look(ctx context.Context) error {
	if !t.uncertain {
		return nil
	}
	thread := &t.told.Thread
	t.mayAppear()
	if thread.TS == "" {
		found, err := t.findRoot(ctx, place{channel: thread.Channel}, t.mark(incident.RootNumber))
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
	if ts := found[incident.DetailsNumber]; thread.DetailsTS == "" && ts != "" {
		thread.DetailsTS, thread.DetailsDigest = ts, ""
	}
	for _, r := range t.i.Outbox {
		if _, there := found[r.Number]; there {
			t.told.Numbers = append(t.told.Numbers, r.Number)
		}
	}
	return nil
}

// mayAppear takes in that another process was posting a message when it ended: until it can no longer appear it is looked for, and not repeated.
func (t *telling) mayAppear() {
	p := t.i.Posting
	if p == nil {
		return
	}
	m := t.mark(p.Number)
	if t.former.isOwn(m) {
		return
	}
	if until := p.At.Add(postTimeout*t.timeout + appears); time.Now().Before(until) {
		t.fates.opens(m, until)
	}
	if p.Number == incident.RootNumber {
		t.former.try(m.incident)
	}
}

// present is the root message of an incident as it should be now, with the buttons of what is offered now.
func (t *telling) present() render.Message {
	return render.Root(t.seen, t.links, render.Controls{Key: t.key.In(t.told.Thread.Channel), Offers: t.offered(render.Offering(t.i))})
}

// evidence is its first reply, which has what the root message of the open incident has no room for. What is about no single cause has none.
func (t *telling) evidence() render.Message {
	if !t.i.Failure() {
		return render.Message{}
	}
	return render.Details(t.seen, t.links, render.Controls{Key: t.key.In(t.told.Thread.Channel), Offers: t.offered(t.i.Report)})
}

func (s *Sender) offered(r *diagnose.Report) []diagnose.Action {
	if r == nil || s.offers == nil {
		return nil
	}
	return s.offers(r)
}

// first posts one of the messages that every thread has.
func (t *telling) first(ctx context.Context, at place, number int, msg render.Message, ts, digest *string) error {
	if number == incident.RootNumber {
		t.former.try(t.mark(number).incident)
	}
	stands, err := t.post(ctx, at, t.mark(number), msg)
	if err != nil {
		return err
	}
	*ts, *digest = stands, msg.Digest()
	return nil
}

// edit has a message that stands show what it should.
func (t *telling) edit(ctx context.Context, number int, msg render.Message, ts string, digest *string) error {
	want := msg.Digest()
	if ts == "" || *digest == want {
		return nil
	}
	if err := t.update(ctx, t.told.Thread.Channel, ts, t.mark(number), msg); err != nil {
		return err
	}
	*digest = want
	return nil
}

// reply posts the next of the replies that are due.
func (t *telling) reply(ctx context.Context) error {
	due := t.outbox()
	if len(due) == 0 {
		return nil
	}
	at := t.thread()
	if due[0].Reason == incident.Reminder && t.headless(ctx) {
		return &incident.NotifyError{Code: "message_not_found", Certain: true, Err: errors.New("the root message was deleted")}
	}
	key := t.key.In(at.channel).Under(at.thread).Once(time.Now())
	if _, err := t.post(ctx, at, t.mark(due[0].Number), render.Reply(posted.Line(t.who, due[0]), key)); err != nil {
		return err
	}
	t.told.Numbers = append(t.told.Numbers, due[0].Number)
	return nil
}

// headless reports whether somebody has deleted the root message, which leaves a place for its replies: nobody would see them there. A reminder
// comes when nothing was said for long, so that it is worth a call. Where the edit fails for another reason the root is there.
func (t *telling) headless(ctx context.Context) bool {
	err := t.update(ctx, t.told.Thread.Channel, t.told.Thread.TS, t.mark(incident.RootNumber), t.present())
	return isGone(err)
}

// link finds the address of the thread, when it stands. Without it nothing is lost: the next Notify tries again.
func (t *telling) link(ctx context.Context) {
	thread := &t.told.Thread
	if thread.Permalink != "" || t.why == incident.NewRoot {
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
	thread.RootDigest, thread.DetailsDigest = t.present().Digest(), t.evidence().Digest()
	var kept error
	for _, r := range t.outbox() {
		if r.Note != nil && r.Note.Log != "" && !t.isOver(r.Action) {
			kept = &incident.NotifyError{Code: code(why), Permanent: true, Certain: true, Err: errors.New("the thread where the log must be saved was deleted")}
			continue
		}
		t.told.Numbers = append(t.told.Numbers, r.Number)
	}
	t.told.All = kept == nil
	return t.told, kept
}

// isOver reports whether an action is over by now; a reply shows it as it was.
func (t *telling) isOver(r *action.Record) bool {
	at := slices.IndexFunc(t.i.Actions, func(now *action.Record) bool { return now.ID == r.ID })
	return at < 0 || t.i.Actions[at].State.Over()
}
