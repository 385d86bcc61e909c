package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var RandomValues = &diagnose.Rule{
	ID:    "drift/random-values",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Values change with every render",
		What:     "The chart generates values while it renders (randAlphaNum, genSelfSignedCert, now, a lookup that Argo CD cannot do), so every comparison finds new ones. A sync replaces the password or certificate in use with a new one.",
		Decisive: "The commit is the one that was synced, nobody has written to the field since, and what is rendered now is not what was applied.",
		Example:  "data.tls.crt of Secret/web: differs, although the same commit was synced and nobody changed it",
		Fix:      "Provide the value instead of having it generated: an existing Secret, a fixed value; or ignore the field.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#random-data"},
	},
	Sync:       overwrites("it replaces values in use (a password, a certificate) with newly generated ones"),
	Recognises: explains{{byRendering, isRandom}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r := g.resources[0]
		rests := "The same commit was synced and nobody has changed the field since"
		if gitMoved(g.in) {
			rests = "Nobody has changed the field since it was applied, and its value looks generated"
		}
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s: %s %s with every render", g.subject(), g.fieldsLabel(), verb(g.countFields(), "changes", "change")),
			Why:        fmt.Sprintf("%s. %s: the chart generates a new value each time it renders.", g.valuesClause(), rests),
			Sync:       overwrites(fmt.Sprintf("it replaces %s, now in use, with %s", g.fieldsLabel(), verb(g.countFields(), "a newly generated value", "newly generated values"))),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Give %s a fixed value in %s", g.paths(), g.manifest())},
				or(g.ignore(true)),
			},
		}
		if isSecret(r.Ref) {
			f.Fix[0].Text = fmt.Sprintf("Point the chart%s to an existing Secret instead of generating %s of %s", inGit(g.in), g.paths(), r.Ref)
		}
		return f
	}),
}

// isRandom: what is rendered is not what was applied, and the commit is the same.
func isRandom(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	switch in.App().Status.SourceType {
	case "Directory", "Kustomize": // they write what the files say
		return false
	}
	// With a new commit as well, where the values look generated; a Secret was hardly ever changed in Git, where none should be.
	return isRenderedDifferently(r, f) && (!gitMoved(in) || isSecret(r.Ref) || drift.MadeUp(f.Desired, f.Live) || f.Path.Last() == "rollme") // what the docs of Helm call it
}

// followRandom: where a chart generates values, the checksums that it writes of them change as well, and not with the commit.
func (d *picture) followRandom() {
	random, commit := d.ruleFor(byRendering), d.ruleFor(byCommit)
	if !slices.ContainsFunc(d.resources, func(r *resource) bool { return len(r.byRule[random]) > 0 }) {
		return
	}
	for _, r := range d.resources {
		var rest []drift.Field
		for _, f := range r.byRule[commit] {
			if strings.Contains(f.Path.Last(), "checksum") {
				r.byRule[random] = append(r.byRule[random], f)
			} else {
				rest = append(rest, f)
			}
		}
		r.byRule[commit] = rest
	}
}

// holdsValues are the places where charts put generated values.
func holdsValues(r *resource, f *drift.Field) bool {
	return r.Ref.Kind == "Secret" || r.Ref.Kind == "ConfigMap" || strings.Contains(f.Path.Last(), "checksum") || f.Path.Last() == "caBundle" || f.Path.Has("env")
}
