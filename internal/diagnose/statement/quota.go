package statement

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// LimitRange reports whether a LimitRange refuses something.
func LimitRange(s *diagnose.Statement) bool {
	return s.Failure.Has("usage per container", "usage per pod", "usage per persistentvolumeclaim", "storage usage per", "limit to request ratio", "minimum cpu", "maximum cpu", "minimum memory", "maximum memory")
}

// OutsideLimits is the finding about something that a LimitRange refuses: a resource, or "the pods of" one.
func OutsideLimits(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := Namespace(in, s)
	title := what + " violates a LimitRange"
	if owner, ok := podsOf(what); ok {
		title = owner + ": its pods violate a LimitRange"
	}
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      text.UpperFirst(title),
		Why:        fmt.Sprintf("The LimitRange in %s sets what is allowed.", namespaceName(ns)),
		Says:       Says(s),
		Fix: []diagnose.Fix{
			{Text: "Set requests and limits that the LimitRange allows in Git, then push"},
			{Text: "List the allowed values", Command: diagnose.Shell("kubectl -n %s describe limitrange", cmp.Or(ns, "NAMESPACE"))},
		},
	}
	if own := hasOwn(in, "LimitRange", ns); own != "" {
		f.Fix[0].Text = fmt.Sprintf("Set requests and limits in Git that the LimitRange allows, or change %s, which this application has in its own Git; then push", own)
	}
	return f
}

// podsOf is the owner of "the pods of Deployment/web".
func podsOf(what string) (owner string, ok bool) { return strings.CutPrefix(what, "the pods of ") }

// namespaceName is a namespace within a sentence.
func namespaceName(ns string) string {
	if ns == "" {
		return "the destination namespace"
	}
	return "namespace " + ns
}

// OverQuota is the finding about what a quota refuses: a resource, or "the pods of" one.
func OverQuota(in *diagnose.In, s *diagnose.Statement, what string) diagnose.Finding {
	ns := Namespace(in, s)
	if s.Failure.Has("must specify") {
		return unspecified(ns, s, what)
	}
	name, ownQuota := "", false
	if m := overdrawn.FindStringSubmatch(s.Failure.Text); m != nil {
		name, ownQuota = m[1], isOwn(in, "ResourceQuota", m[1], ns)
	}
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Shared:     "quota of namespace " + cmp.Or(ns, "the destination") + advice.OnCluster(in),
		Title:      text.UpperFirst(what) + " exceeds a quota",
		Fix: []diagnose.Fix{
			{Text: "Lower the requests in Git and push, free up resources in the namespace, or raise the quota"},
			checkQuota(ns),
		},
	}
	if used := usage(s); used != "" {
		f.Why = fmt.Sprintf("In %s, %s", namespaceName(ns), used)
	} else {
		f.Why = fmt.Sprintf("The quota is in %s.", namespaceName(ns))
		f.Says = Says(s)
	}
	if countsObjects(s) {
		f.Fix[0].Text = "Delete objects of this kind that are no longer needed, deploy fewer of them, or raise the quota"
	}
	if onlyLimits(s) {
		f.Fix[0].Text = strings.Replace(f.Fix[0].Text, "Lower the requests", "Lower the limits", 1)
	}
	if owner, ok := podsOf(what); ok {
		f.Title = owner + ": its pods exceed a quota"
		if countsObjects(s) {
			f.Fix[0].Text = "Run fewer replicas, delete what is no longer needed in the namespace, or raise the quota"
		}
	}
	if name == gkeQuota {
		f.Why = text.Paragraph(f.Why, "GKE itself sets this quota on small clusters: it cannot be removed, and a manual change does not last.")
		f.Fix[0].Text = strings.Replace(f.Fix[0].Text, "or raise the quota", "or ask Google's support for a higher quota", 1)
	}
	if ownQuota { // then it is raised where it lives
		f.Shared = ""
		f.Why = text.Paragraph(f.Why, "This application has the quota in its own Git.")
		f.Fix[0].Text = strings.Replace(f.Fix[0].Text, "or raise the quota", fmt.Sprintf("or raise spec.hard of ResourceQuota/%s in Git and push", name), 1)
	}
	return f
}

// gkeQuota is the quota that GKE puts into every namespace of a small cluster.
const gkeQuota = "gke-resource-quotas"

// isOwn reports whether an object of a namespace is part of the application.
func isOwn(in *diagnose.In, kind, name, namespace string) bool {
	return OwnIn(in, kind, namespace, name) != nil
}

// hasOwn reports whether the application has an object of the kind in the namespace, whatever its name.
func hasOwn(in *diagnose.In, kind, namespace string) string {
	for _, r := range in.App().Status.Resources {
		if r.Kind == kind && r.Group == "" && r.Namespace == namespace {
			return r.Ref().String()
		}
	}
	return ""
}

// unspecified is the finding about a quota that counts what the manifest does not set.
func unspecified(ns string, s *diagnose.Statement, what string) diagnose.Finding {
	owner, _ := podsOf(what)
	said := Says(s)
	if _, missing, ok := strings.Cut(said.Text, "must specify "); ok {
		said.Text = "must specify " + missing
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      text.UpperFirst(cmp.Or(owner, what)) + ": the quota requires requests and limits",
		Why:        fmt.Sprintf("A ResourceQuota in %s refuses every pod that does not set them.", namespaceName(ns)),
		Says:       said,
		Fix: []diagnose.Fix{
			{Text: "Set them in every container and push, or add a LimitRange with defaults to the namespace"},
			checkQuota(ns),
		},
		Sync: advice.Pointless("the quota requires requests and limits that the manifest does not set"),
	}
}

func checkQuota(ns string) diagnose.Fix {
	return diagnose.Fix{Text: "Show what is used and what is allowed", Command: diagnose.Shell("kubectl -n %s describe resourcequota", cmp.Or(ns, "NAMESPACE"))}
}

// Quota reports whether a ResourceQuota refuses something.
func Quota(s *diagnose.Statement) bool {
	return s.Failure.Has("exceeded quota", "failed quota", "quota exceeded", "exceeds quota", "status unknown for quota")
}

// overdrawn is the API server's form: which quota, and how much of each of its resources is requested, used and allowed.
var overdrawn = pattern.MustCompile(`exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: ([^\s,]+(?:,[^\s,]+)*)`)

// usage is how full a quota is and what is requested of it, empty where the API server says it in another form.
func usage(s *diagnose.Statement) string {
	m := overdrawn.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return ""
	}
	used, limited := amounts(m[3]), amounts(m[4])
	var out []string
	for pair := range strings.SplitSeq(m[2], ",") {
		name, requested, _ := strings.Cut(pair, "=")
		out = append(out, fmt.Sprintf("%s of %s %s in use, %s more requested", cmp.Or(used[name], "?"), cmp.Or(limited[name], "?"), name, requested))
	}
	return fmt.Sprintf("ResourceQuota %s has no room: %s.", m[1], strings.Join(out, "; "))
}

func amounts(list string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		name, amount, _ := strings.Cut(pair, "=")
		out[name] = amount
	}
	return out
}

// countsObjects reports whether a quota limits the number of objects, which a smaller request does not change.
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

// onlyLimits reports whether all that has no room are limits of containers.
func onlyLimits(s *diagnose.Statement) bool {
	m := overdrawn.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return false
	}
	for name := range amounts(m[2]) {
		if !strings.HasPrefix(name, "limits.") {
			return false
		}
	}
	return true
}
