package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/text"
)

var ChildApp = &diagnose.Rule{
	ID:    "health/child-app",
	Needs: append([]evidence.Kind{evidence.KindChild}, needs...),
	Doc: diagnose.Doc{
		Title:    "Child application is not healthy",
		What:     "An app of apps is only as healthy as its children. One of them is unhealthy, so the cause is there. The worst child is diagnosed too, one level deep, and its cause quoted; for a person who asks the others as well. One whose sync fails comes first: what it was to bring may be what another one lacks.",
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
		return unhealthyChildren(in)
	},
}

// maxChildren bounds how many children without a health check are read. They are read at once.
const maxChildren = 12

// unassessedChildren is about children whose health Argo CD does not show: since 1.8 it has none for an Application unless it is
// configured, so the parent is Healthy whatever they are. For a person who asks they are read: what fails with one of them is the cause.
// Else they are worth a note.
func unassessedChildren(in *diagnose.In) diagnose.Outcome {
	st := in.App().Status
	if st.Health.Status != "Healthy" || st.Sync.Status != "Synced" || len(in.Statements()) > 0 || in.App().CurrentOperation() != nil {
		return diagnose.Nothing
	}
	var children []evidence.Ref
	for _, r := range st.Resources {
		if r.Kind == "Application" && r.Group == "argoproj.io" && r.Health == nil && !itself(in, r.Ref()) && !evidence.HasPrivate(r.Name) {
			children = append(children, r.Ref())
		}
	}
	if len(children) == 0 {
		return diagnose.Nothing
	}
	if failing, ok := failingChildren(in, children); ok {
		return diagnose.Found(failing)
	}
	f := appendNote(nil, diagnose.Finding{
		Resource: children[0], Others: children[1:],
		Title:    fmt.Sprintf("%s has no health check", children[0]),
		Why:      parentHealthy,
		Evidence: []diagnose.Quote{{From: "status.resources", Text: advice.Names(children) + ": no health"}},
		Fix: []diagnose.Fix{
			{Text: "Diagnose the child application", Command: diagnose.Shell(program.Name()+" why %s", childArgument(in, children[0]))},
			defineCheck(in),
		},
	}, diagnose.Certain)
	return diagnose.Found(f...)
}

// itself reports whether a child is the application: an app of apps may have its own manifest.
func itself(in *diagnose.In, child evidence.Ref) bool {
	m := in.App().Metadata
	return child.Name == m.Name && (child.Namespace == m.Namespace || child.Namespace == "")
}

// parentHealthy says why an app of apps is healthy while its children are not, and defineCheck is the step that changes that.
const parentHealthy = "This application is Healthy whatever its children are: Argo CD does not check the health of child Applications unless argocd-cm defines how."

func defineCheck(in *diagnose.In) diagnose.Fix {
	check := advice.CheckSetting(evidence.Ref{Group: "argoproj.io", Kind: "Application"})
	return diagnose.Fix{Text: "Define resource.customizations.health.argoproj.io_Application in " + check.Place(in) + ", so that child health counts"}
}

// failingChildren is the finding about children without a health check that fail: the first in full, the others by name.
func failingChildren(in *diagnose.In, children []evidence.Ref) (diagnose.Finding, bool) {
	if diagnose.Nested(in) {
		return diagnose.Finding{}, false
	}
	var apps []*evidence.Application
	for _, ref := range children[:min(len(children), maxChildren)] {
		child, _ := diagnose.Look(in, evidence.FactChild(ref))
		apps = append(apps, child)
	}
	if in.Waiting() {
		return diagnose.Finding{}, false
	}
	var found []diagnose.Finding
	for i, child := range apps {
		rep := in.Alone(child)
		if rep == nil || rep.Verdict != diagnose.VerdictDegraded && rep.Verdict != diagnose.VerdictFailing {
			continue
		}
		if len(found) > 0 {
			found[0].Others = append(found[0].Others, children[i])
			continue
		}
		s := &unhealthy.Resource{Ref: children[i], Status: child.Status.Health.Status}
		f := childFinding(in, s)
		f.Resource = s.Ref
		if cause := rep.Root(); cause != nil {
			f = withCause(in, s, f, cause)
		}
		f.Why = text.Paragraph(f.Why, parentHealthy)
		f.Fix = append(f.Fix, defineCheck(in))
		found = append(found, f)
	}
	if len(found) == 0 {
		return diagnose.Finding{}, false
	}
	return found[0], true
}

// childFinding is the finding about a child as far as its parent knows.
func childFinding(in *diagnose.In, s *unhealthy.Resource) diagnose.Finding {
	if evidence.HasPrivate(s.Ref.Name) {
		return diagnose.Finding{
			Confidence: diagnose.Likely, Title: childTitle(s), Why: advice.PrivateChild,
			Evidence: []diagnose.Quote{{From: s.Ref.String(), Text: "health " + s.Status}},
			Fix:      []diagnose.Fix{advice.AskOwner},
		}
	}
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      childTitle(s),
		Says:       says("Its status says", s.Text),
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}},
		Fix:        []diagnose.Fix{{Text: "Diagnose the child application", Command: diagnose.Shell(program.Name()+" why %s", childArgument(in, s.Ref))}},
	}
}

// withCause adds the cause that the diagnosis of the child found.
func withCause(in *diagnose.In, s *unhealthy.Resource, f diagnose.Finding, cause *diagnose.Finding) diagnose.Finding {
	f.Confidence = cause.Confidence
	f.Title, f.Why, f.Says = fmt.Sprintf("Child app %s: %s", s.Ref.Name, strings.Replace(cause.Title, "Child app ", "child app ", 1)), cause.Why, diagnose.Said{}
	if !in.Fits(f.Title) {
		f.Title, f.Why = childTitle(s), text.Paragraph(text.Sentence(text.UpperFirst(cause.Title)), cause.Why)
		for _, short := range shortCauses(s, cause) {
			if !in.Fits(short) {
				continue
			}
			f.Title, f.Why = short, cause.Why
			if known := short + cause.Why; cause.Resource.Name != "" && !strings.Contains(known, cause.Resource.Name) {
				f.Why = text.Paragraph(fmt.Sprintf("Affected: %s.", cause.Resource), cause.Why)
			}
			break
		}
	}
	if len(cause.Fix) > 0 && cause.Fix[0].Text != "" {
		f.Fix = append([]diagnose.Fix{cause.Fix[0]}, f.Fix...)
		f.Fix[1].Text = "See all about the child application"
	}
	for _, q := range cause.Evidence {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String() + ", " + q.From, Text: q.Text})
	}
	return f
}

// shortCauses are shorter titles about a child and its cause, the longest first: without the name of what fails, without its kind.
func shortCauses(s *unhealthy.Resource, cause *diagnose.Finding) []string {
	title, child := cause.Title, s.Ref.Name+": "
	out := []string{"Child " + child + title, child + title}
	if before, what, ok := strings.Cut(title, ": "); ok && strings.HasPrefix(before, cause.Resource.Kind) {
		out = append([]string{"Child app " + child + what}, append(out, child+cause.Resource.Kind+": "+what, child+what)...)
	}
	if what, ok := strings.CutPrefix(title, cause.Resource.String()+" "); ok && cause.Resource.Name != "" {
		out = append(out, child+cause.Resource.Name+" "+what, child+cause.Resource.Kind+" "+what)
	}
	return out
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
