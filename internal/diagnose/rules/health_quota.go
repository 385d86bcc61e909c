package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var healthQuota = &diagnose.Rule{
	ID:    "health/quota",
	Needs: refusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The quota or the limits have no room for the pods",
		What:     "The sync succeeded, but the controller of the workload may not create its pods: a ResourceQuota of the namespace has no room for them, or wants requests and limits that they do not state; or a LimitRange allows each of them less.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet or DaemonSet: \"exceeded quota\", \"failed quota\", or the words of a LimitRange.",
		Example:  "Error creating: pods \"web-d75587d6-w2tz8\" is forbidden: exceeded quota: team, requested: limits.cpu=1, used: limits.cpu=5426m, limited: limits.cpu=6",
		Fix:      "Free something, ask for less, or raise the quota.",
	},
	Sync: pointless("what Git wants is applied; the pods need room in the quota"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Derived() || !quota(s) && !limitRange(s) {
			return diagnose.Finding{}, false
		}
		if limitRange(s) {
			return outsideLimits(in, s, "the pods of "+called(s)), true
		}
		return overQuota(in, s, "the pods of "+called(s)), true
	}),
}

// overdrawn is the API server's form: which quota, and for each of its resources what is asked for, used and allowed.
var overdrawn = regexp.MustCompile(`exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: ([^\s,]+(?:,[^\s,]+)*)`)

// quotaWords is what a quota refuses, in words; the API server's own where they have another form.
func quotaWords(s *diagnose.Statement) string {
	m := overdrawn.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return words(s)
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

// refusalTold reports whether a rule about the refusal itself tells why a controller creates no pods for the resource.
func refusalTold(in *diagnose.In, s *sickResource) bool {
	pods, _ := podRefusals(in)
	for i := range pods {
		if pods[i].Resource == s.ref && (quota(&pods[i]) || limitRange(&pods[i]) || accountLookup.MatchString(pods[i].Failure.Text)) {
			return true
		}
	}
	return false
}
