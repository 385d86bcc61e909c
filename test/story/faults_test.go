package story_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

func (s *script) fault(args []string) error {
	f := workspace.Fault{Times: 1}
	if len(args) > 1 {
		f.Method = args[1]
	}
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
	case "not_in_channel":
		s.slack.Channel(among(args, 1)).Kick(s.app.BotUserID)
		return nil
	case "invited":
		s.slack.Channel(among(args, 1)).Invite(s.app.BotUserID)
		return nil
	default:
		f.Error = args[0]
	}
	s.slack.Fault(f)
	return nil
}

// ask is a slash command or, with @, a mention. What a person would see as a failure of Slack is an error, unless the bot is
// gone.
func (s *script) ask(args []string) error {
	text := strings.Join(args, " ")
	if mention, ok := strings.CutPrefix(text, "@argo "); ok {
		_, err := s.slack.Say("alice", "alerts", "<@"+s.app.BotUserID+"> "+mention, "")
		return err
	}
	return s.slack.Command("alice", "alerts", "/argo", text)
}

func (s *script) socket(fault string) error {
	switch fault {
	case "twice":
		s.slack.DuplicateEnvelopes(1)
	case "silent":
		s.slack.Silence()
	case "cut":
		s.slack.CutSockets()
	case "refresh":
		s.slack.Disconnect("refresh_requested")
	default:
		return fmt.Errorf("no such fault of the socket")
	}
	return nil
}

func (s *script) outage(of, how string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case how == "conflict":
		return s.bot.meddle()
	case of == "argocd":
		s.argoDown = how == "down"
	default:
		s.logDown = how == "down"
	}
	return nil
}

func (s *script) killWhen(args []string) error {
	if len(args) == 0 {
		s.bot.die()
		return nil
	}
	k := killing{after: args[0] == "after", step: args[1], nth: 1}
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		k.nth = n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k.nth += s.steps[k.step]
	s.kill = k
	return nil
}
