package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

var Conversion = &diagnose.Rule{
	ID:    "drift/conversion",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "API version differs from the one in Git",
		What:     "The manifest is written in one API version, and the object is stored and shown in another. Converting it back and forth adds, drops or renames fields.",
		Decisive: "apiVersion differs between the manifest in Git and the live object, within one API group.",
		Example:  "apiVersion: example.com/v1beta1 in Git, example.com/v1 in the cluster",
		Fix:      "Write the manifest in the version that the cluster stores.",
	},
	Sync:       advice.Pointless("the API server will convert it again"),
	Recognises: explains{{byConversion, hasOtherVersion}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		from, to := r.Target.Text("apiVersion"), r.Live.Text("apiVersion")
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      g.subject() + ": API version differs from Git",
			Why:        fmt.Sprintf("The manifest in Git uses %s, and the API server converts it to %s.", from, to),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("In %s, change apiVersion to %s and adapt the fields that differ between the two versions", g.manifest(), to), Patch: "apiVersion: " + to + "\n"},
				seeDiff(g.in),
			},
		}
		if field.Path.Last() != "apiVersion" {
			f.Why += " " + text.Sentence(g.valuesClause())
		}
		return f
	}),
}

func hasOtherVersion(_ *diagnose.In, _ *picture, r *resource, _ *drift.Field) bool {
	from, to := r.Target.Text("apiVersion"), r.Live.Text("apiVersion")
	return from != "" && to != "" && from != to
}
