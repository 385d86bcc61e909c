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
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/text"
)

// decisions takes what approvers say.
type decisions struct {
	actions Actions
	replies *request.Replier
	denials *denials
	log     *slog.Logger
}

// decide puts a decision to the service, and takes the buttons of the request away when there is nothing left to decide.
func (s decisions) decide(ctx context.Context, c *click, d action.Decision) error {
	record, err := s.actions.Decide(ctx, d)
	r, isRefusal := errors.AsType[*action.Refusal](err)
	line := ""
	switch {
	case err == nil && d.Approve:
		line = "✅ Approved by " + render.PersonName(d.By)
	case err == nil && record != nil && record.By.ID == d.By.ID:
		line = "↩️ Withdrawn by " + render.PersonName(d.By)
	case err == nil:
		line = "🚫 Denied by " + render.PersonName(d.By)
	case isRefusal && (r.Code == action.TooLate || r.Code == action.UnknownRequest):
		line = "No longer pending: " + text.LowerFirst(render.Sentence(r.What))
	}
	if line != "" {
		s.settle(ctx, c, line)
	}
	if err != nil {
		return fmt.Errorf("decide on %s: %w", d.Record, err)
	}
	return nil
}

// settle replaces the buttons of a request with a line. The root message of an incident is left alone, it is brought up to
// date by what it shows.
func (s decisions) settle(ctx context.Context, c *click, line string) {
	asked := c
	if opened, ok := s.denials.take(c.modal.id); ok {
		asked = opened
	}
	if asked.RespondTo == "" || asked.message == "" || asked.message == asked.place.Thread || len(asked.blocks) == 0 {
		return
	}
	m := render.Message{Text: render.Text(line).Text}
	for _, raw := range asked.blocks {
		if !hasDecision(raw) {
			m.Blocks = append(m.Blocks, asSent(raw))
		}
	}
	m.Blocks = append(m.Blocks, blocks.Fit([]blocks.Block{blocks.Text(blocks.Plain(line))}, nil, "")...)
	if err := s.replies.Replace(ctx, asked.RespondTo, m); err != nil {
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

// denials remembers, for as long as a response URL lives, from which click a modal for a denial was opened. Where another
// replica gets the submission the buttons stay, and say that it is too late when they are clicked.
type denials struct {
	mu   sync.Mutex
	open map[string]denial
}

type denial struct {
	click *click
	at    time.Time
}

const (
	// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
	denialLife = 30 * time.Minute
	maxDenials = 1000
)

func (d *denials) keep(c *click) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil || len(d.open) >= maxDenials {
		d.open = map[string]denial{}
	}
	d.open[c.modal.id] = denial{c, time.Now()}
}

func (d *denials) take(view string) (*click, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	opened, ok := d.open[view]
	delete(d.open, view)
	return opened.click, ok && time.Since(opened.at) < denialLife
}
