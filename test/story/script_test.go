package story_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/story"
)

var update = flag.Bool("update", false, "write what the stories show into their files")

func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := story.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			steps := play(t, parsed, killing{})
			if *update {
				if err := os.WriteFile(file, parsed.Format(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if parsed.Has("killed") {
				killedAnywhere(t, parsed, steps)
			}
		})
	}
}

// killedAnywhere plays the story again, once for each step: the bot is killed before it, or after it, and started again. What
// people see in the end is the same.
func killedAnywhere(t *testing.T, parsed *story.Story, steps int) {
	if steps == 0 {
		t.Fatal("the bot did nothing that it could be killed at")
	}
	for nth := 1; nth <= steps; nth++ {
		for _, after := range []bool{false, true} {
			name := fmt.Sprintf("before step %d", nth)
			if after {
				name = fmt.Sprintf("after step %d", nth)
			}
			t.Run("killed "+name, func(t *testing.T) { play(t, parsed, killing{how: (*bot).die, after: after, nth: nth}) })
		}
	}
	t.Logf("killed at %d moments", 2*steps)
}

// play tells a story in a bubble of time, and returns how many steps the bot took.
func play(t *testing.T, parsed *story.Story, kill killing) (steps int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t)
		l.kill = kill
		s := &script{lab: l, story: parsed, again: kill.nth > 0}
		p := &story.Player{World: s, Slack: l.slack, Bot: l.app, Channel: "alerts", Show: s.show}
		for _, step := range parsed.Steps {
			if step.Verb == "calls" && s.again { // a bot that was killed looks before it speaks
				continue
			}
			if err := p.Step(t.Context(), step); err != nil {
				l.gone() // or the bubble, which waits for it, would never end
				l.slack.Close()
				t.Fatal(err)
			}
		}
		l.gone()
		l.slack.Close()
		steps = l.steps[""]
	})
	return steps
}

// script is the world of a story under virtual time: it implements story.World.
type script struct {
	*lab
	story *story.Story
	again bool
}

// Settle implements story.World. A bot that the test has killed, and not the story, is started again.
func (s *script) Settle(context.Context) error {
	settle()
	if s.again && s.killed() {
		if err := s.start(); err != nil {
			return err
		}
		settle()
	}
	return nil
}

// Do implements story.World.
func (s *script) Do(_ context.Context, step story.Step) error {
	args := step.Args
	switch step.Verb {
	case "config":
		return s.config(args)
	case "start":
		return s.start()
	case "stop":
		s.gone()
	case "fail", "well", "roll", "gone":
		return s.change(step)
	case "hints":
		return s.hints(args[0], args[1])
	case "route", "project", "access", "called":
		return s.audience(step)
	case "sweep":
		s.bot.syncer.Expire(time.Now())
		s.list(s.bot)
	case "connection":
		s.connect(step)
	case "controller":
		s.controller(args[0] == "stops")
	case "token":
		return s.token(step)
	case "window":
		s.window(step)
	case "argocd", "journal":
		return s.outage(step.Verb, args[0])
	case "kill":
		return s.killWhen(args)
	case "leader":
		return s.changeLeader(args[1:])
	case "allow":
		return s.allow(args)
	case "did":
		return s.did(step)
	case "fixed", "synced", "refuses", "git", "job", "operation":
		return s.happens(step)
	case "sync":
		return s.syncs(args[0])
	case "entries":
		return s.entries(args[0])
	default:
		return story.ErrUnplayable
	}
	return nil
}

func (s *script) config(args []string) error {
	settings, err := story.Settings(args)
	for _, one := range settings {
		switch one.Key {
		case "group":
			s.policy.GroupFrom = one.Number
		case "openAfter":
			s.policy.OpenAfter = func(string) time.Duration { return one.Duration }
		case "hold":
			s.policy.HoldFor = one.Duration
		case "reopen":
			s.policy.ReopenWithin = one.Duration
		case "remind":
			s.policy.RemindAfter = one.Duration
		case "keep":
			s.policy.KeepFor = one.Duration
		case "quiet":
			s.policy.QuietAfter = one.Duration
		case "digest":
			if s.digests, err = schedule.NewWall(one.Schedule, one.Zone); err != nil {
				return err
			}
			s.digested = true
		}
	}
	return err
}

func (s *script) change(step story.Step) error {
	how, args := step.Verb, step.Args
	var name string
	if how == "fail" {
		name, args = args[len(args)-1], args[:len(args)-1]
	}
	for _, arg := range args {
		app := named(arg)
		var r *diagnose.Report
		switch how {
		case "fail":
			c, err := s.recorded(name)
			if err != nil {
				return err
			}
			s.seen.place(app, c)
			if r, err = diagnosed(c, app); err != nil {
				return err
			}
			redate(r, time.Now())
			s.simulate(app, c)
		case "well":
			r = healthy(app, diagnose.VerdictHealthy)
			s.exist(app)
		case "roll":
			r = healthy(app, diagnose.VerdictProgressing)
		}
		s.set(app, r, !step.Unheard)
	}
	return nil
}

// hints are many webhooks at the same time.
func (s *script) hints(app, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	for range n {
		go s.bot.reconciler.Add(named(app))
	}
	return nil
}

// named is an application as a story calls it: NAME, or NAMESPACE/NAME outside of Argo CD's own namespace.
func named(app string) incident.App {
	namespace, name := story.Application(app)
	return incident.App{Instance: "prod", Namespace: namespace, Name: name}
}

// Wait implements story.World. A bot that the test has killed is started again at once, as Kubernetes would.
func (s *script) Wait(_ context.Context, d time.Duration) error {
	step := d
	if s.again {
		step = time.Second
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(step, time.Until(end)))
		if s.again && s.killed() {
			if err := s.start(); err != nil {
				return err
			}
		}
	}
	return nil
}
