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

// Sync is the advice on pressing Sync as a sentence: lead is its beginning, which is emphasised, and reason what follows, with a
// full stop.
//
//	Syncing won't help: the hook will fail again until the migration is fixed.
//	Syncing deletes PersistentVolumeClaim/data and the data in it.
//	Sync only if bb498fd contains the fix: the hook will fail again until the migration is fixed.
func Sync(s diagnose.Sync) (lead, reason string) {
	lead = leads[s.Verdict]
	if s.Newer != "" {
		lead = "Sync only if " + text.Revision(s.Newer) + " contains the fix"
	}
	if s.Why == "" || lead == "" {
		return lead, ""
	}
	reason = text.Sentence(s.Why)
	if s.Verdict == diagnose.SyncDestructive {
		return lead, " " + reason
	}
	return lead + ":", " " + reason
}

// leads begin the advice on a sync.
var leads = map[diagnose.SyncVerdict]string{
	diagnose.SyncSafe:           "Sync is safe",
	diagnose.SyncPointless:      "Syncing won't help",
	diagnose.SyncOverwritesLive: "Syncing would undo a live change",
	diagnose.SyncDestructive:    "Syncing",
	diagnose.SyncBlocked:        "Argo CD will refuse",
	diagnose.SyncUnknown:        "Can't tell whether syncing helps",
}

// Others are the further resources of a finding; where two have one name, with their namespaces.
func Others(f *diagnose.Finding) []string {
	count := map[string]int{f.Resource.String(): 1}
	for _, o := range f.Others {
		count[o.String()]++
	}
	out := make([]string, len(f.Others))
	for i, o := range f.Others {
		if out[i] = o.String(); count[out[i]] > 1 && o.Namespace != "" {
			out[i] += " in namespace " + o.Namespace
		}
	}
	return out
}

// Confidence is how sure a finding is, in a word.
func Confidence(c diagnose.Confidence) string {
	if c == diagnose.Certain {
		return "confirmed"
	}
	return string(c)
}

// inCluster is the address of the cluster that Argo CD itself runs in.
const inCluster = "https://kubernetes.default.svc"

// Place is the cluster and the namespace that an application goes to: "prod / payments".
func Place(d evidence.Destination) string {
	cluster := clusterOf(d)
	if cluster == "" || d.Namespace == "" {
		return cluster + d.In()
	}
	return cluster + " / " + d.In()
}

// Where is Place in words: "cluster prod, namespace payments". Argo CD's own cluster has no name that anybody knows.
func Where(d evidence.Destination) string {
	var parts []string
	switch cluster := clusterOf(d); cluster {
	case "":
	case "in-cluster":
		parts = append(parts, "Argo CD's own cluster")
	default:
		parts = append(parts, "cluster "+cluster)
	}
	if d.Namespace != "" {
		parts = append(parts, "namespace "+d.In())
	}
	return strings.Join(parts, ", ")
}

// clusterOf is how people call a cluster: by its name, else by its host.
func clusterOf(d evidence.Destination) string {
	switch {
	case d.Name != "":
		return d.Cluster()
	case d.Server == inCluster:
		return "in-cluster"
	}
	if u, err := url.Parse(d.Server); err == nil && u.Host != "" {
		return u.Host
	}
	return d.Cluster()
}

// Basis says which rule a report rests on and how sure it is: "hook/job-failed · confirmed". The finding is the one that the report
// is about, nil for none.
func Basis(f *diagnose.Finding) string {
	switch {
	case f == nil:
		return "no rule matched"
	case f.Rule == NoRule:
		return "no known cause matched"
	case f.Confidence == "":
		return f.Rule
	}
	return f.Rule + " · " + Confidence(f.Confidence)
}

// Unquoted are the quotes of a finding that the report has not shown yet: those whose words are neither in its headline nor in its
// why are left. A quote that says more than was shown is whole.
func Unquoted(r *diagnose.Report, f *diagnose.Finding) []diagnose.Quote {
	shown := text.OneLine(r.Headline + " " + f.Why)
	return slices.DeleteFunc(slices.Clone(f.Evidence), func(q diagnose.Quote) bool {
		said := strings.Trim(text.OneLine(q.Text), ".:; ")
		return len(said) >= shortQuote && strings.Contains(shown, said)
	})
}

// shortQuote is the length below which a quote is shown in any case: a word or two are in every text.
const shortQuote = 12
