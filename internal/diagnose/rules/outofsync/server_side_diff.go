package outofsync

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ServerSideDiff = &diagnose.Rule{
	ID:    "drift/server-side-diff",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "OutOfSync without a real difference",
		What:     "Argo CD reports a resource as out of sync although what it compared is equal, or the API server's dry run predicts a change that a real sync does not make. Known bugs in the diff engines cause this, and so does a stale comparison.",
		Decisive: "The resource is OutOfSync and no field differs; or, with server-side diff, the field was applied as it is in Git and is predicted to change again.",
		Example:  "Rollout/web is OutOfSync; its live state equals the predicted one",
		Fix:      "Hard-refresh the application; if that does not help, use the other diff strategy or upgrade Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("a sync would change nothing"),
	Recognises: explains{{byComparison, isServerCounter}, {byPrediction, isPredictedOnly}},
	Check:      checkServerSideDiff,
}

func checkServerSideDiff(in *diagnose.In) diagnose.Outcome {
	out := reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		why := g.valuesClause() + ". Argo CD applied the value from Git and nobody has changed it since; only server-side diff predicts a change."
		if !field.WasApplied {
			live, predicted := bothValues(r, field)
			why = fmt.Sprintf("Server-side diff predicts %s instead of %s, but the API server maintains this field itself and Git does not set it.", predicted, live)
		}
		return diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s: %s %s only in a dry run", g.subject(), g.fieldsLabel(), verb(g.countFields(), "differs", "differ")),
			Why:        why,
			Fix: []diagnose.Fix{
				compareWith(in, "Turn off server-side diff", "ServerSideDiff=false"),
				seeDiff(in),
			},
		}
	})(in)
	d := look(in)
	if d != nil && d.beside {
		return out
	}
	if d != nil && len(out.Findings) == 0 && noneDiffers(in) {
		return diagnose.Found(noResourceDiffers(in))
	}
	if d == nil || !d.compared || len(out.Findings) > 0 {
		return out
	}
	var equal []*resource
	for _, r := range d.resources {
		if r.Target != nil && r.Live != nil && len(r.Fields) == 0 && r.Further == 0 {
			equal = append(equal, r)
		}
	}
	if len(equal) == 0 || len(equal) < len(d.resources) || len(d.extra)+len(d.gone) > 0 {
		return out
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      subjectText(equal) + ": OutOfSync, but nothing differs",
		Why:        "The live state that Argo CD compared equals what a sync would apply: the comparison is stale, or the diff is wrong.",
		Evidence:   []diagnose.Quote{{From: "diff of " + equal[0].Ref.String(), Text: "OutOfSync, no field differs"}},
		Fix:        []diagnose.Fix{{Text: "Compare again with a hard refresh", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in))}, seeDiff(in)},
		Offers:     []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "the comparison may be stale"}},
	}
	f.Resource, f.Others = refs(equal)
	return diagnose.Found(f)
}

// noneDiffers reports whether the application is out of sync and none of its resources is. Hooks do not count.
func noneDiffers(in *diagnose.In) bool {
	list := in.App().Status.Resources
	return len(list) > 0 && !slices.ContainsFunc(list, func(r evidence.ResourceStatus) bool { return r.Status == "OutOfSync" && !r.Hook })
}

// noResourceDiffers is the finding about that.
func noResourceDiffers(in *diagnose.In) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      "OutOfSync, but no resource is",
		Why:        "All resources that Argo CD lists match Git, so the status of the application is most likely older than they are.",
		Evidence:   []diagnose.Quote{{From: "status.resources", Text: "no resource is OutOfSync"}},
		Fix:        []diagnose.Fix{{Text: "Compare again with a hard refresh", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in))}, seeDiff(in)},
		Offers:     []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "the comparison may be stale"}},
	}
	if slices.ContainsFunc(in.App().Status.Resources, func(r evidence.ResourceStatus) bool { return r.Status == "OutOfSync" }) {
		f.Why = "Only finished hooks are listed as OutOfSync, and they do not count: the next sync replaces or leaves them."
		f.Evidence[0].Text = "only hooks are OutOfSync"
	}
	return f
}

// isServerCounter: a dry run counts the object's generation up, which Git cannot set. It is not a difference of its own.
func isServerCounter(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if len(f.Path) != 2 || !f.Path.Under("metadata") || !serverSideDiff(in) {
		return false
	}
	stated := r.Target.At("metadata", f.Path.Last()) != nil
	switch f.Path.Last() {
	case "generation", "resourceVersion", "uid", "creationTimestamp", "managedFields":
		return !stated
	}
	return false
}

// isPredictedOnly: with server-side diff, a field was applied as it is in Git, is not live, and nobody removed it.
func isPredictedOnly(in *diagnose.In, _ *picture, _ *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return serverSideDiff(in) && !strange && !f.InLive && f.WasApplied && reflect.DeepEqual(f.Applied, f.Desired) && !drift.Empty(f.Desired)
}
