package action

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Summary is what is done in one sentence, for the record.
func (p *Plan) Summary() string {
	switch p.Kind {
	case HardRefresh:
		return "hard refresh"
	case Mute:
		if p.MuteFor <= 0 {
			return "unmute"
		}
		return "mute for " + text.Duration(p.MuteFor)
	case Terminate:
		return p.termination()
	case DeleteHookJob:
		s := "delete " + jobName(p)
		if p.Job != nil && p.Job.Hook != "" {
			s += fmt.Sprintf(" (%s hook)", strings.ReplaceAll(p.Job.Hook, ",", ", "))
		}
		if !p.Operation.IsZero() {
			s = p.termination() + " and " + s
		}
		return s
	case Sync:
		return p.syncSummary()
	}
	return string(p.Kind)
}

func (p *Plan) termination() string {
	if p.Operation.IsZero() {
		return "terminate the operation"
	}
	return "terminate the sync that started at " + text.Moment(p.Operation, p.built)
}

func (p *Plan) syncSummary() string {
	s := "sync"
	if p.Sync.DryRun {
		s = "dry run of"
	}
	if p.Revision != "" {
		s += " " + text.Revisions(p.Revision)
	}
	if n := len(p.Sync.Resources); n > 0 {
		s += ", only " + text.Count(n, "resource", "resources")
	}
	counts := map[Effect]int{}
	for _, c := range p.Changes {
		counts[c.Effect]++
	}
	var parts []string
	for _, e := range effects {
		if counts[e] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[e], e))
		}
	}
	if len(parts) == 0 {
		return s + " (no changes)"
	}
	return s + " (" + strings.Join(parts, ", ") + ")"
}

func jobName(p *Plan) string {
	r := p.Target
	if p.Job != nil {
		r = p.Job.Ref
	}
	return "Job " + r.Name
}
