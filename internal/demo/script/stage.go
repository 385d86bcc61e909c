package script

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
)

const (
	// startTimeout is for the bot to be connected to everything.
	startTimeout = 2 * time.Minute
	// quiet is how long nothing happens in Slack once the bot has done all it does at once. Between the press of a button and the
	// reply it asks Argo CD several times.
	quiet = 700 * time.Millisecond
	// gathering is how long the bot waits for others that fail with the same cause.
	gathering = 3 * time.Second
	// paced is how long the bot may hold a message back after another one: Slack takes one a second in a channel.
	paced = 1300 * time.Millisecond
	// patience ends waiting for quiet: a sync under way, for example, is reported for as long as it runs.
	patience = 10 * time.Second
	// long is a setting that Settle does not wait for: a story that has it says `wait`.
	long = 10 * time.Second
	// sweepTakes is what a sweep of a few applications needs, with room to spare.
	sweepTakes = time.Second
)

// Stage is the world of a story in real time: it implements story.World.
type Stage struct {
	*world.World
	bot     func(ctx context.Context, args ...string) *exec.Cmd
	timing  world.Timing
	grants  []world.Grant // not nil: without a line `allow` nobody can act
	effects effects
	// replicas are how many processes the bot is, and cluster where they have their journal: see Replicate.
	replicas int
	cluster  *world.Cluster
	// due is when the bot may act on the last change, at the latest.
	due   time.Time
	show  func(context.Context, story.Shown) error
	waits func(time.Duration)
}

// NewStage makes the stage of a world whose bot is run by that command. It is not started yet, and no one can act until a step `allow`.
func NewStage(w *world.World, bot func(ctx context.Context, args ...string) *exec.Cmd) *Stage {
	return &Stage{World: w, bot: bot, timing: world.DefaultTiming(), grants: []world.Grant{}, waits: func(time.Duration) {}}
}

// Replicate has the bot run as several processes, with their journal in a cluster.
func (s *Stage) Replicate(replicas int, cluster *world.Cluster) {
	s.replicas, s.cluster = replicas, cluster
}

// Wait implements story.World.
func (s *Stage) Wait(ctx context.Context, d time.Duration) error {
	if d >= long {
		s.waits(d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Settle implements story.World: the bot has acted on what changed, has acknowledged what people did, and changes nothing more.
func (s *Stage) Settle(ctx context.Context) error {
	if err := s.Wait(ctx, time.Until(s.due)); err != nil {
		return err
	}
	if !s.Bot().Running {
		return nil
	}
	defer s.effects.look(s.ArgoCD)
	deadline, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for deadline.Err() == nil && (s.changes(deadline) || s.Slack.Pending() > 0) {
	}
	return ctx.Err()
}

// changes reports whether something changes in Slack before it has been quiet for long enough.
func (s *Stage) changes(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, max(quiet, time.Until(s.posted().Add(paced))))
	defer cancel()
	asked := false
	return s.Slack.Await(ctx, func() bool {
		again := asked // the first time it is asked for what is so already
		asked = true
		return again
	}) == nil
}

// posted is when the bot last posted or changed a message.
func (s *Stage) posted() (last time.Time) {
	for _, method := range []string{"chat.postMessage", "chat.update"} {
		if calls := s.Slack.Log(method); len(calls) > 0 && calls[len(calls)-1].At.After(last) {
			last = calls[len(calls)-1].At
		}
	}
	return last
}

// Do implements story.World.
func (s *Stage) Do(ctx context.Context, step story.Step) error {
	args := step.Args
	switch step.Verb {
	case "config":
		return s.config(args)
	case "allow":
		return s.allow(args)
	case "start":
		return s.start(ctx)
	case "stop":
		s.StopBot()
	case "kill":
		return s.kill(args)
	case "fleet":
		return s.Populate()
	case "fail", "well", "gone":
		return s.change(step)
	case "sweep":
		s.Deliver(world.Delivered)
		return s.Wait(ctx, world.SweepEvery+sweepTakes)
	case "argocd":
		if args[0] == "down" {
			return s.ArgoCD.Stop()
		}
		return s.ArgoCD.Start()
	case "connection":
		s.connect(step.Connection())
	case "did":
		return s.did(ctx, step)
	case "hints", "fixed", "git", "job", "operation", "sync":
		return s.happens(ctx, step)
	default:
		return story.ErrUnplayable
	}
	return nil
}

func (s *Stage) config(args []string) error {
	settings, err := story.Settings(args)
	for _, one := range settings {
		switch one.Key {
		case "group":
			s.timing.GroupFrom = one.Number
		case "openAfter":
			s.timing.OpenAfter = one.Duration
		case "hold":
			s.timing.HoldFor = one.Duration
		case "reopen":
			s.timing.ReopenWithin = one.Duration
		case "remind":
			s.timing.RemindAfter = one.Duration
		case "keep":
			s.timing.ExpireAfter = one.Duration
		case "quiet":
			s.timing.QuietAfter = one.Duration
		case "digest":
			s.timing.Digest, s.timing.DigestZone = one.Schedule, one.Zone
		}
	}
	return err
}

func (s *Stage) allow(args []string) error {
	given, err := story.NewGrant(args)
	if err != nil {
		return err
	}
	var g world.Grant
	for _, kind := range given.Kinds {
		g.Actions = append(g.Actions, string(kind))
	}
	if g.Users, g.Groups, err = s.who(given.Who); err != nil {
		return err
	}
	if len(given.Approvers) > 0 {
		g.Approval = &world.Approval{ExpireAfter: given.Expire}
		if g.Approval.Users, g.Approval.Groups, err = s.who(given.Approvers); err != nil {
			return err
		}
	}
	s.grants = append(s.grants, g)
	return nil
}

func (s *Stage) who(names []string) (users, groups []string, err error) {
	ids := story.IDs(s.Slack)
	for _, name := range names {
		id, known := ids[name]
		switch {
		case !known:
			return nil, nil, fmt.Errorf("no person named %s: add one with `people %s`", name, name)
		case strings.HasPrefix(name, "@"):
			groups = append(groups, id)
		default:
			users = append(users, id)
		}
	}
	return users, groups, nil
}

func (s *Stage) start(ctx context.Context) error {
	o := world.BotOptions{Command: s.bot, ArgoCDPages: "https://argocd.example.com", Timing: s.timing, Grants: s.grants, Replicas: s.replicas, Cluster: s.cluster}
	if err := s.StartBot(ctx, o); err != nil {
		return err
	}
	s.expect(max(s.timing.OpenAfter, s.timing.HoldFor))
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	go func() { // the story may have it killed before it is ready
		for changed := s.BotChanged(); s.Bot().Running; changed = s.BotChanged() {
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
		cancel()
	}()
	err := s.AwaitBot(ctx)
	if state := s.Bot(); !state.Running {
		return state.Problem
	}
	return err
}

// expect has Settle wait until the bot acts on what has just changed, if that is soon.
func (s *Stage) expect(after time.Duration) {
	if after <= long {
		s.due = time.Now().Add(after + quiet)
	}
}

func (s *Stage) kill(args []string) error {
	if len(args) == 0 {
		s.KillBot()
		return nil
	}
	nth := 1
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil || n < 1 {
			return errors.New("calls are counted from 1")
		}
		nth = n
	}
	s.KillBotAt(args[1], nth, args[0] == "after")
	return nil
}
