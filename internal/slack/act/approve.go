package act

import (
	"context"
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// showRequest fills the modal with what an approver is asked for.
func (a *Actor) showRequest(ctx context.Context, c *click) (outcome string, err error) {
	r, plan, err := a.actionsFor(ctx, c).pending(ctx, c.person, c.value.App, c.value.Record)
	if err != nil {
		return a.unapproved(ctx, c, fmt.Errorf("read request %s: %w", c.value.Record, err))
	}
	return outcomeShown, a.modals.fillIfOpen(ctx, c, dialog.Approve(r, plan, dialog.Options{Metadata: a.metadata(c, plan.View())}))
}

// approve takes the consent of an approver who has read the plan in the modal.
func (a *Actor) approve(ctx context.Context, c *click, i *incident.Incident) (outcome string, err error) {
	d := action.Decision{App: c.value.App, Record: c.value.Record, By: c.person, Approve: true, Fingerprint: c.value.Fingerprint}
	r, err := a.decide(ctx, c, d)
	if err != nil {
		return a.unapproved(ctx, c, err)
	}
	// What is decided is decided, whether it could be shown or not.
	if err := a.modals.fillIfOpen(ctx, c, dialog.Approved(r, a.threads.address(ctx, c, i))); err != nil {
		a.log.Warn("dialog not updated", "question", c.ID, "error", err)
	}
	return outcomeTaken, nil
}

// unapproved shows an approver the plan that took the place of the one that they were to approve. A request that still waits is to be
// confirmed again. Of one that was withdrawn they see the plan as it is now, and may request that themselves if they are allowed to. All
// else is for whoever tells of refusals.
func (a *Actor) unapproved(ctx context.Context, c *click, err error) (outcome string, _ error) {
	refused, _ := errors.AsType[*posted.Refusal](err)
	if refused == nil {
		return "", err
	}
	record, ok := refused.Record()
	if !ok {
		return "", err
	}
	no, r := refused.View(), record.View()
	plan, _ := refused.Plan()
	var v *dialog.View
	switch {
	case no.Code == action.PlanChanged && r.State == action.Waiting:
		v = dialog.Approve(record, plan, dialog.Options{Metadata: a.metadata(c, no.Plan), Changed: string(no.What)})
	case no.Code == action.PlanChanged:
		v = a.withdrawn(ctx, c, record, r.Since(no.Plan), &plan)
	case no.Code == action.TooLate && r.State == action.Withdrawn && r.Kind.Confirmed():
		v = a.withdrawn(ctx, c, record, []string{r.Result}, nil)
	}
	if v == nil {
		return "", err
	}
	a.logRefusal(c, string(no.Code), string(no.What))
	return string(no.Code), a.modals.fillIfOpen(ctx, c, v)
}

// withdrawn is what an approver sees of a request that was withdrawn, with the plan as it would be if they requested it; otherwise where
// they may not. It is nil where there is neither.
func (a *Actor) withdrawn(ctx context.Context, c *click, record posted.Record, since []string, otherwise *posted.Plan) *dialog.View {
	r := record.View()
	own := button.Value{Do: string(r.Kind), App: r.App, Target: r.Target, Place: c.place}
	plan, err := a.actionsFor(ctx, c).plan(ctx, c.person, action.Request{Kind: r.Kind, App: r.App, Target: r.Target})
	switch {
	case err == nil:
		return dialog.Withdrawn(record, since, plan, dialog.Options{Metadata: a.sign(c, planned(own, plan.View()))})
	case otherwise != nil:
		return dialog.Withdrawn(record, since, *otherwise, dialog.Options{})
	}
	return nil
}
