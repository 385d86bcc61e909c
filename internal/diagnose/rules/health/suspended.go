package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Suspended = &diagnose.Rule{
	ID:    "health/suspended",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Resource is suspended on purpose",
		What:     "A CronJob, Job, ScaledObject, Deployment or other resource is suspended or paused. That is intentional, not a failure, and nothing happens until someone resumes it.",
		Decisive: "Health Suspended, or spec.suspend (spec.paused, the Paused condition) of the resource.",
		Example:  "spec: {suspend: true}",
		Fix:      "Nothing, or resume it.",
	},
	Sync:       advice.Pointless("the cluster already matches Git; the resource is suspended on purpose"),
	Recognises: about{{status: "Suspended"}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if shown(in) != nil {
			return reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
				f := suspensionFinding(s.Ref, s.Object, cmp.Or(s.Text, "health "+s.Status))
				f.Kind, f.Held = diagnose.KindUnfinished, true
				return f, true
			})(in)
		}
		var found []diagnose.Finding
		for _, o := range freeObjects(in, isKind("CronJob", "Job", "ScaledObject")) {
			if suspendedBy(o) != "" {
				found = appendNote(found, suspensionFinding(o.Ref(), o, suspendedBy(o)), diagnose.Certain)
			}
		}
		return diagnose.Found(found...)
	},
}

// suspendedBy is the part of an object that suspends it, "" when none does.
func suspendedBy(o evidence.Object) string {
	for _, field := range []string{"suspend", "paused"} {
		if on, _ := o.At("spec", field).(bool); on {
			return "spec." + field + ": true"
		}
	}
	if o.Condition("Paused").Text("status") == "True" {
		return "condition Paused=True"
	}
	for _, key := range []string{"autoscaling.keda.sh/paused", "autoscaling.keda.sh/paused-replicas", "reconcile.external-secrets.io/paused", "cluster.x-k8s.io/paused"} {
		if o.Annotation(key) != "" {
			return "annotation " + key
		}
	}
	return ""
}

func suspensionFinding(ref evidence.Ref, o evidence.Object, said string) diagnose.Finding {
	by := suspendedBy(o)
	f := diagnose.Finding{
		Resource: ref, Role: diagnose.RoleNote, Confidence: diagnose.Certain,
		Title:    fmt.Sprintf("%s is suspended", ref),
		Why:      message.After("It has ", text.Sentence(by)),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: cmp.Or(by, said)}},
		Fix:      []diagnose.Fix{{Text: "To resume it, find the field or annotation that suspends it, and change that in Git", Command: diagnose.Shell("kubectl %sget %s -o yaml", advice.InNamespace(ref), ref.Resource())}},
	}
	f.Why = text.Paragraph(f.Why, "This is not a failure, but nothing happens until someone resumes it.")
	switch by {
	case "spec.suspend: true":
		f.Fix[0] = diagnose.Fix{Text: "To resume it, set this in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  suspend: false\n", ref)}
	case "spec.paused: true":
		f.Fix[0] = diagnose.Fix{Text: "To resume it, set this in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  paused: false\n", ref)}
	}
	return f
}
