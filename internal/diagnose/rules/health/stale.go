package health

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// staleAfter is how old what Argo CD knows may be: it compares every three minutes, so this is ten times missed.
const staleAfter = 30 * time.Minute

var Stale = &diagnose.Rule{
	ID:    "health/stale",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "What Argo CD shows is not what is",
		What:     "The application is called Degraded or Progressing although none of its resources is, or Argo CD has not looked at it for a long time: its controller is down, overloaded, or missed a change.",
		Decisive: "No resource is unhealthy, or the object itself says that it is fine, or reconciledAt is more than thirty minutes ago.",
		Example:  "health: Degraded, while every resource is Healthy",
		Fix:      "Refresh the application; if that does not help, look at the application controller.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: advice.Pointless("it would not change what Argo CD shows; a refresh does"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		p := look(in)
		if p == nil || p.Deleting {
			return diagnose.Nothing
		}
		st := in.App().Status
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Fix: []diagnose.Fix{
				advice.Refresh(in, "Have Argo CD look again"),
				{Text: "If that does not help, see whether its controller works", Command: diagnose.Shell("kubectl -n %s logs -l app.kubernetes.io/name=argocd-application-controller --tail=100", advice.ArgoNamespace(in))},
			},
			Offers: []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "what Argo CD shows is probably old"}},
		}
		switch {
		case in.Since(st.ReconciledAt) >= staleAfter:
			return diagnose.Found(outdatedFinding(in, p, f))
		case len(p.Resources) == 0 && p.Tree != nil && (st.Health.Status == "Degraded" || st.Health.Status == "Progressing"):
			if in.Since(st.Health.LastTransitionTime) >= addressThreshold { // the two are not written at the same moment
				return diagnose.Found(unexplainedFinding(st.Health.Status, f))
			}
		case len(p.Resources) == 1 && contradictsHealth(p, p.Resources[0]) && !justChanged(in, p.Resources[0]):
			return diagnose.Found(contradictionFinding(p.Resources[0], f))
		}
		return diagnose.Nothing
	},
}

// outdatedFinding is the finding about an application that Argo CD has not looked at for long.
func outdatedFinding(in *diagnose.In, p *unhealthy.Picture, f diagnose.Finding) diagnose.Finding {
	st := in.App().Status
	age := text.Age(in.Since(st.ReconciledAt))
	f.Title = fmt.Sprintf("what Argo CD shows is %s old", age)
	f.Why = fmt.Sprintf("Argo CD looked at the application %s ago; it does so every few minutes when it works. Its health (%s) may be another by now.", age, st.Health.Status)
	f.Evidence = []diagnose.Quote{{From: "application", Text: "reconciledAt " + st.ReconciledAt.UTC().Format(time.RFC3339)}}
	if len(p.Resources) > 0 { // what is seen may still be so
		f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
	}
	return f
}

// unexplainedFinding is the finding about an application none of whose resources is as it is called.
func unexplainedFinding(health string, f diagnose.Finding) diagnose.Finding {
	f.Title = fmt.Sprintf("the application is called %s although none of its resources is", strings.ToLower(health))
	f.Why = fmt.Sprintf("Argo CD calls the application %s, and every resource of it that has a health is healthy.", health)
	f.Evidence = []diagnose.Quote{{From: "application", Text: "health " + health}}
	return f
}

// contradictionFinding is the finding about a resource whose own status, or all that it owns, says that it is fine.
func contradictionFinding(s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	f.Resource = s.Ref
	if s.Object == nil {
		f.Title = fmt.Sprintf("%s is called %s, and all of its pods are healthy", s.Ref, strings.ToLower(s.Status))
		f.Why = fmt.Sprintf("Argo CD calls %s %s, while everything that it owns is healthy.", s.Ref, s.Status)
		f.Evidence = []diagnose.Quote{{From: s.Ref.String(), Text: s.Text}}
		return f
	}
	f.Title = fmt.Sprintf("%s is called %s, and says itself that it is fine", s.Ref, strings.ToLower(s.Status))
	f.Why = fmt.Sprintf("Argo CD calls %s %s, while its live status says that all of its replicas are updated and available.", s.Ref, s.Status)
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
