package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// act does what was pressed, or says why not.
func (a *App) act(ctx context.Context, q *question) (outcome string, err error) {
	p := q.press
	if p.submitted {
		if err := ackFirst(ctx); err != nil {
			return "", err
		}
	}
	no := a.believable(p)
	if no == nil {
		no, outcome, err = a.perform(ctx, q)
	}
	if r, ok := errors.AsType[*action.Refusal](err); ok {
		if r.Code == action.AlreadyRequested { // delivered twice: it was told the first time
			return string(r.Code), nil
		}
		no, err = refused(p.kind(), r), nil
	}
	if no == nil || err != nil {
		return outcome, err
	}
	a.Log.Warn("a press was refused", "question", q.id, "action", p.label(), "outcome", no.outcome, "why", no.why,
		"user", p.person.ID, "channel", p.place.Channel, "app", p.value.App)
	switch {
	case p.home:
		return no.outcome, a.show(ctx, q, no.message)
	case q.respond == "": // the acknowledgement of a submission has said it
		return no.outcome, nil
	}
	// Only the address that came with it leads to that person.
	return no.outcome, a.respond(ctx, q.respond, "", *no.message)
}

// perform does what is believable.
func (a *App) perform(ctx context.Context, q *question) (*rejected, string, error) {
	p := q.press
	if p.submitted {
		return a.submit(ctx, q)
	}
	if v := looking(p); v != nil {
		if err := a.openModal(ctx, p, v); errors.Is(err, errTooSlow) {
			return reject(pressLate, "I was too slow to show what would happen. Nothing was done, please press again.", err.Error()), "", nil
		} else if err != nil {
			return nil, "", err
		}
	}
	if _, no, err := a.admit(ctx, q); no != nil || err != nil {
		return no, "", err
	}
	switch p.value.Do {
	case button.Approve:
		return nil, pressTaken, a.decide(ctx, q, action.Decision{App: p.value.App, Record: p.value.Record, By: p.person, Approve: true})
	case button.Deny:
		a.denials.keep(p.modal.id, denial{respond: q.respond, press: p})
		return nil, pressShown, a.fillIfOpen(ctx, p, dialog.Deny(p.value.App, a.metadata(p, "")))
	case string(action.HardRefresh), string(action.Mute):
		_, err := a.Actions.Request(ctx, action.ConfirmedRequest{Request: p.want(), By: p.person, Place: p.place, Click: p.click})
		if err != nil {
			return nil, "", fmt.Errorf("ask for %s: %w", p.kind(), err)
		}
		return nil, pressTaken, nil
	}
	return nil, pressShown, a.showPlan(ctx, p)
}

// looking is the first view of those that open a modal, nil for the others.
func looking(p *pressing) *dialog.View {
	switch p.value.Do {
	case button.Deny:
		return dialog.DenyLooking(p.value.App)
	case string(action.DeleteHookJob), string(action.Terminate), string(action.Sync):
		return dialog.Looking(p.kind(), p.value.App)
	}
	return nil
}

// metadata is what comes back with a submission.
func (a *App) metadata(p *pressing, planned string) string {
	v := p.value
	v.Place, v.Fingerprint = p.place, planned
	return a.Key.Encode(v)
}

// showPlan fills the modal with what would happen.
func (a *App) showPlan(ctx context.Context, p *pressing) error {
	plan, err := a.Actions.Plan(ctx, p.person, p.want())
	if err != nil {
		return fmt.Errorf("plan %s: %w", p.kind(), err)
	}
	return a.fillIfOpen(ctx, p, dialog.Plan(plan, dialog.Options{Metadata: a.metadata(p, plan.Fingerprint)}))
}

// decide puts a decision to the service, and takes the buttons of the request away when there is nothing left to decide.
func (a *App) decide(ctx context.Context, q *question, d action.Decision) error {
	record, err := a.Actions.Decide(ctx, d)
	r, isRefusal := errors.AsType[*action.Refusal](err)
	line := ""
	switch {
	case err == nil && d.Approve:
		line = "✅ Approved by " + by(d.By)
	case err == nil && record != nil && record.By.ID == d.By.ID:
		line = "↩️ Taken back by " + by(d.By)
	case err == nil:
		line = "🚫 Denied by " + by(d.By)
	case isRefusal && (r.Code == action.TooLate || r.Code == action.UnknownRequest):
		line = "Nothing to decide any more: " + sentence(r.What)
	}
	if line != "" {
		a.settled(ctx, q, line)
	}
	if err != nil {
		return fmt.Errorf("decide on %s: %w", d.Record, err)
	}
	return nil
}

// by is a person in a message for all: by name, as a mention would call.
func by(p action.Person) string {
	if p.Name == "" {
		return p.ID
	}
	return p.Name
}

// settled replaces the buttons of a request with a line. The root message of an incident is left alone, it is brought up to
// date by what it shows.
func (a *App) settled(ctx context.Context, q *question, line string) {
	p, respond := q.press, q.respond
	if d, ok := a.denials.take(p.modal.id); ok {
		p, respond = d.press, d.respond
	}
	if respond == "" || p.message == "" || p.message == p.place.Thread || len(p.blocks) == 0 {
		return
	}
	m := Message{Text: said(line).Text}
	for _, raw := range p.blocks {
		if !decides(raw) {
			m.Blocks = append(m.Blocks, asSent(raw))
		}
	}
	m.Blocks = append(m.Blocks, blocks.Fit([]blocks.Block{blocks.Text(blocks.Plain(line))}, nil, "")...)
	if err := a.replace(ctx, respond, m); err != nil {
		a.Log.Warn("the buttons of a request could not be taken away", "question", q.id, "error", err)
	}
}

// decides reports whether a block has the buttons of a request.
func decides(raw json.RawMessage) bool {
	var b struct {
		Type     string `json:"type"`
		Elements []struct {
			ActionID string `json:"action_id"`
		} `json:"elements"`
	}
	if json.Unmarshal(raw, &b) != nil || b.Type != string(slack.MBTAction) {
		return false
	}
	for _, e := range b.Elements {
		if strings.HasPrefix(e.ActionID, render.ApproveID) || strings.HasPrefix(e.ActionID, render.DenyID) {
			return true
		}
	}
	return false
}

// asSent is a block as Slack sent it.
type asSent json.RawMessage

// BlockType is what it says of itself.
func (b asSent) BlockType() slack.MessageBlockType {
	var known struct {
		Type slack.MessageBlockType `json:"type"`
	}
	if json.Unmarshal(b, &known) != nil {
		return ""
	}
	return known.Type
}

// ID is left to what it says of itself.
func (b asSent) ID() string { return "" }

// MarshalJSON is the block.
func (b asSent) MarshalJSON() ([]byte, error) { return b, nil }

// show tells the person alone: in the modal that is open, else beside the message.
func (a *App) show(ctx context.Context, q *question, m *Message) error {
	p := q.press
	if p == nil || p.modal.id == "" {
		return a.privately(ctx, q, *m)
	}
	err := a.fill(ctx, p, dialog.Showing(p.kind(), m.Blocks))
	if err == nil {
		return nil
	}
	if !closed(err) {
		a.Log.LogAttrs(ctx, slog.LevelWarn, "a modal could not be filled, telling without", slog.String("question", q.id), slog.Any("error", err))
	}
	return a.privately(ctx, q, *m)
}
