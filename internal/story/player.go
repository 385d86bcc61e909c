package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// ErrUnplayable is what a World answers to a step that it has no way to play, with the reason behind it.
var ErrUnplayable = errors.New("cannot be played here")

// World is what a story is about beside Slack: Argo CD, the life of the bot, and time.
type World interface {
	// Do takes a step whose verb is none of Slack's.
	Do(ctx context.Context, step Step) error
	// Wait lets time pass.
	Wait(ctx context.Context, d time.Duration) error
	// Settle returns when the bot has done what it does about what happened.
	Settle(ctx context.Context) error
}

// Player plays the steps that only concern Slack and what people see, and gives the others to the world.
type Player struct {
	World World
	Slack *workspace.Workspace
	Bot   workspace.App
	// Channel is where the bot reports, unless a step names another channel.
	Channel string
	// Show gets what people see after a step.
	Show func(context.Context, Shown) error

	counted map[string]int
}

// Shown is what people see at a moment.
type Shown struct {
	Step Step
	Name string // the section, or the picture
	Text string
	// Where it is seen: in a channel, in a thread of it, or in a dialog of somebody. All of it is empty for what is on no screen.
	Channel  string
	Thread   string   // ts of its first message
	Messages []string // ts of those that are shown, of more that are there; nil for all
	Person   string
	View     string // ID of the dialog
	Page     bool   // all of the page around it
}

// Play plays all steps. Before an await it does not wait until the world is quiet: what is awaited says how far it has to be.
func (p *Player) Play(ctx context.Context, steps []Step) error {
	for i, step := range steps {
		play := p.Step
		if i+1 < len(steps) && steps[i+1].Verb == "await" {
			play = p.act
		}
		if err := play(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// act plays one step. The error names the line.
func (p *Player) act(ctx context.Context, step Step) error {
	if err := p.do(ctx, step); err != nil {
		return step.Fails(err)
	}
	return nil
}

// Step plays one step, and waits until the world is quiet. The error names the line.
func (p *Player) Step(ctx context.Context, step Step) error {
	if err := p.act(ctx, step); err != nil {
		return err
	}
	if err := p.World.Settle(ctx); err != nil {
		return step.Fails(err)
	}
	return nil
}

func (p *Player) do(ctx context.Context, step Step) error {
	args := step.Args
	switch step.Verb {
	case "killed": // the tests play such a story more than once
		return nil
	case "wait":
		d, err := time.ParseDuration(args[0])
		if err != nil {
			return err
		}
		return p.World.Wait(ctx, d)
	case "await":
		return p.await(ctx, step.Rest(0))
	case "people":
		return p.join(args, workspace.User{})
	case "guests":
		return p.join(args, workspace.User{Guest: true})
	case "leaves", "demotes":
		return p.change(step.Verb, args)
	case "channel":
		for _, name := range args[1:] {
			if err := p.known(name); err != nil {
				return err
			}
		}
		p.Slack.AddChannel(args[0], append([]string{p.Bot.BotUserID}, args[1:]...)...)
		return nil
	case "shared":
		channel, err := p.channel(args, 0)
		if err != nil {
			return err
		}
		channel.Share(workspace.WithStrangers)
		return nil
	case "tells":
		if err := p.known(args[0]); err != nil {
			return err
		}
		_, err := p.Slack.Tell(args[0], p.Bot, step.Rest(1), "")
		return err
	case "ask":
		return p.ask(asker, args)
	case "asks":
		return p.ask(args[0], args[1:])
	case "reached", "kept-from":
		return p.sent(args[0], step.Rest(1), step.Verb == "reached")
	case "reply":
		return p.reply(args[0], step.Rest(1))
	case "tap":
		return p.eventually(ctx, func() error { return p.tap(step.Rest(0)) })
	case "press":
		return p.eventually(ctx, func() error { return p.press(args[0], args[1], step.Rest(2)) })
	case "mute":
		return p.eventually(ctx, func() error { return p.mute(args[0], args[1], args[2]) })
	case "submit":
		return p.eventually(ctx, func() error { return p.submit(args[0], args[1:]) })
	case "approve":
		return p.approve(ctx, args[0], args[1])
	case "reason":
		return p.eventually(ctx, func() error { return p.reason(args[0], step.Rest(1)) })
	case "no-button":
		return p.noButton(args[0], step.Rest(1))
	case "slack":
		return p.fault(args)
	case "socket":
		return p.socket(args[0])
	case "calls":
		return p.calls(args)
	case "show":
		return p.show(ctx, step)
	case "details":
		return p.details(ctx, step)
	case "thread":
		return p.thread(ctx, step)
	case "alone":
		return p.alone(ctx, step)
	case "page":
		return p.page(ctx, step)
	case "dialog":
		return p.dialog(ctx, step)
	default:
		return p.World.Do(ctx, step)
	}
}

// channel is the one that a step names, or the usual one.
func (p *Player) channel(args []string, at int) (*workspace.Channel, error) {
	name := p.Channel
	if len(args) > at {
		name = args[at]
	}
	if who, is := strings.CutPrefix(name, "@"); is {
		if err := p.known(who); err != nil {
			return nil, err
		}
		return p.Slack.DirectMessage(p.Bot, who), nil
	}
	for _, c := range p.Slack.Channels() {
		if c.Name() == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("no channel %s", name)
}
