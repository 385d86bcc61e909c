package operation

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
)

var PermissionDenied = &diagnose.Rule{
	ID: "operation/permission-denied",
	Doc: diagnose.Doc{
		Title:    "Argo CD's RBAC denies the request",
		What:     "The person or account is not allowed to do this in Argo CD. Kubernetes RBAC is not involved: a rule is missing in argocd-rbac-cm or in a role of the project. Such a refusal leaves no trace in the Application.",
		Decisive: "Argo CD answers \"permission denied: applications, ACTION, PROJECT/APP\".",
		Example:  "rpc error: code = PermissionDenied desc = permission denied: applications, sync, payments/api, sub: dana, iat: 2026-11-20T18:00:00Z",
		Fix:      "Add a policy line to argocd-rbac-cm or to a role of the project.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/"},
	},
	Sync: advice.Blocked("its RBAC denies the request"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Refusal && f.Code == "Unauthenticated" {
			return loginFinding(s), true
		}
		if !f.Has("permission denied: ") && !(s.Refusal && strings.HasSuffix(f.Lower(), "permission denied") && f.Stage == message.StageNone) && f.Code != "PermissionDenied" || f.Has("sync window", "(publickey") || !s.Refusal && s.Condition == "" {
			return diagnose.Finding{}, false
		}
		resource, action, object, who := parseDenied(f.Text)
		object = cmp.Or(object, in.App().ProjectName()+"/"+in.App().Metadata.Name)
		out := diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("Argo CD's RBAC denies %s on %s", cmp.Or(action, "the request"), object),
			Why:   "This is Argo CD's own RBAC, not Kubernetes RBAC.",
		}
		if who != "" {
			out.Why = fmt.Sprintf("The request came from %s. %s", who, out.Why)
		}
		if action == "" { // Argo CD gives no details to accounts that are not allowed to see the application
			action = "get"
			out.Why = "Argo CD gives this answer without details when the application is not visible to the person or account, or does not exist in that project. " + out.Why
		}
		resource = cmp.Or(resource, "applications")
		out.Fix = []diagnose.Fix{
			allowStep(in, s, denial{resource: resource, action: action, object: object, who: who}),
			{Text: "Check the permission", Command: diagnose.Shell("argocd admin settings rbac can %s %s %s %s --namespace %s", cmp.Or(who, "SUBJECT"), action, resource, object, advice.ArgoNamespace(in))},
		}
		if who == "" {
			out.Fix[1].Text += " (SUBJECT is the user or group that sent the request)"
		}
		return out, true
	}),
}

// denial is a request that was refused, as the text has it.
type denial struct{ resource, action, object, who string }

// allowStep is the policy line that allows the request, if it is about this very application: of the project for a role of it, else of Argo CD.
// Whoever may write the status of an Application chooses all that the text says, so nobody whom it names gets a right from the line, nor does
// anything else that it names become reachable. There is none for a name that the policy would read as a pattern, or as more columns.
func allowStep(in *diagnose.In, s *diagnose.Statement, d denial) diagnose.Fix {
	policies := "policy.csv in " + advice.Policy.Place(in)
	who := cmp.Or(d.who, "the person or account that sent the request")
	switch {
	case !slices.Contains([]string{"applications", "logs", "exec"}, d.resource), !ownObject(in, s, d.object):
		return diagnose.Fix{Text: fmt.Sprintf("If %s should be able to %s %s (%s), add that to %s, or to a role of the project (no line is printed: only the error text says who was refused what)", who, d.action, d.object, d.resource, policies)}
	case strings.ContainsAny(d.resource+d.action+d.object, "*?[{,\"#"):
		return diagnose.Fix{Text: "Allow exactly this request in " + policies + ", or in a role of the project (no line is printed: a value in it would be read as a pattern)"}
	}
	subject, where, role := "role:ROLE", policies, "a role or group of "+who
	if of := in.App().ProjectName(); strings.HasPrefix(d.who, "proj:"+of+":") {
		subject, where, role = "proj:"+of+":ROLE", "the policies of a role in AppProject/"+of, "the name of the role, if "+who+" should be able to do this"
	}
	return diagnose.Fix{
		Text:  fmt.Sprintf("Add this line to %s, with %s for ROLE", where, role),
		Patch: fmt.Sprintf("p, %s, %s, %s, %s, allow\n", subject, d.resource, d.action, d.object),
	}
}

// ownObject reports whether Argo CD's policies call this application so. The name of its namespace is left out where Argo CD itself runs, which
// is not to be taken from the status: without it the same words are another application.
func ownObject(in *diagnose.In, s *diagnose.Statement, object string) bool {
	app := in.App()
	project, name, namespace := app.ProjectName(), app.Metadata.Name, app.Metadata.Namespace
	if object == project+"/"+namespace+"/"+name {
		return true
	}
	read, _ := diagnose.Peek(in, evidence.FactProject)
	argo := s.Refusal || namespace == "" || namespace == "argocd" || read != nil && read.Metadata.Namespace == namespace
	return object == project+"/"+name && argo
}

// loginFinding is about a request without a valid login: no token, an expired one, or an account that cannot have any. No
// policy line helps then, so the finding has a finer id.
func loginFinding(s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Variant: "login", Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
		Title: "Argo CD rejects the login of the request",
		Why:   "The token is missing, expired or not valid.",
		Says:  diagnose.Said{Who: "Argo CD says", Text: s.Failure.Core()},
		Sync:  advice.Blocked("the request has no valid login"),
		Fix: []diagnose.Fix{
			{Text: "Log in again", Command: "argocd relogin"},
			{Text: "For a machine account, create a new token (the account needs the apiKey capability in argocd-cm)", Command: "argocd account generate-token --account NAME"},
		},
	}
}

var rbacRefusal = pattern.MustCompile(`permission denied: ([a-z]+), ([a-zA-Z/*]+)(?:, ?([^,\s]+))?`)

// parseDenied reads "permission denied: applications, sync, project/app, sub: dana, iat: …".
func parseDenied(said string) (resource, action, object, who string) {
	m := rbacRefusal.FindStringSubmatch(said)
	if m == nil {
		return "", "", "", ""
	}
	resource, action, object = m[1], m[2], m[3]
	if strings.HasPrefix(object, "sub:") {
		object = ""
	}
	if _, rest, ok := strings.Cut(said, "sub: "); ok {
		who, _, _ = strings.Cut(rest, ",")
	}
	return resource, action, object, strings.TrimSpace(who)
}
