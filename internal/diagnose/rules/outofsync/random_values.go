package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var RandomValues = &diagnose.Rule{
	ID:    "drift/random-values",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Each rendering gives other values",
		What:     "The chart makes up values while it renders (randAlphaNum, genSelfSignedCert, now, a lookup that Argo CD cannot do), so that every comparison finds other ones. A sync writes a new password or certificate over the one that is in use.",
		Decisive: "The commit is the one that was synced, nobody wrote to the field since, and what is rendered now is not what was applied.",
		Example:  "data.tls.crt of Secret/web: differs, although the same commit was synced and nobody wrote to it",
		Fix:      "Give the value instead of having it made up: an existing Secret, a fixed value; or ignore the field.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#random-data"},
	},
	Sync:       overwrites("it replaces values that are in use (a password, a certificate) by newly made ones"),
	Recognises: explains{{byRendering, isRandom}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		rests := "The same commit was synced"
		if gitMoved(g.in) {
			rests = "Such a value is made up while the chart renders"
		}
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s is rendered anew each time", g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. %s, and nobody wrote to it since it was applied: the manifests come out differently each time they are rendered.", g.valuesClause(), rests),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Give %s of %s a fixed value, or point the chart to an existing Secret%s", field.Path, r.Ref, inGit(g.in))},
				g.ignore(true),
			},
		}
	}),
}

// isRandom: what is rendered is not what was applied, and it is no new commit.
func isRandom(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	switch in.App().Status.SourceType {
	case "Directory", "Kustomize": // they write what stands in the files
		return false
	}
	// With a new commit, too, where the values look made up; a Secret was hardly ever changed in Git, where none should
	// stand.
	return isRenderedDifferently(r, f) && (!gitMoved(in) || isSecret(r.Ref) || drift.MadeUp(f.Desired, f.Live))
}

// holdsValues are the places where charts put made-up values.
func holdsValues(r *resource, f *drift.Field) bool {
	return r.Ref.Kind == "Secret" || r.Ref.Kind == "ConfigMap" || strings.Contains(f.Path.Last(), "checksum") || f.Path.Last() == "caBundle" || f.Path.Has("env")
}
