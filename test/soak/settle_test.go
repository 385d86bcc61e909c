package soak_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	// glance is how often a claim is looked at that is not true yet.
	glance = 500 * time.Millisecond
	// lasting is how long all claims must hold and the bot post nothing: longer than it waits for others with the same cause, and
	// before it calls something recovered.
	lasting = 3 * time.Second
	// patience is how long nothing may change while a claim is not true: more than the longest pause of the bot between two
	// attempts, and a sweep, on a machine that does ten other things.
	patience = 150 * time.Second
	// saying is how often whoever watches reads what is not true yet.
	saying = 30 * time.Second
	// most is for one that never rests.
	most = 15 * time.Minute
)

// begin makes the applications, healthy, and starts the bot.
func (s *scene) begin(ctx context.Context, r *rand.Rand) {
	p := &play{scene: s, ctx: ctx, r: r}
	s.play(ctx, "config", "openAfter=1s", "hold=2s", "reopen=24h", "remind=24h", "keep=48h")
	s.play(ctx, "allow", "sync,terminate,delete-hook-job", "@oncall,@leads")
	s.play(ctx, "allow", "sync,terminate,delete-hook-job", "alice", "approval", "@oncall,@leads", "15m")
	for _, app := range apps {
		s.play(ctx, "fail", app, p.failure())
		s.play(ctx, "well", app)
	}
	s.play(ctx, "start")
}

// settle puts right what is no failure, and waits until all claims hold. What is known to be wrong since an earlier step does not count.
func (s *scene) settle(ctx context.Context, o *observer, known map[string]bool) (*picture, []string) {
	var p *picture
	var wrong []string
	begun := time.Now()
	said := begun
	moved, held, calls := begun, time.Time{}, 0
	for {
		s.upright(ctx)
		if n := s.made(); n != calls {
			calls, moved, held = n, time.Now(), time.Time{}
		}
		now, err := o.look(ctx)
		switch {
		case ctx.Err() != nil:
			return p, []string{ctx.Err().Error()}
		case err != nil: // Argo CD is just coming back
			wrong, held = []string{err.Error()}, time.Time{}
		default:
			p, wrong = now, slices.DeleteFunc(problems(now), func(what string) bool { return known[what] })
		}
		if len(wrong) > 0 {
			held = time.Time{}
		} else if held.IsZero() {
			held = time.Now()
		}
		switch {
		case !held.IsZero() && time.Since(held) >= lasting && s.Slack.Pending() == 0:
			s.disarm()
			return p, nil
		case len(wrong) > 0 && (time.Since(moved) > patience || time.Since(begun) > most):
			return p, wrong
		}
		if time.Since(said) > saying {
			said = time.Now()
			s.told(fmt.Sprintf("# waiting, %d calls of Slack so far, %d unacknowledged: %q", calls, s.Slack.Pending(), wrong))
		}
		time.Sleep(glance)
	}
}

// made counts what the bot has told Slack.
func (s *scene) made() int {
	return s.Slack.Calls("chat.postMessage") + s.Slack.Calls("chat.update") + s.Slack.Calls("chat.postEphemeral") + s.Bot().Runs
}
