package act

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// Options are what an Actor needs. Registry may be nil.
type Options struct {
	API     *slack.Client
	Team    socket.Team
	Apps    apps.Directory
	Viewer  apps.Viewer
	Places  *audience.Places
	People  *people.Directory
	Actions Actions
	Opener  Opener
	// Key is what the values of buttons are signed with.
	Key      button.Key
	Replies  *request.Replier
	Handler  *request.Handler
	Registry prometheus.Registerer
	Log      *slog.Logger
}

// Actor does what people click.
type Actor struct {
	team    socket.Team
	key     button.Key
	actions Actions
	places  *audience.Places
	opener  Opener
	handler *request.Handler
	replies *request.Replier
	clicks  *prometheus.CounterVec
	log     *slog.Logger

	// recent are buttons that were clicked within the last moments: a double click is one.
	recent    *socket.Seen
	admission admission
	modals    *modals
	threads   threads
}

// New makes an Actor.
func New(o Options) *Actor {
	return &Actor{
		team: o.Team, key: o.Key, actions: o.Actions, places: o.Places, opener: o.Opener, handler: o.Handler, replies: o.Replies, clicks: newMetrics(o.Registry), log: o.Log,
		recent:    socket.NewSeen(doubleClick),
		admission: admission{people: o.People, apps: o.Apps, places: o.Places, viewer: o.Viewer, actions: o.Actions, members: newMembers(o.API), log: o.Log},
		modals:    &modals{api: o.API},
		threads:   threads{api: o.API, log: o.Log},
	}
}

// handle does what was clicked, and whatever happens the person hears of it.
func (a *Actor) handle(ctx context.Context, c *click) {
	outcome := a.handler.Handle(ctx, request.Job{
		Request: c.Request, Label: "press", About: []any{"action", c.label(), "app", c.value.App},
		Do:   func(ctx context.Context) (string, error) { return a.act(ctx, c) },
		Tell: func(ctx context.Context, m *render.Message) error { return a.show(ctx, c, m) },
	})
	a.clicks.WithLabelValues(c.label(), outcome).Inc()
}

// act does what was clicked, or says why not.
func (a *Actor) act(ctx context.Context, c *click) (outcome string, err error) {
	defer c.onRecord()
	no := believable(c)
	if no == nil {
		no, outcome, err = a.perform(ctx, c)
	}
	c.onRecord() // before anybody is told, which may take longer
	err = posted.ErrorTo(a.readersOf(ctx, c), c.value.App, err)
	if r, ok := errors.AsType[*posted.Refusal](err); ok {
		if code := r.View().Code; code == action.AlreadyRequested { // delivered twice: it was told the first time
			return string(code), nil
		}
		no, err = refusal(c.kind(), r), nil
	}
	if no == nil || err != nil {
		return outcome, err
	}
	a.logRefusal(c, no.outcome, no.why)
	switch {
	case c.home:
		return no.outcome, a.show(ctx, c, no.message)
	case c.RespondTo == "": // the acknowledgement of a submission has said it
		return no.outcome, nil
	}
	// Only the address that came with it leads to that person.
	return no.outcome, a.replies.Respond(ctx, c.RespondTo, "", *no.message)
}

func (a *Actor) logRefusal(c *click, outcome, why string) {
	a.log.Warn("click refused", "question", c.ID, "action", c.label(), "outcome", outcome, "why", why,
		"user", c.person.ID, "channel", c.place.Channel, "app", c.value.App)
}

// perform does what is believable.
func (a *Actor) perform(ctx context.Context, c *click) (*rejected, string, error) {
	if c.submitted {
		return a.submit(ctx, c)
	}
	if v := firstView(c); v != nil {
		if err := a.modals.open(ctx, c, v); errors.Is(err, errTooSlow) {
			return reject(outcomeLate, "The dialog could not be opened in time. Nothing was done. Try again.", err.Error()), "", nil
		} else if err != nil {
			return nil, "", err
		}
	}
	i, no, err := a.admission.admit(ctx, c)
	if no != nil || err != nil {
		return no, "", err
	}
	switch c.value.Do {
	case button.Open:
		return a.open(ctx, c, i)
	case button.Approve:
		outcome, err := a.showRequest(ctx, c)
		return nil, outcome, err
	case button.Deny:
		return nil, outcomeShown, a.modals.fillIfOpen(ctx, c, dialog.Deny(c.value.App, a.metadata(c, nil)))
	case string(action.HardRefresh), string(action.Mute):
		_, err := a.actionsFor(ctx, c).request(ctx, action.ConfirmedRequest{Request: c.actionRequest(), By: c.person, Place: c.place, Click: c.key})
		if err != nil {
			return nil, "", fmt.Errorf("request %s: %w", c.kind(), err)
		}
		return nil, outcomeTaken, nil
	}
	return nil, outcomeShown, a.showPlan(ctx, c)
}

// firstView is the first view of those that open a modal, nil for the others.
func firstView(c *click) *dialog.View {
	switch c.value.Do {
	case button.Approve:
		return dialog.ApproveLooking(c.value.App)
	case button.Deny:
		return dialog.DenyLooking(c.value.App)
	case string(action.DeleteHookJob), string(action.Terminate), string(action.Sync):
		return dialog.Looking(c.kind(), c.value.App)
	}
	return nil
}

// maxCommit leaves room for the rest in a modal's metadata. An application of more sources than that has room for is synced at what is
// the newest when the modal is submitted.
const maxCommit = 1000

// metadata is what comes back with a submission; shown is the plan that the modal shows, nil where it shows none.
func (a *Actor) metadata(c *click, shown *action.Plan) string {
	v := c.value
	v.Place = c.place
	return a.sign(c, planned(v, shown))
}

// sign makes a value the metadata of the modal that the person has open, good in no other.
func (a *Actor) sign(c *click, v button.Value) string {
	return a.key.On(c.modal.id, c.person.ID).Encode(dialog.Confirm, v)
}

// planned is a value with the plan that a person is shown.
func planned(v button.Value, shown *action.Plan) button.Value {
	v.Fingerprint, v.Commit = "", ""
	if shown == nil {
		return v
	}
	v.Fingerprint = shown.Fingerprint
	if shown.Kind == action.Sync && len(shown.Revision) <= maxCommit {
		v.Commit = shown.Revision
	}
	return v
}

// showPlan fills the modal with what would happen.
func (a *Actor) showPlan(ctx context.Context, c *click) error {
	plan, err := a.actionsFor(ctx, c).plan(ctx, c.person, c.actionRequest())
	if err != nil {
		return fmt.Errorf("plan %s: %w", c.kind(), err)
	}
	return a.modals.fillIfOpen(ctx, c, dialog.Plan(plan, dialog.Options{Metadata: a.metadata(c, plan.View())}))
}

// show tells the person alone: in the modal that is open, else beside the message.
func (a *Actor) show(ctx context.Context, c *click, m *render.Message) error {
	if c.modal.id == "" {
		return a.replies.Privately(ctx, c.Request, *m)
	}
	err := a.modals.fill(ctx, c, dialog.Showing(c.kind(), m.Blocks))
	if err == nil {
		return nil
	}
	if !isClosed(err) {
		a.log.LogAttrs(ctx, slog.LevelWarn, "dialog not updated, answering without it", slog.String("question", c.ID), slog.Any("error", err))
	}
	return a.replies.Privately(ctx, c.Request, *m)
}
