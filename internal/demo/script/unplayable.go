package script

import (
	"errors"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/story"
)

// playable reports, with their lines, the steps that only a story under virtual time can have.
func playable(s *story.Story) error {
	var errs []error
	started := false
	for _, step := range s.Steps {
		started = started || step.Verb == "start"
		if why := unplayable(step, started); why != "" {
			errs = append(errs, step.Fails(fmt.Errorf("%w: %s", story.ErrUnplayable, why)))
		}
	}
	return errors.Join(errs...)
}

// unplayable is why a step cannot be played in the demo; "" if it can.
func unplayable(step story.Step, started bool) string {
	switch step.Verb {
	case "config", "allow":
		if started {
			return "the bot reads its configuration when it starts: move the line up"
		}
	case "access", "project":
		return "the demo's bot lets everyone see everything"
	case "called":
		return "the demo plays cases as they were recorded"
	case "route":
		return "the demo's bot posts everything to #deploys"
	case "argocd":
		if step.Args[0] == "removed" || step.Args[0] == "added" {
			return "the demo's bot always watches the demo's Argo CD"
		}
	case "connection":
		if step.Args[1] == "serves" {
			return "the demo's Argo CD knows what depends on a connection"
		}
	case "roll":
		return "a rollout is not simulated"
	case "synced":
		return "a sync by another user is not simulated: use fixed, then press Sync"
	case "refuses":
		return "a refused dry run is not simulated"
	case "token":
		return "the bot reads tokens every 10 min, later than a demo lasts"
	case "controller":
		return "the bot waits for minutes before it says so, longer than a demo lasts"
	case "window":
		return "the demo's projects have no sync windows"
	case "journal", "entries":
		return "the journal is a file that only the bot has open"
	case "leader":
		return "the demo's bot is alone"
	case "kill":
		if len(step.Args) > 0 && !strings.Contains(step.Args[1], ".") {
			return "from outside, the bot can only be killed around a call to Slack, such as chat.postMessage"
		}
	case "job":
		if step.Args[1] != "gone" {
			return "only the deletion of a Job is simulated"
		}
	}
	return ""
}
