package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ChildApp = &diagnose.Rule{
	ID:    "health/child-app",
	Needs: append([]evidence.Kind{evidence.KindChild}, needs...),
	Doc: diagnose.Doc{
		Title:    "A child application is not healthy",
		What:     "An app of apps is as healthy as its children. One of them is not, so the cause is there. The worst child is read and its own cause quoted, one level deep; the others are named.",
		Decisive: "An Application among the resources whose health is not Healthy, and what its own status says.",
		Example:  "Application/payments Degraded",
		Fix:      "Diagnose the child.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/cluster-bootstrapping/", "https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app"},
	},
	Sync: advice.Pointless("the child is as Git wants it; what is wrong with it is inside of it"),
	Recognises: about{ // if it is Missing, the child is there, and what it deploys is not
		{kind: "argoproj.io/Application"},
		{kind: "argoproj.io/Application", status: "Missing"},
	},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if look(in) == nil {
			return unassessedChildren(in)
		}
		read := false
		return reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
			first := !read
			read = true
			return reportChild(in, s, first)
		})(in)
	},
}

// unassessedChildren is a note on children whose health Argo CD does not show: since 1.8 it has none for an Application unless it is
// configured, so that the parent is Healthy whatever they are.
func unassessedChildren(in *diagnose.In) diagnose.Outcome {
	st := in.App().Status
	if st.Health.Status != "Healthy" || st.Sync.Status != "Synced" || len(in.Statements()) > 0 || in.App().CurrentOperation() != nil {
		return diagnose.Nothing
	}
	var children []evidence.Ref
	for _, r := range st.Resources {
		if r.Kind == "Application" && r.Group == "argoproj.io" && r.Health == nil {
			children = append(children, r.Ref())
		}
	}
	if len(children) == 0 {
		return diagnose.Nothing
	}
	f := appendNote(nil, diagnose.Finding{
		Resource: children[0], Others: children[1:],
		Title:    fmt.Sprintf("Argo CD does not assess the health of child %s", advice.Names(children)),
		Why:      "That this application is Healthy says nothing about its children: Argo CD has no health for an Application unless argocd-cm defines one.",
		Evidence: []diagnose.Quote{{From: "status.resources", Text: advice.Names(children) + ": no health"}},
		Fix: []diagnose.Fix{
			{Text: "Diagnose the child", Command: diagnose.Shell("bot why %s", childArgument(in, children[0]))},
			{Text: "To have it assessed, define resource.customizations.health.argoproj.io_Application in argocd-cm"},
		},
	}, diagnose.Certain)
	return diagnose.Found(f...)
}

// reportChild is the finding about a child. Only the first is read: the others become names.
func reportChild(in *diagnose.In, s *unhealthy.Resource, read bool) (diagnose.Finding, bool) {
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("child %s is %s", s.Ref, strings.ToLower(s.Status)),
		Why:        fmt.Sprintf("%s, an application that this one deploys, %s. %s", s.Ref, s.IsStill(), text.Sentence(s.Text)),
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}},
		Fix:        []diagnose.Fix{{Text: "Diagnose the child", Command: diagnose.Shell("bot why %s", childArgument(in, s.Ref))}},
	}
	f.Why = strings.TrimSpace(f.Why)
	if !read || diagnose.Nested(in) { // nor is a child's child
		return f, s.Overdue()
	}
	child, ok := diagnose.Get(in, evidence.FactChild(s.Ref))
	if !ok {
		f.Why += " Its own status could not be read."
		return f, s.Overdue()
	}
	rep := in.Alone(child)
	if rep == nil {
		return f, s.Overdue()
	}
	cause := rep.Root()
	if cause == nil && len(rep.Findings) > 0 && s.Overdue() {
		cause = &rep.Findings[0]
	}
	if cause == nil {
		f.Why += " Its own status does not say why."
		return f, s.Overdue()
	}
	f.Confidence = cause.Confidence
	f.Title = fmt.Sprintf("child %s: %s", s.Ref, cause.Title)
	f.Why = fmt.Sprintf("%s, an application that this one deploys, is %s: %s (%s). %s", s.Ref, strings.ToLower(s.Status), cause.Title, cause.Rule, text.Clip(cause.Why, 2*message.MaxClause))
	for _, q := range cause.Evidence {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String() + ", " + q.From, Text: q.Text})
	}
	return f, true
}

// childArgument is a child as the command takes it: with its namespace where that is not Argo CD's own.
func childArgument(in *diagnose.In, ref evidence.Ref) string {
	child := evidence.Application{Metadata: evidence.Metadata{Name: ref.Name, Namespace: ref.Namespace}}
	child.Status.ControllerNamespace = in.App().Status.ControllerNamespace
	return child.Argument()
}
