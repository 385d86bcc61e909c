package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// needs is what health rules may ask for.
var needs = []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog}

// alreadyApplied is why a sync does not help where everything is applied.
var alreadyApplied = advice.Pointless("the cluster already matches Git")

// reporting is a check of the resources that belong to the rule. The first is reported in full, further ones are named.
func reporting(report func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		p := look(in)
		if p == nil {
			return diagnose.Nothing
		}
		var found []diagnose.Finding
		var about []*unhealthy.Resource
		for rank, s := range p.Resources {
			if s.Rule != in.Rule() {
				continue
			}
			f, ok := report(in, p, s)
			if !ok {
				continue
			}
			if same := sameOf(s, f, about, found); same >= 0 {
				found[same].Others = append(found[same].Others, s.Ref)
				continue
			}
			f.Resource, f.Rank, f.Examined = s.Ref, rank, s.Examined && s.Pod != nil && s.Of.Name == ""
			if s.Of.Name != "" {
				f.Why = text.Paragraph(fmt.Sprintf("%s runs it.", s.Of), f.Why)
			}
			if len(f.Evidence) == 0 {
				f.Evidence = s.Quotes()
			}
			f = withDrift(in, s, unseen(s, withShort(in, s, withNeed(in, s, f))))
			f.Outage, f.Earlier = lasts(in, s, f), s.BeganBefore(in)
			about = append(about, s)
			found = append(found, f)
		}
		// What is not a pod is known by its kind, so only an unread pod can suffer from something else.
		if len(found) == 0 && p.Unread && (p.Tree == nil || len(p.Resources) > 0 && p.Resources[0].Pod != nil) {
			return diagnose.Unknown
		}
		return diagnose.Found(found...)
	}
}

// lasts reports whether pods have not worked for long, or cannot begin to and wait for nothing, for a reason that is known and that neither
// their own manifest nor an object which a sync would bring explains.
func lasts(in *diagnose.In, s *unhealthy.Resource, f diagnose.Finding) bool {
	lacks := s.Symptom.Trouble == pods.ConfigMissing || strings.Contains(s.Symptom.Text, "persistentvolumeclaim \"")
	fails := s.PodCounts() && pods.Rank(s.Pod) == pods.RankFailing && (s.Symptom.Trouble == pods.ImagePull || s.Symptom.Trouble == pods.NotCreated || onlyLeftovers(in))
	return f.Role == "" && f.Confidence == diagnose.Certain && s.PodCounts() && (s.Overdue() || fails) && !s.OutOfSync && !lacks && s.Concealed == unhealthy.Shown
}

// onlyLeftovers reports whether all that differs from Git is what Git no longer has: no pod fails for lack of a sync.
func onlyLeftovers(in *diagnose.In) bool {
	return !slices.ContainsFunc(in.App().Status.Resources, func(r evidence.ResourceStatus) bool { return r.Status == "OutOfSync" && !r.RequiresPruning })
}

// withShort gives a finding a title without the name, and without the kind where a headline has no room for that either: what is wrong with this resource says
// more than the rule's own title, which fits all of its kind.
func withShort(in *diagnose.In, s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	what, ok := strings.CutPrefix(f.Title, s.Ref.String()+": ")
	if !ok {
		if rest, is := strings.CutPrefix(f.Title, s.Ref.String()+" "); is && f.Terse == "" {
			f.Terse = s.Ref.Kind + " " + withoutRemark(rest)
		}
		return f
	}
	what = strings.TrimPrefix(what, "container: ")
	if f.Terse == "" {
		f.Terse = text.UpperFirst(withoutRemark(strings.TrimPrefix(what, "its ")))
	}
	switch short := s.Ref.Kind + ": " + what; {
	case f.Short != "":
		return f
	case in.Fits(short):
		f.Short = short
		return f
	}
	what = strings.TrimPrefix(what, "its ")
	f.Short = text.UpperFirst(strings.Replace(what, " its pod", " the pod", 1))
	return f
}

// remark is the end of a title that it can do without: a remark in brackets, or where the trouble is seen.
var remark = pattern.MustCompile(`(?: \([^()]*\)|, though .*| (?:on|of) (?:the|its) node| for (?:the|its) pods?| by metric \S+)$`)

// withoutRemark is the clause of a title that says what is wrong.
func withoutRemark(what string) string { return remark.ReplaceAllString(what, "") }

// sameOf is the place of the finding that a resource belongs to, because it suffers from the same; -1 where there is none.
func sameOf(s *unhealthy.Resource, f diagnose.Finding, about []*unhealthy.Resource, found []diagnose.Finding) int {
	for i, other := range about {
		if !tellsOtherwise(s, f, other, found[i]) {
			return i
		}
	}
	return -1
}

// tellsOtherwise reports whether a resource was looked at closely and says something else than another one that the rule reports.
func tellsOtherwise(s *unhealthy.Resource, f diagnose.Finding, other *unhealthy.Resource, first diagnose.Finding) bool {
	if !s.Examined || s.Pod == nil {
		return false
	}
	quiet := f.Says.Text == "" && first.Says.Text == ""
	return impersonal(s, f.Says.Text) != impersonal(other, first.Says.Text) || s.Need != nil || first.Role == diagnose.RoleEffect ||
		quiet && strings.TrimPrefix(f.Title, s.Ref.String()) != strings.TrimPrefix(first.Title, first.Resource.String())
}

// passing is what differs between two pods that suffer from the same: their IDs, and the port that a connection left from.
var passing = pattern.MustCompile(`\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d+(?:\.\d+){3}:\d+->`)

// impersonal is what was said of a resource, without its names.
func impersonal(s *unhealthy.Resource, said string) string {
	if s.Pod != nil {
		said = strings.ReplaceAll(said, s.Pod.Name, "\x00")
	}
	return passing.ReplaceAllString(strings.ReplaceAll(said, s.Ref.Name, "\x00"), "\x00")
}

// longQuote is how much of a tool's words a report quotes before it leaves out what leads to them.
const longQuote = 400

// says quotes someone's words, without the wrapping of Kubernetes; of a very long text the end, where the cause is.
func says(who, said string) diagnose.Said {
	said = pods.Unwrap(said)
	if len(said) > longQuote {
		said = message.LastClause(said)
	}
	return diagnose.Said{Who: who, Text: said}
}

// emptyValue matches where a text has nothing between two words, where a value belongs: "strategy  is not supported".
var emptyValue = pattern.MustCompile(`(\b[A-Za-z]+ [a-z]+)  ((?:is|are|was) (?:not|invalid|unknown|unsupported|required)\b(?: [a-z]+)?|not found|does not [a-z]+|cannot [a-z]+)`)

// emptyClause says that a text names nothing where it should: the second space is not seen in a quote.
func emptyClause(said string) string {
	m := emptyValue.FindStringSubmatch(said)
	if m == nil {
		return ""
	}
	return fmt.Sprintf("Between %q and %q the message has nothing: that value is empty.", m[1], m[2])
}

// withDrift says what else a sync would do when the application is out of sync as well.
func withDrift(in *diagnose.In, s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	switch {
	case f.Sync.Verdict != "" || in.App().Status.Sync.Status != "OutOfSync":
	case s.OutOfSync && s.Leaving():
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("%s is still being deleted", s.Ref)}
	case s.OutOfSync:
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("%s differs from Git, and nothing shows that the version in Git works", s.Ref)}
		f.Why += fmt.Sprintf(" The live %s also differs from Git.", s.Ref.Kind)
	default:
		f.Sync = advice.Pointless(fmt.Sprintf("%s already matches Git; only other resources are out of sync", s.Ref))
	}
	return f
}

// unseen says why Argo CD calls a resource healthy that is not. What waits on purpose, or began a moment ago, is no failure.
func unseen(s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	const shown = "Argo CD still shows it as healthy: "
	switch s.Concealed {
	case unhealthy.Shown:
		return f
	case unhealthy.Unassessed:
		f.Why = text.Paragraph(f.Why, shown+"it has no health check for kind "+s.Ref.Kind+".")
	case unhealthy.Overlooked:
		f.Why = text.Paragraph(f.Why, shown+"its health check does not look at this.")
	case unhealthy.OnPurpose:
		f.Why = text.Paragraph(f.Why, "Argo CD shows it as healthy, because its manifest asks for this.")
		f.Role, f.Kind = diagnose.RoleNote, diagnose.KindUnfinished
	}
	if s.Settling {
		f.Why = text.Paragraph(f.Why, "It began "+text.Age(s.Since)+" ago and may pass.")
		f.Role, f.Kind, f.Confidence = diagnose.RoleNote, diagnose.KindUnfinished, diagnose.Possible
	}
	return f
}
