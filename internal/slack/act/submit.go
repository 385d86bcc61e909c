package act

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// submit has what was confirmed done.
func (a *Actor) submit(ctx context.Context, c *click) (*rejected, string, error) {
	i, no, err := a.admission.admit(ctx, c)
	if no != nil || err != nil {
		return no, "", err
	}
	switch c.value.Do {
	case button.Approve:
		outcome, err := a.approve(ctx, c, i)
		return nil, outcome, err
	case button.Deny:
		d := action.Decision{App: c.value.App, Record: c.value.Record, By: c.person, Reason: dialog.Reason(c.state)}
		if _, err := a.decide(ctx, c, d); err != nil {
			return nil, "", err
		}
		return nil, outcomeTaken, a.modals.fillIfOpen(ctx, c, dialog.DenyTold("You denied the request. Everyone in the thread can see that."))
	}
	req := c.actionRequest()
	req.Sync = dialog.Ticked(c.state)
	if len(dialog.Selected(c.state)) > 0 {
		plan, err := a.actionsFor(ctx, c).plan(ctx, c.person, c.actionRequest())
		if err != nil {
			return nil, "", fmt.Errorf("plan %s: %w", c.kind(), err)
		}
		if plan.View().Fingerprint != c.value.Fingerprint {
			return nil, string(action.PlanChanged), a.showChanged(ctx, c, action.PlanChanged, "this has changed since you opened it", plan)
		}
		var ok bool
		if req.Sync, ok = dialog.Chosen(plan, c.state); !ok {
			return reject(outcomeForged, "Your selection does not match the options that were offered. Nothing was done. Try again.", "edited values"), "", nil
		}
	}
	req.Sync.Commit = c.value.Commit
	return a.ask(ctx, c, req, i)
}

// ask has the service do it, and shows what it says.
func (a *Actor) ask(ctx context.Context, c *click, req action.Request, i *incident.Incident) (*rejected, string, error) {
	record, err := a.actionsFor(ctx, c).request(ctx, action.ConfirmedRequest{Request: req, By: c.person, Place: c.place, Click: c.key, Fingerprint: c.value.Fingerprint})
	c.onRecord()
	outcome := outcomeTaken
	if r, ok := errors.AsType[*posted.Refusal](err); ok {
		no := r.View()
		if plan, ok := r.Plan(); ok {
			return nil, string(no.Code), a.showChanged(ctx, c, no.Code, no.What, plan)
		}
		if before, ok := r.Record(); ok && no.Code == action.AlreadyRequested {
			record, err, outcome = before, nil, string(no.Code)
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("request %s: %w", c.kind(), err)
	}
	// Whoever closed it reads on in the thread; and what is done is done, whether it could be shown or not.
	if err := a.modals.fillIfOpen(ctx, c, dialog.Started(record, a.threads.address(ctx, c, i))); err != nil {
		a.log.Warn("dialog not updated", "question", c.ID, "error", err)
	}
	return nil, outcome, nil
}

// showChanged shows the new truth: to be confirmed again, or why that cannot be.
func (a *Actor) showChanged(ctx context.Context, c *click, code action.Code, what sanitize.Clean, plan posted.Plan) error {
	a.logRefusal(c, string(code), string(what))
	err := a.modals.fill(ctx, c, dialog.Plan(plan, dialog.Options{Metadata: a.metadata(c, plan.View()), Changed: string(what)}))
	if isClosed(err) {
		return a.replies.Privately(ctx, c.Request, *render.Text("Nothing was done: " + render.Sentence(string(what)) + " Try again to see the current state."))
	}
	return err
}

// threads knows the addresses of threads.
type threads struct {
	api *slack.Client
	log *slog.Logger
}

// addressTimeout is for asking for the address of a thread: without it the modal says just "the thread".
const addressTimeout = 5 * time.Second

// address leads to the thread where it is told, "" when Slack does not say.
func (t threads) address(ctx context.Context, c *click, i *incident.Incident) string {
	if i != nil && i.Thread.Permalink != "" {
		return i.Thread.Permalink
	}
	ctx, cancel := context.WithTimeout(ctx, addressTimeout)
	defer cancel()
	link, err := t.api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: c.place.Channel, Ts: c.place.Thread})
	if err != nil {
		t.log.Debug("thread permalink not read", "error", err)
	}
	return link
}
