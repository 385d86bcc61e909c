package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Conversion = &diagnose.Rule{
	ID:    "drift/conversion",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Git and the cluster use different versions of the API",
		What:     "The manifest is written in one version of the API and the object is kept and shown in another. Converted there and back, it gains, loses or renames fields.",
		Decisive: "apiVersion of Git's manifest and of the live object differ within one group.",
		Example:  "apiVersion: Git example.com/v1beta1, live example.com/v1",
		Fix:      "Write the manifest in the version that the cluster stores.",
	},
	Sync:       advice.Pointless("the API server converts it again"),
	Recognises: explains{{byConversion, hasOtherVersion}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, _ := g.firstField()
		from, to := r.Target.Text("apiVersion"), r.Live.Text("apiVersion")
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s is %s in Git and %s in the cluster", r.Ref, from, to),
			Why:        fmt.Sprintf("%s. The manifest is of %s, the live object of %s: the API server converts one into the other.", g.valuesClause(), from, to),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Write %s in Git as %s%s", r.Ref, to, inGit(g.in)), Patch: "apiVersion: " + to + "\n"},
				seeDiff(g.in),
			},
		}
	}),
}

func hasOtherVersion(_ *diagnose.In, _ *picture, r *resource, _ *drift.Field) bool {
	from, to := r.Target.Text("apiVersion"), r.Live.Text("apiVersion")
	return from != "" && to != "" && from != to
}
