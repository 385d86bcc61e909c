package terminal

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/text"
)

// contextParts say where, which revision, since when, which attempt. What is unknown is left out.
func contextParts(r *diagnose.Report) []string {
	c := r.Context
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, text.OneLine(s))
		}
	}
	add(r.App.Instance)
	add(reporttext.Place(c.Destination))
	add(c.OfProject())
	add(text.Revision(c.Revision))
	add(operation(c))
	if c.Phase == "" && r.Verdict != diagnose.VerdictHealthy {
		add(c.SyncStatus)
		add(c.Health)
	}
	if c.Attempt > 0 && c.Attempts > 0 {
		add(fmt.Sprintf("attempt %d of %d", c.Attempt, c.Attempts))
	}
	return parts
}

// operation says how the last operation went and who started it.
func operation(c diagnose.Context) string {
	var s string
	switch c.Phase {
	case "":
		if c.DryRun {
			return "the last operation was a dry run"
		}
		return ""
	case evidence.OperationFailed, evidence.OperationError:
		s = "failed"
		if c.Ago > 0 {
			s += " " + text.Duration(c.Ago) + " ago"
		}
	default:
		s = strings.ToLower(c.Phase)
		if c.Ago > 0 {
			s += " for " + text.Duration(c.Ago)
		}
		if c.DryRun {
			s = "dry run " + s
		}
	}
	if c.InitiatedBy != "" {
		s += ", started by " + c.InitiatedBy
	}
	return s
}
