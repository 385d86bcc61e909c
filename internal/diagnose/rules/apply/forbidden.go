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

var Forbidden = &diagnose.Rule{
	ID: "apply/forbidden",
	Doc: diagnose.Doc{
		Title:    "Argo CD lacks permission",
		What:     "Kubernetes RBAC refuses the request: the account that Argo CD uses (its controller's, or one that it impersonates) lacks a permission in that namespace, or would grant permissions that it does not have itself.",
		Decisive: "\"forbidden: User … cannot create|patch|delete …\".",
		Example:  "secrets is forbidden: User \"system:serviceaccount:argocd:argocd-application-controller\" cannot create resource \"secrets\" in API group \"\" in the namespace \"payments\"",
		Fix:      "Give the account a Role or ClusterRole with that verb, and bind it.",
	},
	Sync:    advice.Pointless("the API server will refuse the request until the account has the permission"),
	Needs:   append([]evidence.Kind{evidence.KindObject}, statement.RefusalNeeds...),
	Outside: []evidence.Outside{evidence.OutsideArgoBinding},
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		v, ok := f.Forbidden()
		escalation := f.Has("attempting to grant rbac permissions", "user not allowed to escalate")
		if !ok && !escalation && (s.Derived() || !f.Has("is forbidden", "unauthorized", "must be logged in to the server", "asked for the client to provide credentials")) || f.Code == "PermissionDenied" || f.Has("\" not found") || noClass.MatchString(f.Cause) {
			return diagnose.Finding{}, false
		}
		switch {
		case escalation:
			return escalates(s, v), true
		case ok && v.Authorizer != "":
			return refusedByAuthorizer(s, v), true
		case ok:
			return lacksPermission(in, s, v), true
		case f.Has("unauthorized", "must be logged in", "provide credentials"):
			return notLoggedIn(in, s), true
		}
		if f.Has("cannot set blockownerdeletion", "cannot set an ownerref") {
			return ownerUnreachable(s), true
		}
		if m := manyDefaults.FindStringSubmatch(f.Cause); m != nil {
			return twoDefaults(s, m[1], m[2]), true
		}
		return diagnose.Finding{
			Confidence: diagnose.Likely, Sync: advice.Pointless("the API server will refuse the same manifest again"),
			Title: sentence(statement.Name(s), "is forbidden by the API server"),
			Why:   "An admission check of the API server refuses it.",
			Says:  statement.Says(s),
			Fix:   []diagnose.Fix{{Text: "Change the manifest in Git as the API server's answer requires, then push"}, advice.DryRun(in)},
		}, true
	}),
}

// lacksPermission is the finding about an account that RBAC does not allow to do something. It is the same for everything that the
// account lacks in one place, except for the name in its title.
func lacksPermission(in *diagnose.In, s *diagnose.Statement, v message.Forbidden) diagnose.Finding {
	if v.Namespace == "" && !s.Failure.Has("at the cluster scope") { // a text that is cut off
		v.Namespace = statement.Subject(s).Namespace
	}
	g := grantFor(in, s, v)
	ofArgo := s.Result == nil && v.Group == "argoproj.io" && slices.Contains([]string{"applications", "applicationsets", "appprojects"}, v.Resource)
	g.ownCluster = g.ownCluster || ofArgo
	if ns := cmp.Or(v.Namespace, in.App().Spec.Destination.Namespace); s.Resource.IsZero() && v.Resource == "namespaces" && ns != "" { // Argo CD was to create it
		s.Resource = evidence.Ref{Kind: "Namespace", Name: ns}
	}
	name, wrong := statement.Name(s), "Argo CD lacks permission to "+cmp.Or(g.verb, "apply")+" it"
	kind := strings.ToLower(statement.Subject(s).Kind)
	if len(g.resources) == 1 && v.Resource != "" && (kind == "" || !strings.HasPrefix(v.Resource, strings.TrimSuffix(kind, "y"))) {
		wrong = fmt.Sprintf("Argo CD lacks permission to %s %s", cmp.Or(g.verb, "apply"), v.Resource)
	} else if kind == "" {
		wrong = "Argo CD lacks permissions"
	}
	f := diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: of(name, wrong),
		Why:   g.why(),
		Fix:   g.steps(),

		ArgoCluster: ofArgo, // what Argo CD itself works with is there
	}
	if v.Verb == "" || v.Resource == "" { // the message has what could not be read out of it
		f.Says = statement.Says(s)
	}
	boundElsewhere(in, &g, &f)
	return f
}

// escalates is the finding about a role with permissions that Argo CD does not have.
func escalates(s *diagnose.Statement, v message.Forbidden) diagnose.Finding {
	user := cmp.Or(v.User, "USER")
	f := diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: sentence(statement.Name(s), "grants more rights than Argo CD has"),
		Why:   "Kubernetes does not let an account grant permissions that it does not have itself.",
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Give %s the permissions that the role grants; this lists what it has", cmp.Or(v.User, "Argo CD's account")), Command: diagnose.Shell("kubectl %sauth can-i --list --as=%s", advice.InNamespace(s.Resource), user)},
			{Text: "Or let it grant any permission, with the verbs escalate and bind on roles and clusterroles: everyone who can sync a role can then give any right, so that is for administrators of the cluster to decide"},
		},
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
	return diagnose.Finding{
		OutsideGit: true,
		Confidence: diagnose.Likely, // an admission plugin may use the same words
		Title:      of(statement.Name(s), "the cluster rejects Argo CD's login"),
		Why:        "The token or certificate that Argo CD uses for this cluster is invalid or expired.",
		Says:       statement.Says(s),
		Sync:       advice.Pointless("the API server will refuse every request until the credentials are renewed"),
		Fix:        advice.RenewLogin(in),
	}
}

// ownerUnreachable is the finding about a resource with an owner that Argo CD's account has no rights to.
func ownerUnreachable(s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Sync:       advice.Pointless("the API server will refuse the owner again"),
		Title:      of(statement.Name(s), "its manifest names an owner"),
		Why:        "The cluster lets an account set blockOwnerDeletion only for owners whose finalizers it is allowed to update.",
		Says:       statement.Says(s),
		Fix: []diagnose.Fix{
			{Text: "Remove metadata.ownerReferences from the manifest in Git, then push: they name an object by its UID, which does not belong in Git"},
			{Text: "Or let Argo CD's account update the finalizers of the owner: verb update on its resource followed by /finalizers"},
		},
	}
}

// manyDefaults is how an admission plugin refuses to choose: "2 default StorageClasses were found".
var manyDefaults = pattern.MustCompile(`(\d+) default (StorageClass|IngressClass)es were found`)

// twoDefaults is the finding about an object that names no class in a cluster that has several defaults.
func twoDefaults(s *diagnose.Statement, n, class string) diagnose.Finding {
	field := text.LowerFirst(class) + "Name"
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Sync:       advice.Pointless("the API server refuses it as long as it names no class and there are several defaults"),
		Title:      of(statement.Name(s), "the cluster has "+n+" default "+class+"es"),
		Why:        fmt.Sprintf("The manifest has no %s, so the API server would have to choose between them.", field),
		Fix: []diagnose.Fix{
			{Text: "Set " + field + " in Git, then push; this lists the classes", Command: diagnose.Shell("kubectl get %s", strings.ToLower(class))},
			{Text: fmt.Sprintf("Or make all but one no default: set their annotation %s to \"false\"", defaultMark[class])},
		},
	}
}

// defaultMark is the annotation that makes a class the default.
var defaultMark = map[string]string{"StorageClass": "storageclass.kubernetes.io/is-default-class", "IngressClass": "ingressclass.kubernetes.io/is-default-class"}
