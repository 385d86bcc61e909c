package slack

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// submitted reads the submission of a modal. It has no channel of its own: where it was asked for is signed into it.
func (a *App) submitted(c slack.InteractionCallback) received {
	r := received{kind: "submission", keys: []string{"trigger " + c.TriggerID}, home: a.home(c.Team.ID, c.Enterprise.ID), guest: !a.native(c.User.TeamID)}
	if c.View.CallbackID != dialog.Confirm {
		return r
	}
	p := &pressing{
		action: "unknown", person: action.Person{ID: c.User.ID, Name: c.User.Name}, foreign: !r.home || r.guest, home: r.home,
		click:     digest("view", c.Team.ID, c.View.ID, c.View.Hash, c.User.ID),
		submitted: true, state: c.View.State, modal: modal{id: c.View.ID},
	}
	v, err := a.Key.Decode(c.View.PrivateMetadata)
	switch {
	case err != nil:
		p.forged = "its metadata are not signed by me"
	case v.Place.Channel == "" || v.Place.Thread == "" || v.Do != button.Deny && v.Fingerprint == "":
		p.forged = "its metadata are not of a modal"
	default:
		p.action, p.value, p.place = v.Do, v, v.Place
	}
	r.keys = append(r.keys, "press "+p.click)
	r.q = newQuestion(asker{way: click, user: c.User.ID, name: c.User.Name, channel: p.place.Channel, thread: p.place.Thread, call: a.self.call()}, command.Command{})
	r.q.press = p
	r.view = dialog.Working(p.kind(), p.value.App)
	if p.foreign {
		r.view = dialog.Told(p.kind(), membersOnly)
	}
	return r
}

// updated is what the acknowledgement of a submission carries: without a view Slack closes the modal.
// https://docs.slack.dev/surfaces/modals#updating_response
func updated(v *dialog.View) any { return slack.NewUpdateViewSubmissionResponse(v) }

// ackFirst gives the acknowledgement of a submission the time to arrive before the modal is filled: they go different ways,
// and the one that comes last stays.
func ackFirst(ctx context.Context) error {
	timer := time.NewTimer(300 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// submit puts what was confirmed to the service.
func (a *App) submit(ctx context.Context, q *question) (*rejected, string, error) {
	p := q.press
	i, no, err := a.admit(ctx, q)
	if no != nil || err != nil {
		return no, "", err
	}
	if p.value.Do == button.Deny {
		d := action.Decision{App: p.value.App, Record: p.value.Record, By: p.person, Reason: dialog.Reason(p.state)}
		if err := a.decide(ctx, q, d); err != nil {
			return nil, "", err
		}
		return nil, pressTaken, a.fillIfOpen(ctx, p, dialog.DenyTold("You denied it. Everybody in the thread sees that."))
	}
	want := p.want()
	want.Sync = dialog.Ticked(p.state)
	if len(dialog.Selected(p.state)) > 0 {
		plan, err := a.Actions.Plan(ctx, p.person, p.want())
		if err != nil {
			return nil, "", fmt.Errorf("plan %s: %w", p.kind(), err)
		}
		if plan.Fingerprint != p.value.Fingerprint {
			return nil, string(action.PlanChanged), a.showChanged(ctx, q, &action.Refusal{Code: action.PlanChanged, What: "what was shown is not true any more", Plan: plan})
		}
		var ok bool
		if want.Sync, ok = dialog.Chosen(plan, p.state); !ok {
			return reject(pressForged, "What was chosen is not what I offered. Nothing was done.", "edited values"), "", nil
		}
	}
	return a.ask(ctx, q, want, i)
}

// ask has the service do it, and shows what it says.
func (a *App) ask(ctx context.Context, q *question, want action.Request, i *incident.Incident) (*rejected, string, error) {
	p := q.press
	record, err := a.Actions.Request(ctx, action.ConfirmedRequest{Request: want, By: p.person, Place: p.place, Click: p.click, Fingerprint: p.value.Fingerprint})
	outcome := pressTaken
	if r, ok := errors.AsType[*action.Refusal](err); ok {
		switch {
		case r.Plan != nil:
			return nil, string(r.Code), a.showChanged(ctx, q, r)
		case r.Code == action.AlreadyRequested && r.Record != nil:
			record, err, outcome = r.Record, nil, string(r.Code)
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("ask for %s: %w", p.kind(), err)
	}
	// Who closed it reads on in the thread; and what is done is done, whether it could be shown or not.
	if err := a.fillIfOpen(ctx, p, dialog.Started(record, a.threadAddress(ctx, p, i))); err != nil {
		a.Log.Warn("a modal could not be filled", "question", q.id, "error", err)
	}
	return nil, outcome, nil
}

// showChanged shows the new truth: to be confirmed anew, or why that cannot be.
func (a *App) showChanged(ctx context.Context, q *question, r *action.Refusal) error {
	p := q.press
	a.Log.Warn("a press was refused", "question", q.id, "action", p.label(), "outcome", r.Code, "why", r.What,
		"user", p.person.ID, "channel", p.place.Channel, "app", p.value.App)
	err := a.fill(ctx, p, dialog.Plan(r.Plan, dialog.Options{Metadata: a.metadata(p, r.Plan.Fingerprint), Changed: r.What}))
	if closed(err) {
		return a.privately(ctx, q, *said("Nothing was done: " + sentence(r.What) + " Please press again, to see how it is now."))
	}
	return err
}

// threadAddress leads to the thread where it is told, "" when Slack does not say.
func (a *App) threadAddress(ctx context.Context, p *pressing, i *incident.Incident) string {
	if i != nil && i.Thread.Permalink != "" {
		return i.Thread.Permalink
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	link, err := a.api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: p.place.Channel, Ts: p.place.Thread})
	if err != nil {
		a.Log.Debug("Slack did not say where a thread is", "error", err)
	}
	return link
}

// denials remembers, for as long as a response URL lives, which message a modal for a denial was opened from. Where another
// replica gets the submission the buttons stay, and say that it is too late when they are pressed.
type denials struct {
	mu   sync.Mutex
	open map[string]denial
}

type denial struct {
	respond string
	press   *pressing
	at      time.Time
}

const (
	// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
	denialLife = 30 * time.Minute
	maxDenials = 1000
)

func (d *denials) keep(view string, what denial) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil || len(d.open) >= maxDenials {
		d.open = map[string]denial{}
	}
	what.at = time.Now()
	d.open[view] = what
}

func (d *denials) take(view string) (denial, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what, ok := d.open[view]
	delete(d.open, view)
	return what, ok && time.Since(what.at) < denialLife
}
