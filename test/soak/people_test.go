package soak_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace"
)

// people are those of the world: a developer, who needs approval, and two who may approve.
var people = []string{"alice", "bob", "carol"}

func ask(p *play) {
	app := p.one()
	words := [][]string{
		{"why", app}, {"why", app}, {"list"}, {"list", "all"}, {"diff", app}, {"history", app}, {"access", app}, {"audit"}, {"help"},
		{"why", "no-such-application"}, {"@argo", "why", app}, {"@argo", app},
	}
	p.play(p.ctx, "ask", words[p.r.IntN(len(words))]...)
}

// click presses a button and goes through the dialog that it opens, if it does. Then perhaps somebody approves, or denies.
func click(p *play) {
	who, app := p.any(append(people, "alice")...), p.one()
	requested := p.through(who, app, p.r.IntN(8), p.enters())
	approver, nth, enters := p.any("bob", "carol"), p.r.IntN(4), p.enters()
	if requested && nth < 3 { // the newest buttons are those of the request, if it needs an approval
		p.play(p.ctx, "wait", "2s")
		p.through(approver, app, nth, enters)
	}
}

// entry is what somebody makes of a dialog.
type entry struct {
	closes bool
	ticked []string
}

func (p *play) enters() entry {
	e := entry{closes: p.r.IntN(10) == 0}
	for _, box := range []string{"prune", "dry-run", "fixed"} {
		if p.r.IntN(3) == 0 || box == "fixed" && p.r.IntN(2) == 0 { // many a sync cannot be asked for without it
			e.ticked = append(e.ticked, box)
		}
	}
	return e
}

// through presses a button and submits the dialog that opens. It is false if there was nothing to press, or to submit.
func (p *play) through(who, app string, nth int, e entry) bool {
	if !p.press(who, app, nth) || !p.dialogOpens(who) {
		return false
	}
	defer p.leave(who)
	if e.closes {
		return false
	}
	p.submit(who, e.ticked)
	p.dialogCloses(who)
	return true
}

// dialogPatience is how long a person waits for a dialog that can be submitted. A machine that is slower than this makes other decisions, no finding.
const dialogPatience = 5 * time.Second

func (p *play) dialogOpens(who string) bool {
	ctx, cancel := context.WithTimeout(p.ctx, dialogPatience)
	defer cancel()
	return p.Slack.Await(ctx, func() bool {
		open := p.Slack.Views(who)
		return len(open) > 0 && strings.Contains(open[len(open)-1].Shown(), "\n( ") // it is filled in
	}) == nil
}

// dialogCloses waits until the bot has taken what was entered, or asks something else.
func (p *play) dialogCloses(who string) {
	ctx, cancel := context.WithTimeout(p.ctx, dialogPatience)
	defer cancel()
	_ = p.Slack.Await(ctx, func() bool { return len(p.Slack.Views(who)) == 0 })
}

// pressable is a button of a message.
type pressable struct {
	ts, block, action, label string
}

// buttons are what can be pressed in the open thread of an application, the newest message first: who approves does it at the
// request.
func (s *scene) buttons(app string) (out []pressable) {
	channel := s.Slack.Channel(world.Channel)
	for _, root := range slices.Backward(channel.Messages()) {
		id := incidentOf(root)
		if t := threadOf(id, root, nil); id == "" || !slices.Contains(t.apps, app) {
			continue
		}
		for _, m := range slices.Backward(channel.Thread(root.TS)) {
			out = append(out, buttonsOf(m)...)
		}
		return out
	}
	return nil
}

func buttonsOf(m workspace.Message) (out []pressable) {
	type button struct {
		Type   string
		Action string `json:"action_id"`
		URL    string
		Text   struct{ Text string }
	}
	var blocks []struct {
		ID        string `json:"block_id"`
		Elements  []json.RawMessage
		Accessory json.RawMessage
	}
	if json.Unmarshal(m.Blocks, &blocks) != nil {
		return nil
	}
	for _, b := range blocks {
		for _, raw := range append(b.Elements, b.Accessory) {
			var e button
			if json.Unmarshal(raw, &e) == nil && e.Type == "button" && e.URL == "" {
				out = append(out, pressable{m.TS, b.ID, e.Action, e.Text.Text})
			}
		}
	}
	return out
}

var errNothing = errors.New("there is nothing to press")

// press presses the nth of the buttons in the thread of an application.
func (s *scene) press(who, app string, nth int) bool {
	all := s.buttons(app)
	if len(all) == 0 {
		return false
	}
	b := all[nth%len(all)]
	s.does("press "+who+" "+app+" "+b.label, func() error {
		return s.Slack.Press(who, world.Channel, b.ts, workspace.Press{Block: b.block, Action: b.action})
	})
	return true
}

// mute chooses from the menu of the newest thread of an application.
func (s *scene) mute(who, app, option string) {
	s.does("mute "+who+" "+app+" "+option, func() error {
		for _, root := range slices.Backward(s.Slack.Channel(world.Channel).Messages()) {
			id := incidentOf(root)
			if t := threadOf(id, root, nil); id != "" && slices.Contains(t.apps, app) {
				return s.Slack.Choose(who, world.Channel, root.TS, render.MuteID, option)
			}
		}
		return errNothing
	})
}

// submit presses the button of the front dialog. Boxes that it does not have are left alone.
func (s *scene) submit(who string, ticked []string) {
	views := s.Slack.Views(who)
	if len(views) == 0 {
		return
	}
	front, values, line := views[len(views)-1], map[string]map[string]any{}, "submit "+who
	for _, word := range ticked {
		more, err := front.State(boxes[word])
		if err != nil {
			continue
		}
		line += " " + word
		maps.Copy(values, more)
	}
	s.does(line, func() error { return s.Slack.Submit(who, front.ID, values) })
}

// boxes are the words for what can be ticked in a dialog.
var boxes = map[string]string{"prune": dialog.InputPrune, "dry-run": dialog.InputDryRun, "fixed": dialog.InputConfirm}

// leave closes all dialogs of somebody.
func (s *scene) leave(who string) {
	if open := s.Slack.Views(who); len(open) > 0 {
		s.told("# " + who + " closes the dialog")
		for _, v := range slices.Backward(open) {
			_ = s.Slack.CloseView(who, v.ID) // the bot has just closed it
		}
	}
}
