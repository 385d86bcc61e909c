package script

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/story"
)

// Recorded is where the cases are that test/story names, seen from the root of the repository.
const Recorded = "internal/diagnose/rules/testdata/cases"

func named(app string) simulator.Name {
	namespace, name := story.Application(app)
	return simulator.Name{Namespace: namespace, Name: name}
}

// failure is what a story calls it: a recorded case by its path, an example of the demo by its rule or its application, or a case
// file.
func (s *Stage) failure(name string) (*world.Failure, error) {
	for _, f := range s.Failures() {
		if f.Rule == name || f.App.Name == name {
			return f, nil
		}
	}
	var missing error
	for _, file := range []string{filepath.Join(Recorded, filepath.FromSlash(name)+".json"), name} {
		text, err := os.ReadFile(file)
		if err == nil {
			return s.Add(text)
		}
		missing = err
	}
	if !errors.Is(missing, os.ErrNotExist) {
		return nil, missing
	}
	return nil, fmt.Errorf("no case %s: it is not a case file, not in %s, and not one of the demo's (%s)", name, Recorded, s.examples())
}

func (s *Stage) examples() string {
	var all []string
	for _, f := range s.Failures() {
		if f.Rule != "" {
			all = append(all, f.Rule)
		}
	}
	return strings.Join(all, ", ")
}

// change has applications fail, be well, or be gone.
func (s *Stage) change(step story.Step) error {
	s.Deliver(world.Delivered)
	if step.Unheard { // until something is heard of again: the notification of this change is sent in its own time
		s.Deliver(world.Lost)
	}
	apps := step.Args
	if step.Verb != "fail" {
		s.expect(s.timing.HoldFor)
		return s.each(apps, func(name simulator.Name) error {
			if step.Verb == "gone" {
				return s.ArgoCD.Remove(name)
			}
			return s.ArgoCD.Settle(name)
		})
	}
	f, err := s.failure(apps[len(apps)-1])
	if err != nil {
		return err
	}
	var names []simulator.Name
	for _, app := range apps[:len(apps)-1] {
		names = append(names, named(app))
	}
	s.expect(s.timing.OpenAfter)
	if len(names) > 1 {
		s.expect(s.timing.OpenAfter + gathering)
	}
	return s.Break(f, names...)
}

func (s *Stage) each(apps []string, do func(simulator.Name) error) error {
	for _, app := range apps {
		if err := s.there(named(app)); err != nil {
			return err
		}
		if err := do(named(app)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stage) there(name simulator.Name) error {
	if _, err := s.ArgoCD.State(name); err != nil {
		return fmt.Errorf("no application %s yet: make it fail first", name.Name)
	}
	return nil
}

// connect changes how Argo CD sees one of its connections.
func (s *Stage) connect(of story.Connection) {
	if c := simulator.Tested(of.Cluster, of.Address, of.Error); of.Removed {
		s.ArgoCD.Disconnect(c)
	} else {
		s.ArgoCD.Connect(c)
	}
}

// happens changes what is so of an application, without the bot.
func (s *Stage) happens(ctx context.Context, step story.Step) error {
	name := named(step.Args[0])
	if err := s.there(name); err != nil {
		return err
	}
	switch step.Verb {
	case "hints":
		n, err := strconv.Atoi(step.Args[1])
		if err != nil {
			return err
		}
		s.Notify(ctx, name, n)
		return nil
	case "fixed":
		if len(step.Args) > 1 {
			return s.Commit(name, step.Args[1])
		}
		return s.Repair(name)
	case "git":
		if len(step.Args) > 2 {
			return s.CommitElsewhere(step.Args[1], name)
		}
		return s.CommitElse(name, step.Args[1])
	case "job":
		state, err := s.ArgoCD.State(name)
		if err != nil {
			return err
		}
		if len(state.FailedJobs) == 0 {
			return fmt.Errorf("%s has no failed Job", name.Name)
		}
		return s.ArgoCD.Delete(name, state.FailedJobs[0])
	case "sync":
		return s.ArgoCD.Sync(name, false)
	default: // operation
		return s.ArgoCD.Terminate(name)
	}
}
