package reporttext

import (
	"net/url"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// NoRule is the rule of a finding that no rule made.
const NoRule = "unknown"

// Subject is the finding that the report is about: the root cause, or where none was found what explains best.
func Subject(r *diagnose.Report) *diagnose.Finding {
	if len(r.Findings) == 0 || r.Verdict == diagnose.VerdictHealthy && r.Root() == nil {
		return nil
	}
	return &r.Findings[0]
}

// Icon is the colour of a verdict.
func Icon(v diagnose.Verdict) string {
	switch v {
	case diagnose.VerdictFailing:
		return "🔴"
	case diagnose.VerdictDegraded, diagnose.VerdictDrifted:
		return "🟠"
	case diagnose.VerdictBlocked:
		return "🟡"
	case diagnose.VerdictProgressing:
		return "🔵"
	case diagnose.VerdictHealthy:
		return "🟢"
	case diagnose.VerdictUnknown:
	}
	return "⚪"
}

// SyncVerdict is a verdict on pressing Sync, as it stands after "Sync now: ".
func SyncVerdict(v diagnose.SyncVerdict) string {
	if v == diagnose.SyncOverwritesLive {
		return "overwrites live changes"
	}
	return string(v)
}

// inCluster is the address of the cluster that Argo CD itself runs in.
const inCluster = "https://kubernetes.default.svc"

// Place is the cluster and the namespace that an application goes to: "prod / payments".
func Place(d evidence.Destination) string {
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

// Basis says which rule a report rests on, how sure it is and how many facts were read: "hook/job-failed · certain · 4 facts".
// The finding is the one that the report is about, nil for none.
func Basis(r *diagnose.Report, f *diagnose.Finding) string {
	parts := []string{"no rule matched"}
	switch {
	case f != nil && f.Rule == NoRule:
		parts = []string{NoRule}
	case f != nil:
		parts = []string{f.Rule, string(f.Confidence)}
	}
	facts := 0
	for _, e := range r.Examined {
		facts += max(1, e.Calls) // read from a file, a fact costs no call
	}
	parts = append(parts, text.Count(facts, "fact", "facts"))
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
