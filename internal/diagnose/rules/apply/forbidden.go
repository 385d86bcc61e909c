package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var Forbidden = &diagnose.Rule{
	ID: "apply/forbidden",
	Doc: diagnose.Doc{
		Title:    "Argo CD lacks permission",
		What:     "Kubernetes RBAC refuses the request: the account that Argo CD uses (its controller's, or one that it impersonates) lacks a permission in that namespace, or would grant permissions that it does not have itself.",
		Decisive: "\"forbidden: User … cannot create|patch|delete …\".",
		Example:  "secrets is forbidden: User \"system:serviceaccount:argocd:argocd-application-controller\" cannot create resource \"secrets\" in API group \"\" in the namespace \"payments\"",
		Fix:      "Give the account a Role or ClusterRole with that verb, and bind it.",
	},
	Sync:  advice.Pointless("the API server will refuse the request until the account has the permission"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		v, ok := f.Forbidden()
		escalation := f.Has("attempting to grant rbac permissions", "user not allowed to escalate")
		if !ok && !escalation && (s.Derived() || !f.Has("is forbidden", "unauthorized", "must be logged in to the server", "asked for the client to provide credentials")) || f.Code == "PermissionDenied" || f.Has("\" not found") || noClass.MatchString(f.Cause) {
			return diagnose.Finding{}, false
		}
		switch {
		case escalation:
			return escalates(s), true
		case ok:
			return lacksPermission(s, v), true
		case f.Has("unauthorized", "must be logged in", "provide credentials"):
			return notLoggedIn(in, s), true
		}
		return diagnose.Finding{
			Confidence: diagnose.Likely, Sync: advice.Pointless("the API server will refuse the same manifest again"),
			Title: sentence(statement.Name(s), "is forbidden by the API server"),
			Why:   "The answer names no account, so the manifest itself is probably not allowed, and no permission is missing.",
			Says:  statement.Says(s),
			Fix:   []diagnose.Fix{{Text: "Change the manifest in Git as the API server's answer requires, then push"}, advice.DryRun(in)},
		}, true
	}),
}

// lacksPermission is the finding about an account that RBAC does not allow to do something.
func lacksPermission(s *diagnose.Statement, v message.Forbidden) diagnose.Finding {
	who, what, verb := cmp.Or(v.User, "Argo CD's account"), advice.Dotted(cmp.Or(v.Resource, "this resource"), v.Group), cmp.Or(v.Verb, "write")
	scope, flags := "in the cluster", diagnose.Raw("")
	if v.Namespace != "" {
		scope, flags = "in namespace "+v.Namespace, diagnose.Raw(diagnose.Shell("-n %s ", v.Namespace))
	}
	wrong := fmt.Sprintf("Argo CD lacks permission to %s it", verb)
	if kind := strings.ToLower(statement.Subject(s).Kind); kind != "" && v.Resource != "" && !strings.HasPrefix(v.Resource, strings.TrimSuffix(kind, "y")) {
		wrong = fmt.Sprintf("Argo CD lacks permission to %s %s", verb, v.Resource)
	}
	f := diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: of(statement.Name(s), wrong),
		Why:   fmt.Sprintf("Argo CD acts as %s, which is not allowed to %s %s %s.", who, verb, what, scope),
		Fix:   grantSteps(v.Verb, advice.Dotted(cmp.Or(v.Resource, "RESOURCE"), v.Group), cmp.Or(v.User, "USER"), flags, v.Namespace == ""),
	}
	if v.Verb == "" || v.Resource == "" { // the message has what could not be read out of it
		f.Says = statement.Says(s)
	}
	return f
}

// escalates is the finding about a role with permissions that Argo CD does not have.
func escalates(s *diagnose.Statement) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      sentence(statement.Name(s), "grants more rights than Argo CD has"),
		Why:        "Kubernetes does not let an account grant permissions that it does not have itself.",
		Fix:        advice.Steps("Give Argo CD's account the permissions that the role grants; or the verbs escalate and bind on roles and clusterroles, which let it grant any permission"),
	}
	if _, lacking, ok := strings.Cut(text.OneLine(s.Failure.Cause), "not currently held: "); ok {
		rules := strings.SplitAfter(lacking, "} ")
		f.Why += " It lacks " + strings.TrimSpace(rules[0])
		if more := len(rules) - 1; more > 0 {
			f.Why += fmt.Sprintf(" and %s", text.Count(more, "more rule", "more rules"))
		}
		f.Why += "."
	} else {
		f.Says = statement.Says(s)
	}
	return f
}

// notLoggedIn is the finding about credentials that the API server does not accept.
func notLoggedIn(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	to := in.App().Spec.Destination
	return diagnose.Finding{
		OutsideGit: true,
		Confidence: diagnose.Likely, // an admission plugin may use the same words
		Title:      of(statement.Name(s), "the cluster rejects Argo CD's login"),
		Why:        "The token or certificate that Argo CD uses for this cluster is invalid or expired.",
		Says:       statement.Says(s),
		Sync:       advice.Pointless("the API server will refuse every request until the credentials are renewed"),
		Fix: []diagnose.Fix{
			{Text: "Renew Argo CD's credentials for the cluster", Command: "argocd cluster add CONTEXT --upsert"},
			{Text: "Check how Argo CD sees its connection to the cluster", Command: diagnose.Shell("argocd cluster get %s", cmp.Or(to.Server, to.Name, "SERVER"))},
		},
	}
}

// grantSteps are the commands that give a user a permission.
func grantSteps(verb, resource, user string, flags diagnose.Raw, cluster bool) []diagnose.Fix {
	kind := "role"
	if cluster {
		kind = "clusterrole"
	}
	name, _, _ := strings.Cut(strings.ToLower(resource), ".") // several resources may need a role each
	role := "argocd-" + strings.ReplaceAll(name, "/", "-")
	return []diagnose.Fix{
		{Text: "Create a role with the permission; if roles are managed in Git, add it there", Command: diagnose.Shell("kubectl %screate %s %s --verb=get,list,watch,create,update,patch,delete --resource=%s", flags, kind, role, resource)},
		{Text: "Bind the role to the account", Command: diagnose.Shell("kubectl %screate %sbinding %s --%s=%s --user=%s", flags, kind, role, kind, role, user)},
		{Text: "Check that the account has the permission", Command: diagnose.Shell("kubectl %sauth can-i %s %s --as=%s", flags, cmp.Or(verb, "create"), resource, user)},
	}
}
