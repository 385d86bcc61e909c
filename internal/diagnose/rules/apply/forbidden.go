package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Forbidden = &diagnose.Rule{
	ID: "apply/forbidden",
	Doc: diagnose.Doc{
		Title:    "Argo CD may not write this resource",
		What:     "Kubernetes' own RBAC refuses: the account that Argo CD uses (its controller, or the one it impersonates) lacks a right in that namespace, or would grant rights that it does not have itself.",
		Decisive: "\"forbidden: User … cannot create|patch|delete …\".",
		Example:  "secrets is forbidden: User \"system:serviceaccount:argocd:argocd-application-controller\" cannot create resource \"secrets\" in API group \"\" in the namespace \"payments\"",
		Fix:      "Give the account a Role (or ClusterRole) with that verb, and bind it.",
	},
	Sync:  advice.Pointless("the API server refuses until the account has the right"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		v, ok := f.Forbidden()
		escalation := f.Has("attempting to grant rbac permissions", "user not allowed to escalate")
		if !ok && !escalation && (s.Derived() || !f.Has("is forbidden", "unauthorized", "must be logged in to the server", "asked for the client to provide credentials")) || f.Code == "PermissionDenied" || f.Has("\" not found") || noClass.MatchString(f.Cause) {
			return diagnose.Finding{}, false
		}
		if escalation {
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      statement.Name(s) + " grants rights that Argo CD does not have",
				Why:        fmt.Sprintf("Kubernetes lets nobody grant what he may not do himself: %s", statement.Words(s)),
				Fix:        advice.Steps("Give Argo CD's account the rights that the role grants, or the verbs escalate and bind on roles"),
			}, true
		}
		who, what := cmp.Or(v.User, "Argo CD's account"), advice.Dotted(cmp.Or(v.Resource, "this resource"), v.Group)
		scope, flags := "on the cluster", diagnose.Raw("")
		if v.Namespace != "" {
			scope, flags = "in namespace "+v.Namespace, diagnose.Raw(diagnose.Shell("-n %s ", v.Namespace))
		}
		if !ok && !f.Has("unauthorized", "must be logged in", "provide credentials") {
			return diagnose.Finding{
				Confidence: diagnose.Likely,
				Title:      "the API server does not allow " + statement.Name(s),
				Why:        fmt.Sprintf("%s is forbidden, not for lack of a right: %s", statement.Name(s), statement.Words(s)),
				Fix:        []diagnose.Fix{{Text: "Change the manifest as the message says, and push"}, advice.DryRun(in)},
			}, true
		}
		rest := ""
		if v.Verb == "" || v.Resource == "" { // what was not read out of it stands in it
			rest = statement.Words(s)
		}
		return diagnose.Finding{
			Confidence: diagnose.CertainIf(ok), // without a user it may be an admission plugin that says so
			Title:      fmt.Sprintf("Argo CD may not %s %s %s", cmp.Or(v.Verb, "write"), what, scope),
			Why:        strings.TrimSpace(fmt.Sprintf("%s has no right to %s %s %s, so %s is refused. %s", who, cmp.Or(v.Verb, "write"), what, scope, statement.Name(s), rest)),
			Fix:        grantSteps(v.Verb, what, who, flags, v.Namespace == ""),
		}, true
	}),
}

// grantSteps are the commands that give a user a right.
func grantSteps(verb, resource, user string, flags diagnose.Raw, cluster bool) []diagnose.Fix {
	kind := "role"
	if cluster {
		kind = "clusterrole"
	}
	return []diagnose.Fix{
		{Text: "Check the right", Command: diagnose.Shell("kubectl %sauth can-i %s %s --as=%s", flags, cmp.Or(verb, "create"), resource, user)},
		{Text: "Grant it", Command: diagnose.Shell("kubectl %screate %s argocd-deploy --verb=get,list,watch,create,update,patch,delete --resource=%s", flags, kind, resource)},
		{Text: "Bind it", Command: diagnose.Shell("kubectl %screate %sbinding argocd-deploy --%s=argocd-deploy --user=%s", flags, kind, kind, user)},
	}
}
