package soak_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/story"
)

// scene is the world that the moves change: that of the demo, with what only soak does to it. It implements story.World.
type scene struct {
	*script.Stage
	player *story.Player
	told   func(line string) // gets every step as it is played
	down   bool              // Argo CD does not answer, by a step
	// recorded are the cases that an application can fail like, as stories name them, by rule.
	recorded map[string][]string
	failed   map[string]string // what each application failed of last
	starts   []time.Time       // of the bot, and of replicas that began to lead
	replicas *replicas         // nil: the bot is one process
}

// newScene makes one for the root of the repository as the working directory: there are the recorded cases that steps name.
func newScene(w *world.World, bot func(ctx context.Context, args ...string) *exec.Cmd, told func(string)) (*scene, error) {
	s := &scene{Stage: script.NewStage(w, bot), told: told, failed: map[string]string{}, recorded: map[string][]string{}}
	s.player = &story.Player{World: s, Slack: w.Slack, Bot: w.People.App, Channel: world.Channel}
	files, err := filepath.Glob(filepath.Join(script.Recorded, "*", "*", "*.json"))
	for _, file := range files {
		name, _ := filepath.Rel(script.Recorded, strings.TrimSuffix(file, ".json"))
		if name = filepath.ToSlash(name); !strings.HasPrefix(name, "control/") { // those are no failures
			s.recorded[path.Dir(name)] = append(s.recorded[path.Dir(name)], name)
		}
	}
	if err == nil && files == nil {
		err = errors.New("no recorded cases in " + script.Recorded)
	}
	return s, err
}

// play plays a step. That somebody is refused what they tried is a part of life, and noted.
func (s *scene) play(ctx context.Context, verb string, args ...string) {
	s.step(ctx, story.Step{Verb: verb, Args: args})
}

// unheard plays a step that nobody reports to the bot.
func (s *scene) unheard(ctx context.Context, verb string, args ...string) {
	s.step(ctx, story.Step{Verb: verb, Args: args, Unheard: true})
}

func (s *scene) step(ctx context.Context, step story.Step) {
	s.does(step.String(), func() error { return s.player.Step(ctx, step) })
}

// does notes a step and does it.
func (s *scene) does(line string, do func() error) {
	s.told(line)
	if err := do(); err != nil {
		s.told("# " + strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// Settle implements story.World. Soak waits after all moves of a step, and not after each.
func (s *scene) Settle(ctx context.Context) error { return ctx.Err() }

// Do implements story.World.
func (s *scene) Do(ctx context.Context, step story.Step) error {
	args := step.Args
	switch step.Verb {
	case "sync":
		return s.ArgoCD.Sync(named(args[0]), slices.Contains(args, "prune"))
	case "refresh":
		return s.ArgoCD.Refresh(named(args[0]), slices.Contains(args, "hard"))
	case "edit":
		_, err := s.ArgoCD.Edit(named(args[0]))
		return err
	case "deletes":
		return s.deleteResource(args[0], args[1])
	case "elsewhere":
		return s.CommitElsewhere(args[0], s.ArgoCD.Names()...)
	case "argocd":
		return s.argoCD(step)
	case "start":
		s.starts = append(s.starts, time.Now())
		if s.down { // it is not ready before Argo CD answers
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Second)
			defer cancel()
		}
	case "kill":
		if len(args) > 1 && methods[args[1]] != "" {
			s.killAround(args[0], methods[args[1]])
			return nil
		}
	}
	return s.Stage.Do(ctx, step)
}

// deleteResource is kubectl delete of the nth resource of an application.
func (s *scene) deleteResource(app, nth string) error {
	details, err := s.ArgoCD.Details(named(app))
	if err != nil || len(details.Resources) == 0 {
		return err
	}
	ref := details.Resources[number(nth)%len(details.Resources)].Ref
	s.told("# " + ref.String())
	return s.ArgoCD.Delete(named(app), ref)
}

// methods are the calls that act, as stories call them and as Argo CD does.
var methods = map[string]string{"sync": "Sync", "delete": "DeleteResource", "terminate": "TerminateOperation"}

var errLost = status.Error(codes.Unavailable, "connection reset by peer")

func (s *scene) argoCD(step story.Step) error {
	switch step.Args[0] {
	case "lost":
		s.ArgoCD.Interrupt(methods[step.Args[1]], func(call func() error) error {
			_ = call() // nobody hears what it says
			return errLost
		})
		return nil
	case "fails":
		s.down = true
		s.ArgoCD.Fail("", status.Error(codes.Unavailable, "argocd-server is restarting"))
		return nil
	case "up":
		s.down = false
		s.ArgoCD.Fail("", nil)
		_ = s.ArgoCD.Start() // it runs already where it only answered with errors
		return nil
	case "breaks":
		s.ArgoCD.Break()
		return nil
	}
	s.down = true
	return s.ArgoCD.Stop()
}

// killAround kills the bot when its next call of a method arrives, or has had its effect.
func (s *scene) killAround(when, method string) {
	s.ArgoCD.Interrupt(method, func(call func() error) error {
		if when == "after" {
			_ = call() // nobody hears what it says
		}
		s.KillBot()
		return errLost
	})
}

// upright puts right what is no failure of an application: Argo CD answers, the bot runs, what was armed and has not struck is taken
// back.
func (s *scene) upright(ctx context.Context) {
	if s.down {
		s.play(ctx, "argocd", "up")
	}
	if s.replicas != nil {
		s.replicas.settled.Wait()
	}
	if !s.Bot().Running {
		s.play(ctx, "start")
	}
}

func (s *scene) disarm() {
	s.Slack.ClearFaults()
	for _, method := range methods {
		s.ArgoCD.Interrupt(method, nil)
	}
}

func named(app string) simulator.Name { return simulator.Name{Namespace: "argocd", Name: app} }

// revision is one that tells when it was pushed.
func revision(step, nth int) string { return fmt.Sprintf("%07x%033x", step*16+nth+0xa000000, step) }
