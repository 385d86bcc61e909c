package outofsync

import (
	"fmt"
	"reflect"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var ServerSideDiff = &diagnose.Rule{
	ID:    "drift/server-side-diff",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Argo CD reports a difference that is none",
		What:     "Argo CD calls a resource out of sync although what it compared is equal, or the API server's dry run predicts a change that a real sync does not make. Known faults of the diff engines have this effect; a stale comparison has, too.",
		Decisive: "The resource is OutOfSync and no field differs; or, with server-side diff, the field was applied as Git wants it and is predicted to change again.",
		Example:  "Rollout/web is OutOfSync; its live state equals the predicted one",
		Fix:      "Refresh hard; if it stays, use the other diff strategy or upgrade Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("there is nothing that a sync would change"),
	Recognises: explains{{byComparison, isServerCounter}, {byPrediction, isPredictedOnly}},
	Check:      checkServerSideDiff,
}

func checkServerSideDiff(in *diagnose.In) diagnose.Outcome {
	out := reporting(func(g *explained) diagnose.Finding {
		return diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("server-side diff predicts a change of %s that a sync does not make", g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. Argo CD applied it as Git wants it and nobody wrote to it since.", g.valuesClause()),
			Fix: []diagnose.Fix{
				compareWith(in, "Compare without the API server: annotate the Application", "ServerSideDiff=false"),
				seeDiff(in),
			},
		}
	})(in)
	d := look(in)
	if d == nil || !d.compared || len(out.Findings) > 0 {
		return out
	}
	var equal []*resource
	for _, r := range d.resources {
		if r.Target != nil && r.Live != nil && len(r.Fields) == 0 {
			equal = append(equal, r)
		}
	}
	if len(equal) == 0 || len(equal) < len(d.resources) || len(d.extra)+len(d.gone) > 0 {
		return out
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s is called out of sync, and nothing differs", equal[0].Ref),
		Why:        fmt.Sprintf("Argo CD calls %s out of sync; the live state it compared equals what a sync would make of it.", equal[0].Ref),
		Evidence:   []diagnose.Quote{{From: "diff of " + equal[0].Ref.String(), Text: "OutOfSync, and no field differs"}},
		Fix:        []diagnose.Fix{{Text: "Have Argo CD compare anew", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in))}, seeDiff(in)},
		Offers:     []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "the comparison may be stale"}},
	}
	f.Resource, f.Others = refs(equal)
	return diagnose.Found(f)
}

// isServerCounter: a dry run counts the object's generation on, which Git cannot state. It is no difference of its own.
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

// isPredictedOnly: with server-side diff, a field was applied as Git wants it, is not live, and nobody took it away.
func isPredictedOnly(in *diagnose.In, _ *picture, _ *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return serverSideDiff(in) && !strange && !f.InLive && f.WasApplied && reflect.DeepEqual(f.Applied, f.Desired) && !drift.Empty(f.Desired)
}
