package terminal

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// inCluster is the address of the cluster that Argo CD itself runs in.
const inCluster = "https://kubernetes.default.svc"

// contextLine says where, which revision, since when, which attempt; what is unknown is left out.
func contextLine(r *diagnose.Report) string {
	c := r.Context
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, oneLine(s))
		}
	}
	add(r.App.Instance)
	add(destination(c.Destination))
	if c.Project != "" && c.Project != "default" {
		add("project " + c.Project)
	}
	add(diagnose.Short(c.Revision))
	add(operation(c))
	if c.Phase == "" && r.Verdict != diagnose.VerdictHealthy {
		add(c.SyncStatus)
		add(c.Health)
	}
	if c.Attempt > 0 && c.Attempts > 0 {
		add(fmt.Sprintf("attempt %d of %d", c.Attempt, c.Attempts))
	}
	return strings.Join(parts, " · ")
}

func destination(d evidence.Destination) string {
	cluster := d.Name
	switch {
	case cluster != "":
	case d.Server == inCluster:
		cluster = "in-cluster"
	default:
		cluster = d.Server
		if u, err := url.Parse(d.Server); err == nil && u.Host != "" {
			cluster = u.Host
		}
	}
	if cluster == "" || d.Namespace == "" {
		return cluster + d.Namespace
	}
	return cluster + " / " + d.Namespace
}

// operation says how the last operation went and who started it.
func operation(c diagnose.Context) string {
	var s string
	switch c.Phase {
	case "":
		return ""
	case evidence.OperationFailed, evidence.OperationError:
		s = "failed"
		if c.Ago > 0 {
			s += " " + span(c.Ago) + " ago"
		}
	default:
		s = strings.ToLower(c.Phase)
		if c.Ago > 0 {
			s += " for " + span(c.Ago)
		}
	}
	if c.InitiatedBy != "" {
		s += ", started by " + c.InitiatedBy
	}
	return s
}

// span is a duration as people say it: one unit, rounded down.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// seconds is how long the diagnosis took.
func seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
