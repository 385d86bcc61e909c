package statement

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

// LimitRange reports whether a LimitRange refuses something.
func LimitRange(s *diagnose.Statement) bool {
	return s.Failure.Has("usage per container", "usage per pod", "usage per persistentvolumeclaim", "storage usage per", "limit to request ratio", "minimum cpu", "maximum cpu", "minimum memory", "maximum memory")
}

// OutsideLimits is the finding about something that a LimitRange refuses.
func OutsideLimits(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := Namespace(in, s)
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("a LimitRange of namespace %s refuses %s", cmp.Or(ns, "the destination"), what),
		Why:        fmt.Sprintf("What is asked for %s is outside of what the namespace allows: %s", what, Words(s)),
		Fix: []diagnose.Fix{
			{Text: "See what is allowed", Command: diagnose.Shell("kubectl -n %s describe limitrange", cmp.Or(ns, "NAMESPACE"))},
			{Text: "Set resources.requests and limits within it, and push"},
		},
	}
}

// OverQuota is the finding about what a quota refuses: the resource itself, or its pods.
func OverQuota(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := Namespace(in, s)
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Shared:     "quota of namespace " + cmp.Or(ns, "the destination") + advice.OnCluster(in),
		Title:      fmt.Sprintf("the quota of namespace %s has no room for %s", cmp.Or(ns, "the destination"), what),
		Why:        fmt.Sprintf("A ResourceQuota refuses %s: %s", what, quotaWords(s)),
		Fix: []diagnose.Fix{
			{Text: "See what is used and what is allowed", Command: diagnose.Shell("kubectl -n %s describe resourcequota", cmp.Or(ns, "NAMESPACE"))},
			{Text: "Ask for less in the manifest, free something, or raise the quota"},
		},
	}
	if countsObjects(s) {
		f.Fix[1].Text = "Have fewer of them (fewer replicas), free something, or raise the quota"
	}
	if s.Failure.Has("must specify") {
		f.Title = fmt.Sprintf("the quota of namespace %s wants requests and limits that %s does not state", cmp.Or(ns, "the destination"), what)
		f.Fix[1] = diagnose.Fix{Text: "State the requests and limits that the message lists, in every container, and push; or give the namespace a LimitRange with defaults"}
		f.Shared = ""
		f.Sync = advice.Pointless("the quota wants requests and limits that the manifest does not state")
	}
	return f
}

// Quota reports whether a ResourceQuota refuses something.
func Quota(s *diagnose.Statement) bool {
	return s.Failure.Has("exceeded quota", "failed quota", "quota exceeded", "exceeds quota", "status unknown for quota")
}

// overdrawn is the API server's form: which quota, and for each of its resources what is asked for, used and allowed.
var overdrawn = regexp.MustCompile(`exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: ([^\s,]+(?:,[^\s,]+)*)`)

// quotaWords is what a quota refuses, in words; the API server's own where they have another form.
func quotaWords(s *diagnose.Statement) string {
	m := overdrawn.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return Words(s)
	}
	used, limited := amounts(m[3]), amounts(m[4])
	var out []string
	for pair := range strings.SplitSeq(m[2], ",") {
		name, asked, _ := strings.Cut(pair, "=")
		out = append(out, fmt.Sprintf("%s of %s %s are used, and %s more is asked for", cmp.Or(used[name], "?"), cmp.Or(limited[name], "?"), name, asked))
	}
	return fmt.Sprintf("in quota %s %s.", m[1], strings.Join(out, "; "))
}

func amounts(list string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		name, amount, _ := strings.Cut(pair, "=")
		out[name] = amount
	}
	return out
}

// countsObjects reports whether a quota limits how many objects there are, which no smaller request changes.
func countsObjects(s *diagnose.Statement) bool {
	m := overdrawn.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return false
	}
	for name := range amounts(m[2]) {
		if strings.HasPrefix(name, "requests.") || strings.HasPrefix(name, "limits.") || name == "cpu" || name == "memory" || strings.Contains(name, "storage") {
			return false
		}
	}
	return true
}
