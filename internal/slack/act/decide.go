package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// decisions takes what approvers say.
type decisions struct {
	actions Actions
	replies *request.Replier
	opened  *opened
	log     *slog.Logger
}

// decide puts a decision to the service, and takes the buttons of the request away when there is nothing left to decide.
func (s decisions) decide(ctx context.Context, c *click, d action.Decision) (*action.Record, error) {
	record, err := s.actions.Decide(ctx, d)
	s.settleIfOver(ctx, c, err)
	if err != nil {
		return record, fmt.Errorf("decide on %s: %w", d.Record, err)
	}
	return record, nil
}

// settleIfOver takes the buttons of a request away when it was decided, or is over as the refusal to decide it says. What became of it
// is a line of the thread already: the message of the request does not repeat it.
func (s decisions) settleIfOver(ctx context.Context, c *click, err error) {
	r, isRefusal := errors.AsType[*action.Refusal](err)
	switch {
	case err == nil:
	case isRefusal && (r.Code == action.TooLate || r.Code == action.UnknownRequest):
	case isRefusal && r.Code == action.PlanChanged && r.Record != nil && r.Record.State.Over():
	default:
		return
	}
	s.settle(ctx, c)
}

// settle takes the buttons of a request away. The root message of an incident is left alone, it is brought up to date by what it shows.
func (s decisions) settle(ctx context.Context, c *click) {
	asked := c
	if opened, ok := s.opened.take(c.modal.id); ok {
		asked = opened
	}
	if asked.RespondTo == "" || asked.message == "" || asked.message == asked.place.Thread || len(asked.blocks) == 0 {
		return
	}
	m := render.Message{Text: asked.text}
	for _, raw := range asked.blocks {
		if !hasDecision(raw) {
			m.Blocks = append(m.Blocks, asSent(raw))
		}
	}
	if err := s.replies.Replace(ctx, asked.RespondTo, "", m); err != nil {
		s.log.Warn("buttons of a request not removed", "question", c.ID, "error", err)
	}
}

// hasDecision reports whether a block has the buttons of a request.
func hasDecision(raw json.RawMessage) bool {
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

// opened remembers, for as long as a response URL lives, from which click the modal of a decision was opened. Where another replica gets
// the submission the buttons stay, and say that it is too late when they are clicked.
type opened struct {
	mu   sync.Mutex
	from map[string]opening
}

type opening struct {
	click *click
	at    time.Time
}

const (
	// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
	openingLife = 30 * time.Minute
	maxOpened   = 1000
)

func (o *opened) keep(c *click) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.from == nil || len(o.from) >= maxOpened {
		o.from = map[string]opening{}
	}
	o.from[c.modal.id] = opening{c, time.Now()}
}

func (o *opened) take(view string) (*click, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	from, ok := o.from[view]
	delete(o.from, view)
	return from.click, ok && time.Since(from.at) < openingLife
}
