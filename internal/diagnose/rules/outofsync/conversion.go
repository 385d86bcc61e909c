package outofsync

import (
	"fmt"
	"strings"

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
		Decisive: "apiVersion differs between the manifest in Git and the live object, within one API group; or a custom resource in a beta version has lost a field that was applied.",
		Example:  "apiVersion: example.com/v1beta1 in Git, example.com/v1 in the cluster",
		Fix:      "Write the manifest in the version that the cluster stores.",
	},
	Sync:       advice.Pointless("the API server will convert it again"),
	Recognises: explains{{byConversion, hasOtherVersion}, {byConversion, isLostInBeta}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		if !hasOtherVersion(g.in, g.picture, r, &field) {
			return g.lostInBeta()
		}
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
		if isChart(g.in) {
			f.Fix[0] = diagnose.Fix{Text: fmt.Sprintf("Use a version of chart %s that renders %s of %s%s", source(g.in).Chart, to, r.Ref, doTheSame(len(g.resources)-1))}
		}
		if field.Path.Last() != "apiVersion" {
			f.Why += " " + text.Sentence(g.valuesClause())
		}
		return f
	}),
}

// lostInBeta is the finding about fields that a beta version does not give back.
func (g *explained) lostInBeta() diagnose.Finding {
	r, field := g.firstField()
	_, version, _ := strings.Cut(r.Target.Text("apiVersion"), "/")
	f := diagnose.Finding{
		Confidence: diagnose.Possible,
		Title:      fmt.Sprintf("%s: %s loses %s", g.subject(), version, g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. Argo CD applied it and nobody removed it: either the object is stored in a later version and converting it to %s loses the field, or the schema of %s does not have it.", g.valuesClause(), version, version),
	}
	next := "If a later version has the field"
	if path, ok := field.Path.Schema(); ok {
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "Check whether the version that the cluster prefers is a later one and has the field",
			Command: diagnose.Shell("kubectl explain %s", strings.ToLower(r.Ref.Kind)+"."+path),
		})
		next = "If so"
	}
	f.Fix = append(f.Fix,
		diagnose.Fix{Text: fmt.Sprintf("%s, write that version as apiVersion of %s", next, g.manifest())},
		diagnose.Fix{Text: fmt.Sprintf("If not, correct the name or place of %s there, or upgrade the CustomResourceDefinition", g.paths())},
	)
	return f
}

// isLostInBeta: a custom resource is written in a beta version and does not keep a field that was applied. A later version of the
// same kind usually exists by then.
func isLostInBeta(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	_, version, _ := strings.Cut(r.Target.Text("apiVersion"), "/")
	return strings.Contains(version, "beta") && isCustomKind(r.Ref) && !f.InLive && !drift.Empty(f.Desired) && !serverSideDiff(in) &&
		!gitMoved(in) && !isUnknown(f) && !f.Path.Under("metadata") && !f.Path.ByIndex() && howDefaulted(r, f) == pruned && isDefaulted(in, nil, r, f)
}

func hasOtherVersion(_ *diagnose.In, _ *picture, r *resource, _ *drift.Field) bool {
	from, to := r.Target.Text("apiVersion"), r.Live.Text("apiVersion")
	return from != "" && to != "" && from != to
}
