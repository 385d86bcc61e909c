package operation

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var PermissionDenied = &diagnose.Rule{
	ID: "operation/permission-denied",
	Doc: diagnose.Doc{
		Title:    "Argo CD's own RBAC refuses the request",
		What:     "The person or account may not do this in Argo CD. It has nothing to do with rights in Kubernetes: the rule is missing in argocd-rbac-cm or in the roles of the project. Such a refusal leaves no trace in the Application.",
		Decisive: "Argo CD answers \"permission denied: applications, ACTION, PROJECT/APP\".",
		Example:  "rpc error: code = PermissionDenied desc = permission denied: applications, sync, payments/api, sub: dana, iat: 2026-11-20T18:00:00Z",
		Fix:      "Add the policy line to argocd-rbac-cm or to a role of the project.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/"},
	},
	Sync: advice.Blocked("Argo CD's RBAC refuses it"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Refusal && f.Code == "Unauthenticated" {
			return loginFinding(s), true
		}
		if !f.Has("permission denied: ") && !(s.Refusal && strings.HasSuffix(f.Lower(), "permission denied") && f.Stage == message.StageNone) && f.Code != "PermissionDenied" || f.Has("sync window", "(publickey") || !s.Refusal && s.Condition == "" {
			return diagnose.Finding{}, false
		}
		resource, action, object, who := parseDenied(f.Text)
		object = cmp.Or(object, advice.Project(in)+"/"+in.App().Metadata.Name)
		out := diagnose.Finding{
			Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("Argo CD's RBAC refuses %s on %s", cmp.Or(action, "the request"), object),
			Why:   fmt.Sprintf("%s may not %s %s %s in Argo CD. This is Argo CD's own RBAC, not that of Kubernetes.", cmp.Or(who, "The caller"), cmp.Or(action, "do this with"), cmp.Or(resource, "applications"), object),
		}
		subject := "role:ROLE"
		out.Fix = []diagnose.Fix{
			{Text: "Check it", Command: diagnose.Shell("argocd admin settings rbac can %s %s %s %s --namespace argocd", cmp.Or(who, "SUBJECT"), cmp.Or(action, "ACTION"), cmp.Or(resource, "applications"), object)},
			{Text: "Allow it: a line in policy.csv of argocd-rbac-cm (for a role that the person's group has)", Patch: fmt.Sprintf("p, %s, %s, %s, %s, allow\n", subject, cmp.Or(resource, "applications"), cmp.Or(action, "ACTION"), object)},
		}
		return out, true
	}),
}

// loginFinding: Argo CD does not know who asks: no token, an expired one, or an account without the right to have any. No
// policy line helps then, so the finding has a finer id.
func loginFinding(s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Variant: "login", Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
		Title: "Argo CD does not accept the caller's login",
		Why:   "The request came without a valid login: " + text.Sentence(s.Failure.Line(message.MaxClause)),
		Fix: []diagnose.Fix{
			{Text: "Log in again", Command: "argocd relogin"},
			{Text: "For an account of a machine, make a new token (it needs the capability apiKey in argocd-cm)", Command: "argocd account generate-token --account NAME"},
		},
	}
}

var rbacRefusal = regexp.MustCompile(`permission denied: ([a-z]+), ([a-zA-Z/*]+)(?:, ?([^,\s]+))?`)

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
