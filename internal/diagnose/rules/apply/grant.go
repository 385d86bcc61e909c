package apply

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
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// maxListed is how many resources or fields a sentence lists.
const maxListed = 4

// grant is what one account lacks in one place: one Role grants all of it.
type grant struct {
	user, namespace string
	// verb is the one that was refused; empty where several were.
	verb      string
	resources []string
	// needs are "create configmaps", each once.
	needs []string
	// ownCluster: it lacks them in the cluster that Argo CD runs in.
	ownCluster bool
}

// specialVerbs are those that only a few resources know. A Role for them has nothing else in it.
var specialVerbs = []string{"impersonate", "bind", "escalate", "use"}

// grantFor is everything that the account of a refusal was refused in the same place, in whatever statement.
func grantFor(in *diagnose.In, s *diagnose.Statement, v message.Forbidden) grant {
	special := ""
	if slices.Contains(specialVerbs, v.Verb) {
		special = v.Verb
	}
	alike := func(o message.Forbidden) bool {
		return o.User == v.User && scopeOf(o) == scopeOf(v) && o.Authorizer == "" && (special == o.Verb || special == "" && !slices.Contains(specialVerbs, o.Verb))
	}
	g, _ := diagnose.Once(in, "refused to "+v.User+" in "+scopeOf(v)+" "+special, func() (grant, bool) {
		g := grant{user: v.User, namespace: scopeOf(v), ownCluster: advice.OwnCluster(in)}
		for _, o := range allForbidden(in) {
			if alike(o) {
				g.add(o)
			}
		}
		return g, true
	})
	g.resources, g.needs = slices.Clone(g.resources), slices.Clone(g.needs)
	g.add(v)
	for _, o := range s.Failure.AllForbidden() { // it may have been read elsewhere
		if statement.IsRefusal(s) && alike(o) {
			g.add(o)
		}
	}
	slices.Sort(g.resources) // whichever statement it is for, the text is the same
	slices.Sort(g.needs)
	return g
}

// allForbidden are the refusals of authorizers that all statements have.
func allForbidden(in *diagnose.In) []message.Forbidden {
	all, _ := diagnose.Once(in, "all that is forbidden", func() (all []message.Forbidden, final bool) {
		statements := in.Statements()
		for i := range statements {
			if statement.IsRefusal(&statements[i]) {
				all = append(all, statements[i].Failure.AllForbidden()...)
			}
		}
		return all, true
	})
	return all
}

func (g *grant) add(v message.Forbidden) {
	resource := resourceArgument(v)
	need := cmp.Or(v.Verb, "write") + " " + resource
	switch {
	case len(g.needs) == 0:
		g.verb = v.Verb
	case v.Verb != g.verb:
		g.verb = ""
	}
	if !slices.Contains(g.resources, resource) {
		g.resources = append(g.resources, resource)
	}
	if !slices.Contains(g.needs, need) {
		g.needs = append(g.needs, need)
	}
}

// scopeOf is the namespace that a Role has to be in; empty for a ClusterRole. Only a ClusterRole lets an account create namespaces.
func scopeOf(v message.Forbidden) string {
	if v.Resource == "namespaces" {
		return ""
	}
	return v.Namespace
}

// resourceArgument is a resource as kubectl takes it: "deployments.apps/scale".
func resourceArgument(v message.Forbidden) string {
	resource, sub, _ := strings.Cut(cmp.Or(v.Resource, "RESOURCE"), "/")
	if resource = advice.Dotted(resource, v.Group); sub != "" {
		resource += "/" + sub
	}
	return resource
}

// scope is where the permission is missing, for the end of a sentence.
func (g *grant) scope() string {
	if g.namespace == "" {
		return "in the cluster"
	}
	return "in namespace " + g.namespace
}

// why says who lacks what.
func (g *grant) why() string {
	lacks := list(g.needs)
	if g.verb != "" {
		lacks = g.verb + " " + list(g.resources)
	}
	return fmt.Sprintf("Argo CD acts as %s, which is not allowed to %s %s.", cmp.Or(g.user, "its account"), lacks, g.scope())
}

// list is the words of a list within a sentence: "a, b and c", "a, b, c, d and 3 more".
func list(words []string) string {
	if more := len(words) - maxListed; more > 0 {
		words = append(slices.Clone(words[:maxListed]), text.More(more))
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// steps are the commands that grant it.
func (g *grant) steps() []diagnose.Fix {
	kind, flags := "clusterrole", diagnose.Raw("")
	if g.namespace != "" {
		kind, flags = "role", diagnose.Raw(diagnose.Shell("-n %s ", g.namespace))
	}
	verbs, user := "get,list,watch,create,update,patch,delete", cmp.Or(g.user, "USER")
	if slices.Contains(specialVerbs, g.verb) {
		verbs = g.verb
	}
	role := "argocd-sync" // for several resources
	if len(g.resources) == 1 {
		name, sub, _ := strings.Cut(g.resources[0], "/")
		name, _, _ = strings.Cut(strings.ToLower(name), ".")
		role = strings.TrimSuffix("argocd-"+name+"-"+sub, "-")
	}
	if strings.HasPrefix(g.user, "arn:aws:sts:") {
		return g.onEKS()
	}
	steps := []diagnose.Fix{
		{Text: "Create a role with the permission; if roles are managed in Git, add it there", Command: diagnose.Shell("kubectl %screate %s %s --verb=%s --resource=%s", flags, kind, role, verbs, strings.Join(g.resources, ","))},
		{Text: "Bind the role to the account", Command: diagnose.Shell("kubectl %screate %sbinding %s --%s=%s %s", flags, kind, role, kind, role, advice.SubjectFlag(user))},
		{Text: "Check that the account has the permission", Command: g.check(flags, user)},
	}
	if m := byOperator.FindStringSubmatch(g.user); m != nil && g.ownCluster && g.namespace != "" && !evidence.OfPlatform(g.namespace) {
		steps = append([]diagnose.Fix{{Text: "If OpenShift GitOps installed this Argo CD, give it the namespace: its operator then makes the role and its binding", Command: diagnose.Shell("kubectl label namespace %s argocd.argoproj.io/managed-by=%s", g.namespace, m[1])}}, steps...)
		steps[1].Text = "Or c" + strings.TrimPrefix(steps[1].Text, "C")
	}
	return steps
}

// byOperator is the service account that an operator makes for an Argo CD instance: its name begins with the instance's.
var byOperator = pattern.MustCompile(`^system:serviceaccount:([^:]+):[^:]+-argocd-application-controller$`)

// session is a role that AWS lets somebody assume for a while. Its name ends with that of the session, which changes.
var session = pattern.MustCompile(`^arn:(aws[a-z-]*):sts::(\d+):assumed-role/([^/]+)/`)

// onEKS are the steps for an IAM role: a binding would have to name its session, which is another one each time.
func (g *grant) onEKS() []diagnose.Fix {
	const role = "arn:aws:iam::ACCOUNT:role/ROLE" // only a text says which one it is
	named := ""
	if m := session.FindStringSubmatch(g.user); m != nil {
		named = fmt.Sprintf("; the error names arn:%s:iam::%s:role/%s, so check that it is the one in the cluster's Secret", m[1], m[2], m[3])
	}
	scope := diagnose.Raw("type=cluster")
	if g.namespace != "" {
		scope = diagnose.Raw(diagnose.Shell("type=namespace,namespaces=%s", g.namespace))
	}
	return []diagnose.Fix{
		{Text: "Give the IAM role that Argo CD assumes an access policy of EKS (CLUSTER is the cluster's name in EKS" + named + ")", Command: diagnose.Shell("aws eks associate-access-policy --cluster-name CLUSTER --principal-arn %s --policy-arn arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy --access-scope %s", role, scope)},
		{Text: "If the cluster has aws-auth instead of access entries, map the role to a group that may do it; this shows the mapping", Command: "kubectl -n kube-system get configmap aws-auth -o yaml"},
	}
}

// check is the command that shows whether the account has the permission.
func (g *grant) check(flags diagnose.Raw, user string) string {
	if len(g.needs) != 1 {
		return diagnose.Shell("kubectl %sauth can-i --list --as=%s", flags, user)
	}
	resource, sub, _ := strings.Cut(g.resources[0], "/")
	if sub != "" {
		return diagnose.Shell("kubectl %sauth can-i %s %s --subresource=%s --as=%s", flags, cmp.Or(g.verb, "create"), resource, sub, user)
	}
	return diagnose.Shell("kubectl %sauth can-i %s %s --as=%s", flags, cmp.Or(g.verb, "create"), resource, user)
}
