package action

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Summary is what is done in one sentence, for the record.
func (p *Plan) Summary() string {
	switch p.Kind {
	case HardRefresh:
		return "hard refresh"
	case Mute:
		if p.MuteFor <= 0 {
			return "end the mute"
		}
		return "mute for " + Span(p.MuteFor)
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
	return "terminate the sync that began at " + Moment(p.Operation, p.built)
}

func (p *Plan) syncSummary() string {
	s := "sync"
	if p.Sync.DryRun {
		s = "dry run of"
	}
	if p.Revision != "" {
		s += " " + Short(p.Revision)
	}
	if n := len(p.Sync.Resources); n > 0 {
		s += ", only " + diagnose.Count(n, "resource", "resources")
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
		return s + ": nothing differs"
	}
	return s + ": " + strings.Join(parts, ", ")
}

func jobName(p *Plan) string {
	r := p.Target
	if p.Job != nil {
		r = p.Job.Ref
	}
	return "Job " + r.Name
}

// Short shortens each of the revisions that are joined by ", ".
func Short(revisions string) string {
	parts := strings.Split(revisions, ", ")
	for i := range parts {
		parts[i] = diagnose.Short(parts[i])
	}
	return strings.Join(parts, ", ")
}

// Moment is a time of day in UTC, with the date where it is not today's.
func Moment(t, now time.Time) string {
	t = t.UTC()
	switch {
	case t.IsZero():
		return "an unknown time"
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format("15:04 MST")
	}
	return t.Format("2 Jan 15:04 MST")
}

// Span is a duration in the unit that people would use.
func Span(d time.Duration) string {
	d = d.Round(time.Minute)
	switch h, m := int(d.Hours()), int(d.Minutes())%60; {
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	default:
		return fmt.Sprintf("%d h %d min", h, m)
	}
}

// sentence ends a text with a full stop, once.
func sentence(text string) string { return strings.TrimRight(text, ". ") + "." }
