package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ClusterForbidden = &diagnose.Rule{
	ID: "compare/cluster-forbidden",
	Doc: diagnose.Doc{
		Title:    "Argo CD cannot list a kind of resource",
		What:     "To compare, the controller lists every kind of resource in the destination cluster. If its account is not allowed to list one of them, it cannot cache the cluster, and no application there can be compared.",
		Decisive: "Reading the live state fails with \"forbidden\" for a list or watch.",
		Example:  "failed to sync cluster https://10.96.0.1:443: failed to load initial state of resource LimitRange: limitranges is forbidden: User \"system:serviceaccount:argocd:argocd-application-controller\" cannot list resource \"limitranges\"",
		Fix:      "Allow Argo CD's account to get, list and watch the kind, or exclude the kind (resource.exclusions in argocd-cm).",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion"},
	},
	Sync: advice.Blocked("it cannot compare anything on this cluster"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isLive(f) || !f.Has("forbidden", "cannot list resource", "cannot get resource", "cannot watch resource") || f.Has("conversion webhook") {
			return diagnose.Finding{}, false
		}
		v, _ := f.Forbidden()
		if v.User == "system:anonymous" {
			return anonymous(in, v), true
		}
		if v.Namespace != "" && v.Authorizer == "" && v.Resource != "" && !strings.HasPrefix(v.User, "arn:") {
			return forbiddenInNamespace(in, v), true
		}
		what, kind := cmp.Or(v.Resource, "a kind of resource"), kindRead.FindStringSubmatch(f.Flat())
		if v.Resource == "" && kind != nil {
			what = advice.Dotted(kind[1], kind[2])
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "Argo CD's rights" + advice.OnCluster(in), // which kind Argo CD met first is chance
			Title:      fmt.Sprintf("Argo CD is not allowed to %s %s", cmp.Or(v.Verb, "list"), named(v, what)),
			Short:      fmt.Sprintf("Argo CD is not allowed to %s %s", cmp.Or(v.Verb, "list"), what),
			Why:        lacks(v, what) + " Argo CD reads every kind of resource before it compares, so every application on this cluster is affected.",
			Fix:        granted(v, what),
		}
		ignore := func(text string) []diagnose.Fix {
			if kind == nil || isEssential(kind[1], cmp.Or(kind[2], v.Group)) {
				return nil
			}
			return []diagnose.Fix{exclusion(in, text, kind[1], cmp.Or(kind[2], v.Group))}
		}
		const orIgnore = "Or, if no application on any cluster has objects of the kind, tell Argo CD to ignore it,"
		switch {
		case v.Authorizer != "":
			out.Why = fmt.Sprintf("Another authorizer than RBAC refuses it to %s, so a Role does not help. Argo CD reads every kind of resource before it compares, so every application on this cluster is affected.", v.User)
			out.Says = diagnose.Said{Who: "The authorizer says", Text: v.Authorizer}
			if out.Fix = ignore("If no application on any cluster has objects of the kind, tell Argo CD to ignore it,"); out.Fix == nil {
				out.Fix = []diagnose.Fix{{Text: "Have the authorizer let the account read the kind"}}
			}
			if strings.Contains(strings.ToLower(v.Authorizer), "azure") {
				out.Fix = append([]diagnose.Fix{{Text: "Assign the account an Azure role on the cluster that lets it read everything, such as Azure Kubernetes Service RBAC Reader; this lists the roles it has", Command: diagnose.Shell("az role assignment list --all --assignee %s --output table", v.User)}}, out.Fix...)
			}
		case strings.HasPrefix(v.User, "arn:aws:sts:"): // the name of a session, which changes
			out.Fix = []diagnose.Fix{{Text: "Give the IAM role that Argo CD assumes access to the cluster: an EKS access entry with a policy that lets it read everything, such as AmazonEKSClusterAdminPolicy"}}
			out.Fix = append(out.Fix, ignore(orIgnore)...)
		case f.Has("at the cluster scope") && v.User != "" && builtIn(v.Group):
			if ownRole(in, v.User) == "" {
				out.Why += " An account that may not do this most often has no ClusterRole at all on this cluster."
			} else {
				out.Why += " Argo CD's own ClusterRole allows every kind, so it is probably not bound to this account."
			}
			grant := out.Fix
			grant[0].Text = "Or, if the account has a role of its own that lacks only this kind, create one with the missing permission"
			out.Fix = append(boundRole(in, v.User), grant...)
			out.Fix = append(out.Fix, ignore("If the account has a role that leaves out this kind on purpose, tell Argo CD to ignore the kind,")...)
		default:
			out.Fix = append(out.Fix, ignore(orIgnore)...)
		}
		return out, true
	}),
}

// anonymous is the finding about a cluster that does not know Argo CD: it takes a request without valid credentials for one of nobody, whom
// nobody should give a permission.
func anonymous(in *diagnose.In, v message.Forbidden) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Shared:     "Argo CD's login" + advice.OnCluster(in),
		Title:      "Cluster takes Argo CD for an anonymous caller",
		Why:        fmt.Sprintf("Argo CD sent no credentials, or none that the API server reads (system:anonymous cannot %s %s). Every application on this cluster is affected.", cmp.Or(v.Verb, "list"), cmp.Or(v.Resource, "resources")),
		Fix:        advice.RenewLogin(in),
	}
}

// named is a kind of resource in a title: with its group where it is none of Kubernetes itself.
func named(v message.Forbidden, what string) string {
	if v.Resource == "" || builtIn(v.Group) {
		return what
	}
	return advice.Dotted(v.Resource, v.Group)
}

// granted are the steps that give the account the permission. Where the message does not name both, no command would be right.
func granted(v message.Forbidden, what string) []diagnose.Fix {
	if v.Resource == "" || v.User == "" {
		return []diagnose.Fix{{Text: fmt.Sprintf("Let %s get, list and watch %s: create a ClusterRole, and bind it to the account", cmp.Or(v.User, "the account of Argo CD on this cluster"), what)}}
	}
	name := "argocd-read-" + strings.ReplaceAll(v.Resource, "/", "-")
	return []diagnose.Fix{
		{Text: "Create a role with the missing permission", Command: diagnose.Shell("kubectl create clusterrole %s --verb=get,list,watch --resource=%s", name, advice.Dotted(v.Resource, v.Group))},
		{Text: "Bind the role to the account", Command: diagnose.Shell("kubectl create clusterrolebinding %s --clusterrole=%s %s", name, name, advice.SubjectFlag(v.User))},
	}
}

// forbiddenInNamespace is the finding about an account that lacks a permission in one namespace: it is to have rights there only, or the
// refusal would be about the cluster.
func forbiddenInNamespace(in *diagnose.In, v message.Forbidden) diagnose.Finding {
	resource := advice.Dotted(v.Resource, v.Group)
	account := v.User[strings.LastIndex(v.User, ":")+1:]
	name := "argocd-read-" + strings.ReplaceAll(v.Resource, "/", "-")
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Shared:     "Argo CD's rights in namespace " + v.Namespace + advice.OnCluster(in),
		Title:      fmt.Sprintf("Argo CD is not allowed to %s %s in namespace %s", v.Verb, v.Resource, v.Namespace),
		Short:      fmt.Sprintf("Argo CD is not allowed to %s %s", v.Verb, v.Resource),
		Why:        fmt.Sprintf("The account that lacks the permission is %s. Other applications that go to the namespace may be affected.", v.User),
		Sync:       advice.Blocked("it cannot read what is in the namespace"),
		Fix: []diagnose.Fix{
			{Text: "Check which roles are bound to the account in the namespace, and restore the binding if it is gone", Command: diagnose.Shell("kubectl -n %s get rolebindings -o wide | grep -F -e ROLE -e %s", v.Namespace, account)},
			{Text: "List what the account is still allowed to do there", Command: diagnose.Shell("kubectl -n %s auth can-i --list --as=%s", v.Namespace, v.User)},
			{Text: "If only this kind is missing, create a role with the permission", Command: diagnose.Shell("kubectl -n %s create role %s --verb=get,list,watch --resource=%s", v.Namespace, name, resource)},
			{Text: "Bind the role to the account", Command: diagnose.Shell("kubectl -n %s create rolebinding %s --role=%s %s", v.Namespace, name, name, advice.SubjectFlag(v.User))},
		},
	}
	if m := byOperator.FindStringSubmatch(v.User); m != nil && advice.OwnCluster(in) {
		out.Fix = append([]diagnose.Fix{{Text: "If OpenShift GitOps installed this Argo CD, give it the namespace: its operator then makes the role and its binding", Command: diagnose.Shell("kubectl label namespace %s argocd.argoproj.io/managed-by=%s", v.Namespace, m[1])}}, out.Fix...)
	}
	return out
}

// builtIn reports whether an API group is one of Kubernetes itself: an account that cannot list its kinds can list hardly anything.
func builtIn(group string) bool {
	return !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") && slices.Contains([]string{"networking", "rbac.authorization", "storage", "scheduling", "coordination", "node", "discovery", "admissionregistration", "apiextensions", "apiregistration", "events", "certificates", "flowcontrol.apiserver"}, strings.TrimSuffix(group, ".k8s.io"))
}

// isEssential reports whether no error text has Argo CD ignore a kind, by the kind that would be written and not by the resource that is said to
// be refused: whoever writes the Application writes both.
func isEssential(kind, group string) bool {
	kind = strings.ToLower(kind)
	return group == "argoproj.io" || slices.ContainsFunc(essential, func(resource string) bool {
		return resource == kind+"s" || resource == kind+"es" || resource == strings.TrimSuffix(kind, "y")+"ies" || resource == kind
	})
}

// essential are the kinds that most applications consist of: nobody has Argo CD ignore them.
var essential = []string{
	"pods", "services", "configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims", "namespaces", "endpoints",
	"deployments", "statefulsets", "daemonsets", "replicasets", "jobs", "cronjobs", "roles", "rolebindings", "clusterroles", "clusterrolebindings", "ingresses",
}

// byOperator is the service account that the operator makes for an Argo CD instance: its name begins with the instance's.
var byOperator = pattern.MustCompile(`^system:serviceaccount:([^:]+):[^:]+-argocd-application-controller$`)

// boundRole are the steps for an account without a role that lets it read the cluster. The role of an installation into a namespace of
// another name is bound to an account that does not exist.
func boundRole(in *diagnose.In, user string) []diagnose.Fix {
	account := user[strings.LastIndex(user, ":")+1:]
	show := diagnose.Shell("kubectl get clusterrolebindings -o wide | grep -F -e ROLE -e %s", cmp.Or(account, "argocd"))
	if m := byOperator.FindStringSubmatch(user); m != nil {
		return []diagnose.Fix{
			{Text: fmt.Sprintf("If an operator (OpenShift GitOps) installed this instance and it is to manage the whole cluster, add namespace %s to ARGOCD_CLUSTER_CONFIG_NAMESPACES in the operator's Subscription (spec.config.env); this finds it", m[1]), Command: "kubectl get subscriptions.operators.coreos.com -A"},
			{Text: "Otherwise limit it to namespaces: set namespaces in the cluster's secret; this shows the secrets of clusters", Command: diagnose.Shell("kubectl -n %s get secrets -l argocd.argoproj.io/secret-type=cluster", m[1])},
			{Text: "Check which roles are bound to the account", Command: show},
		}
	}
	role := ownRole(in, user)
	if role == "" {
		return []diagnose.Fix{
			{Text: "Check which roles are bound to the account", Command: show},
			{Text: "If none is, let it read the whole cluster (it also needs the right to write what it syncs)", Command: diagnose.Shell("kubectl create clusterrole argocd-read --verb=get,list,watch --resource='*.*' && kubectl create clusterrolebinding argocd-read --clusterrole=argocd-read %s", advice.SubjectFlag(user))},
		}
	}
	bind := diagnose.Shell("kubectl create clusterrolebinding %s-read --clusterrole=%s %s", role, role, advice.SubjectFlag(user))
	steps := []diagnose.Fix{{Text: "Check which account Argo CD's ClusterRole is bound to", Command: show}, {Text: fmt.Sprintf("If no binding names this one, bind the role to it (%s unless the installation calls it otherwise)", role), Command: bind}}
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		namespace, _, _ := strings.Cut(account, ":")
		steps[0].Text = fmt.Sprintf("Check which account Argo CD's ClusterRole is bound to: the subject has to be in namespace %s", namespace)
	}
	return steps
}

// ownRole is the ClusterRole that Argo CD's installation, or "argocd cluster add", makes for the account; empty for an account of somebody
// else's making, as clusters have that were added with other credentials.
func ownRole(in *diagnose.In, user string) string {
	account := user[strings.LastIndex(user, ":")+1:]
	switch {
	case account == "argocd-manager":
		return "argocd-manager-role"
	case advice.OwnCluster(in), strings.HasSuffix(account, "argocd-application-controller"):
		return "argocd-application-controller"
	}
	return ""
}

// lacks is the sentence about the permission that is missing, and whose.
func lacks(v message.Forbidden, what string) string {
	return fmt.Sprintf("%s lacks the permission to %s %s.", cmp.Or(v.User, "Argo CD's account"), cmp.Or(v.Verb, "list"), advice.Dotted(what, v.Group))
}

// isLive reports whether the failure is one of reading the destination cluster.
func isLive(f *message.Failure) bool {
	return f.Stage == message.StageLive || f.Has("failed to sync cluster", "failed to load live state", "synchronizing cache state", "failed to load initial state of resource", "failed to get cluster info", "k8s rest config", "failed to parse proxy url")
}

// kindRead is the kind (and group) whose objects could not be listed.
var kindRead = pattern.MustCompile(`initial state of resource ([A-Z][A-Za-z0-9]*)(?:\.([a-z0-9.\-]+))?:`)

// ignoreKind is the step that makes Argo CD ignore a kind that nobody needs.
func ignoreKind(in *diagnose.In, kind, group string) diagnose.Fix {
	return exclusion(in, "If no application on any cluster has objects of the kind, tell Argo CD to ignore it,", kind, group)
}

// exclusion is the step that makes Argo CD ignore a kind. It names the kind: a wildcard would hide pods.
func exclusion(in *diagnose.In, text, kind, group string) diagnose.Fix {
	return advice.Config("resource.exclusions").Set(in, text, fmt.Sprintf("- apiGroups: [%q]\n  kinds: [%q]\n  clusters: [\"*\"]\n", group, kind))
}
