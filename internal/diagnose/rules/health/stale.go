package health

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// staleAfter is how old the state that Argo CD shows can be: it compares every three minutes, so this is ten times missed.
const staleAfter = 30 * time.Minute

var Stale = &diagnose.Rule{
	ID:    "health/stale",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Argo CD shows outdated health",
		What:     "The application shows Degraded or Progressing although none of its resources does, or Argo CD has not checked it for a long time: its controller is down, overloaded, or missed a change.",
		Decisive: "No resource is unhealthy, or the object's own status is fine, or reconciledAt is more than thirty minutes ago.",
		Example:  "health: Degraded, while every resource is Healthy",
		Fix:      "Refresh the application; if that does not help, check the application controller.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: advice.Pointless("only a refresh updates what Argo CD shows"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		p := shown(in)
		if p == nil || p.Deleting {
			return diagnose.Nothing
		}
		st := in.App().Status
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Fix: []diagnose.Fix{
				advice.Refresh(in, "Refresh the application"),
				{Text: "If that does not help, check the application controller's log", Command: diagnose.Shell("kubectl -n %s logs -l %s --tail=100", advice.ArgoNamespace(in), diagnose.Raw(advice.ArgoPods(in, "application-controller")))},
			},
			Offers: []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "what Argo CD shows is probably outdated"}},
		}
		switch {
		case in.Since(st.ReconciledAt) >= staleAfter:
			return diagnose.Found(outdatedFinding(in, p, f))
		case len(p.Resources) == 0 && p.Tree != nil && (st.Health.Status == "Degraded" || st.Health.Status == "Progressing"):
			if in.Since(st.Health.LastTransitionTime) >= addressThreshold { // the two are not written at the same moment
				if n := notHealthy(p.Tree); n != nil {
					return diagnose.Found(belowFinding(st.Health.Status, n, f))
				}
				return diagnose.Found(unexplainedFinding(st.Health.Status, f))
			}
		case len(p.Resources) == 1 && contradictsHealth(p, p.Resources[0]) && !justChanged(in, p.Resources[0]):
			return diagnose.Found(contradictionFinding(p.Resources[0], f))
		}
		return diagnose.Nothing
	},
}

// outdatedFinding is the finding about an application that Argo CD has not checked for a long time.
func outdatedFinding(in *diagnose.In, p *unhealthy.Picture, f diagnose.Finding) diagnose.Finding {
	st := in.App().Status
	age := text.Age(in.Since(st.ReconciledAt))
	f.Title = fmt.Sprintf("Not checked by Argo CD for %s", age)
	f.Why = fmt.Sprintf("Unless timeout.reconciliation is set otherwise, Argo CD checks every few minutes, so the health shown (%s) may be outdated.", st.Health.Status)
	f.Evidence = []diagnose.Quote{{From: "application", Text: "reconciledAt " + st.ReconciledAt.UTC().Format(time.RFC3339)}}
	if len(p.Resources) > 0 { // what is shown may still be true
		f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
	}
	return f
}

// unexplainedFinding is the finding about an application whose health none of its resources has.
func unexplainedFinding(health string, f diagnose.Finding) diagnose.Finding {
	f.Title = fmt.Sprintf("Shows %s, but all of its resources are healthy", health)
	f.Why = "Argo CD has probably missed a change: every resource that has a health status is Healthy."
	f.Evidence = []diagnose.Quote{{From: "application", Text: "health " + health}}
	return f
}

// notHealthy is the first node of the tree that is not healthy, one that says why before any other; nil where there is none.
func notHealthy(tree *evidence.Tree) *evidence.Node {
	var first *evidence.Node
	for i := range tree.Nodes {
		switch n := &tree.Nodes[i]; {
		case n.HealthStatus() == "Healthy" || n.HealthStatus() == "":
		case n.Health.Message != "":
			return n
		case first == nil:
			first = n
		}
	}
	return first
}

// belowFinding is the finding about an application none of whose resources is listed as unhealthy, but something that they own is.
func belowFinding(health string, n *evidence.Node, f diagnose.Finding) diagnose.Finding {
	f.Confidence = diagnose.Possible
	f.Title = fmt.Sprintf("Shows %s; %s is %s", health, n.Ref(), n.HealthStatus())
	f.Why = "None of the application's own resources is listed as unhealthy; this is one that they own."
	f.Says = diagnose.Said{Who: "Argo CD says", Text: text.OneLine(n.Health.Message)}
	f.Evidence = []diagnose.Quote{{From: n.Ref().String(), Text: "health " + n.HealthStatus()}}
	f.Fix = append([]diagnose.Fix{{Text: "Check its state and events", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(n.Ref()), n.Ref().Resource())}}, f.Fix...)
	return f
}

// contradictionFinding is the finding about a resource that is healthy by its own status, or whose pods all are.
func contradictionFinding(s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	f.Resource = s.Ref
	if s.Object == nil {
		f.Title = fmt.Sprintf("%s shows %s, but its pods are healthy", s.Ref, s.Status)
		f.Why = "Everything that it owns is healthy, so Argo CD has probably missed a change."
		f.Evidence = []diagnose.Quote{{From: s.Ref.String(), Text: s.Text}}
		return f
	}
	f.Title = fmt.Sprintf("%s shows %s, but is fully rolled out", s.Ref, s.Status)
	f.Why = "All of its replicas are updated and available, so Argo CD has probably missed a change."
	f.Evidence = []diagnose.Quote{{From: s.Ref.String(), Text: statusCounts(s.Object, "replicas", "updatedReplicas", "availableReplicas")}}
	return f
}

// justChanged reports whether the application or the resource changed a moment ago: then Argo CD only has not noticed yet.
func justChanged(in *diagnose.In, s *unhealthy.Resource) bool {
	moments := []evidence.Time{in.App().Status.Health.LastTransitionTime}
	if op := in.App().Status.OperationState; op != nil {
		moments = append(moments, op.FinishedAt)
	}
	for _, c := range s.Object.List("status", "conditions") {
		moments = append(moments, c.Time("lastUpdateTime"), c.Time("lastTransitionTime"))
	}
	return slices.ContainsFunc(moments, func(t evidence.Time) bool { return !t.IsZero() && in.Since(t) < unhealthy.SettleThreshold })
}
