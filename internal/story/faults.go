package story

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// fault has Slack fail.
func (p *Player) fault(args []string) error {
	switch args[0] {
	case "not_in_channel", "invited":
		channel, err := p.channel(args, 1)
		if err != nil {
			return err
		}
		if args[0] == "invited" {
			channel.Invite(p.Bot.BotUserID)
		} else {
			channel.Kick(p.Bot.BotUserID)
		}
		return nil
	}
	if args[0] == "delete-root" || args[0] == "rename" {
		return p.administrate(args[0], args[1])
	}
	f := workspace.Fault{Times: 1}
	if args[0] == "late" {
		var err error
		if f.Late, err = time.ParseDuration(args[1]); err != nil {
			return err
		}
		args = slices.Delete(slices.Clone(args), 1, 2)
	}
	f.Method = args[1]
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		f.Times = n
	}
	switch args[0] {
	case "429":
		f.Status, f.RetryAfter = 429, 7*time.Second
	case "500":
		f.Status = 500
	case "hang":
		f.Hang = true
	case "lost":
		f.LoseAnswer = true
	case "drop":
		f.Drop = true
	case "late":
	default:
		f.Error = args[0]
	}
	p.Slack.Fault(f)
	return nil
}

// administrate is what people do to the channel.
func (p *Player) administrate(what, of string) error {
	channel, err := p.channel(nil, 0)
	if err != nil {
		return err
	}
	if what == "rename" {
		channel.Rename(of)
		p.Channel = of
		return nil
	}
	root, err := p.root(of)
	if err == nil {
		channel.Delete(root.TS)
	}
	return err
}

// socket has something happen to the connection of the bot.
func (p *Player) socket(fault string) error {
	switch fault {
	case "twice":
		p.Slack.DuplicateEnvelopes(1)
	case "silent":
		p.Slack.Silence()
	case "cut":
		p.Slack.CutSockets()
	default:
		p.Slack.Disconnect("refresh_requested")
	}
	return nil
}

// calls counts since the last time.
func (p *Player) calls(args []string) error {
	want, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	if p.counted == nil {
		p.counted = map[string]int{}
	}
	n := p.Slack.Calls(args[0])
	if got := n - p.counted[args[0]]; got != want {
		return fmt.Errorf("%d calls", got)
	}
	p.counted[args[0]] = n
	return nil
}
