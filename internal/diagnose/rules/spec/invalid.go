package spec

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var Invalid = &diagnose.Rule{
	ID: "spec/invalid",
	Doc: diagnose.Doc{
		Title:    "The Application itself is not valid",
		What:     "Argo CD cannot work with the spec: no source or destination, a cluster or project that it does not know, both a server and a name. It does not compare such an application, and sends no notification for it.",
		Decisive: "Condition InvalidSpecError.",
		Example:  "unable to find destination server: there are no clusters with this name: prod-eu",
		Fix:      "Correct the Application, or register the cluster.",
	},
	Sync: advice.Blocked("Argo CD refuses to sync an application whose spec is invalid"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Stage != message.StageSpec && !clusterUnknown(f) && !f.Has("multiple application sources defined", "unable to determine app source type") && !f.HasAll("references project", "does not exist") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the Application is not valid",
			Why:        "Argo CD cannot work with this spec: " + text.Sentence(f.Line(2*message.MaxClause)),
			Fix:        []diagnose.Fix{{Text: "Correct the spec where the Application is defined", Command: diagnose.Shell("argocd app get %s -o yaml", advice.AppName(in))}},
		}
		if clusterUnknown(f) {
			d := in.App().Spec.Destination
			out.Title = "the destination cluster " + cmp.Or(d.Name, d.Server) + " is not known to Argo CD"
			out.Fix = append([]diagnose.Fix{{Text: "See which clusters Argo CD knows, by server and by name", Command: "argocd cluster list"}}, out.Fix...)
		}
		return out, true
	}),
}

func clusterUnknown(f *message.Failure) bool {
	if f.Stage == message.StageApply {
		return false
	}
	return f.Has("unable to find destination server", "no clusters with this name", "error getting cluster by server", "error getting cluster name by server", "error getting cluster by name", "cluster has not been configured", "is not configured in argo") ||
		f.HasAll("cluster \"", "\" not found")
}
