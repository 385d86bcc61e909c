package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ChildApp = &diagnose.Rule{
	ID:    "health/child-app",
	Needs: append([]evidence.Kind{evidence.KindChild}, needs...),
	Doc: diagnose.Doc{
		Title:    "Child application is not healthy",
		What:     "An app of apps is only as healthy as its children. One of them is unhealthy, so the cause is there. The worst child is diagnosed too, one level deep, and its cause quoted; the others are listed.",
		Decisive: "An Application among the resources whose health is not Healthy, and what its own status says.",
		Example:  "Application/payments Degraded",
		Fix:      "Diagnose the child application.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/cluster-bootstrapping/", "https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app"},
	},
	Sync: advice.Pointless("the child Application already matches Git; the problem is in the child"),
	Recognises: about{ // Missing: the child exists, and what it deploys does not
		{kind: "argoproj.io/Application"},
		{kind: "argoproj.io/Application", status: "Missing"},
	},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if shown(in) == nil {
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
// configured, so the parent is Healthy whatever they are.
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
		Title:    fmt.Sprintf("%s has no health check", children[0]),
		Why:      "This application is Healthy whatever its children are: Argo CD does not check the health of child Applications unless argocd-cm defines how.",
		Evidence: []diagnose.Quote{{From: "status.resources", Text: advice.Names(children) + ": no health"}},
		Fix: []diagnose.Fix{
			{Text: "Diagnose the child application", Command: diagnose.Shell("bot why %s", childArgument(in, children[0]))},
			{Text: "Define resource.customizations.health.argoproj.io_Application in argocd-cm, so that child health counts"},
		},
	}, diagnose.Certain)
	return diagnose.Found(f...)
}

// reportChild is the finding about a child. Only the first is read: the others become names.
func reportChild(in *diagnose.In, s *unhealthy.Resource, read bool) (diagnose.Finding, bool) {
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      childTitle(s),
		Says:       says("Its status says", s.Text),
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}},
		Fix:        []diagnose.Fix{{Text: "Diagnose the child application", Command: diagnose.Shell("bot why %s", childArgument(in, s.Ref))}},
	}
	if s.ForLong() != "" {
		f.Why = "It " + s.IsStill() + "."
	}
	if !read || diagnose.Nested(in) { // nor is a child's child
		return f, s.Overdue()
	}
	child, ok := diagnose.Get(in, evidence.FactChild(s.Ref))
	if !ok {
		f.Why = text.Paragraph(f.Why, "The child Application could not be read.")
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
		f.Why = text.Paragraph(f.Why, "Its status gives no reason.")
		return f, s.Overdue()
	}
	f.Confidence = cause.Confidence
	f.Title, f.Why, f.Says = fmt.Sprintf("Child app %s: %s", s.Ref.Name, strings.Replace(cause.Title, "Child app ", "child app ", 1)), cause.Why, diagnose.Said{}
	if !in.Fits(f.Title) {
		f.Title, f.Why = childTitle(s), text.Paragraph(text.Sentence(text.UpperFirst(cause.Title)), cause.Why)
		if before, what, ok := strings.Cut(cause.Title, ": "); ok && strings.HasPrefix(before, cause.Resource.Kind) {
			f.Short = fmt.Sprintf("Child app %s: %s", s.Ref.Name, what)
		}
	}
	if f.Short != "" && in.Fits(f.Short) {
		f.Title, f.Why = f.Short, cause.Why
	}
	if len(cause.Fix) > 0 && cause.Fix[0].Text != "" {
		f.Fix = append([]diagnose.Fix{cause.Fix[0]}, f.Fix...)
		f.Fix[1].Text = "See all about the child application"
	}
	for _, q := range cause.Evidence {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String() + ", " + q.From, Text: q.Text})
	}
	return f, true
}

// childTitle says how the child is, without its cause.
func childTitle(s *unhealthy.Resource) string {
	switch s.Status {
	case "Unknown":
		return fmt.Sprintf("Child app %s has unknown health", s.Ref.Name)
	case "Missing":
		return fmt.Sprintf("Child app %s has missing resources", s.Ref.Name)
	case "Progressing":
		return fmt.Sprintf("Child app %s is still progressing", s.Ref.Name)
	}
	return fmt.Sprintf("Child app %s is %s", s.Ref.Name, strings.ToLower(s.Status))
}

// childArgument is a child as the command takes it: with its namespace where that is not Argo CD's own.
func childArgument(in *diagnose.In, ref evidence.Ref) string {
	child := evidence.Application{Metadata: evidence.Metadata{Name: ref.Name, Namespace: ref.Namespace}}
	child.Status.ControllerNamespace = in.App().Status.ControllerNamespace
	return child.Argument()
}
