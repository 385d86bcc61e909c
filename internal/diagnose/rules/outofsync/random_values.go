package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
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
		if isChart(g.in) {
			rests = "The same version of the chart was synced and nobody has changed the field since"
		}
		loop, loops := findLoop(g.in)
		switch {
		case loops && loop.same:
			rests = fmt.Sprintf("The same revision was synced %s, and nobody else has changed the field", loop)
		case gitMoved(g.in):
			rests = "Nobody has changed the field since it was applied, and its value looks generated"
		}
		f := diagnose.Finding{
			Confidence:  diagnose.Likely,
			Regenerated: true,
			Title:       fmt.Sprintf("%s: %s %s with every render", g.subject(), g.generatedLabel(), verb(g.countFields()+len(g.missedBundles()), "changes", "change")),
			Why:         fmt.Sprintf("%s. %s: the chart generates a new value each time it renders.", g.valuesClause(), rests),
			Sync:        overwrites(fmt.Sprintf("it replaces %s, now in use, with %s", g.fieldsLabel(), verb(g.countFields(), "a newly generated value", "newly generated values"))),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Give %s a fixed value in %s", g.paths(), g.manifest())},
				or(g.ignore(true)),
			},
		}
		switch {
		case g.generatesCertificate():
			f.Fix[0].Text = fmt.Sprintf("Let cert-manager issue the certificate, or give %s an existing one, instead of generating it: %s", chartText(g.in), g.generated())
			if clocks := g.whereField(isSchedule); clocks != "" {
				f.Fix[0].Text += ". Set the schedule as well, if its values have one: " + clocks
			}
		case isSecret(r.Ref):
			f.Fix[0].Text = fmt.Sprintf("In the values of %s, set what it generates (%s of %s) or name an existing Secret", chartText(g.in), g.paths(), r.Ref)
			if g.hasPassword() {
				f.Fix[0].Text += ". A database keeps the password that it was set up with: take that one, or set the new one there as well"
			}
		case g.onlyDerived():
			f.Fix[0].Text = fmt.Sprintf("Find what %s generates in the ConfigMaps and Secrets that %s computed from, and give it a fixed value there", chartText(g.in), verb(g.countFields(), "this checksum is", "these checksums are"))
		case g.generated() != g.all():
			f.Fix[0].Text = fmt.Sprintf("In the values of %s, set what it generates: %s. The checksums follow from it", chartText(g.in), g.generated())
		case g.isTimeOfRender():
			f.Why = fmt.Sprintf("%s. %s: the template writes the time at which it renders.", g.valuesClause(), rests)
			f.Fix[0].Text = fmt.Sprintf("Remove %s from %s, or replace the time by what changes with the content, such as a checksum", g.paths(), g.manifest())
			f.Sync = overwrites(fmt.Sprintf("it resets %s to another time, and the next render will differ again", g.fieldsLabel()))
			if g.inPods() && !g.keepsLive() {
				f.Why += " Each sync restarts the pods."
				f.Sync = overwrites(fmt.Sprintf("it sets %s to another time, which restarts the pods, and the next render will differ again", g.fieldsLabel()))
			}
		}
		if !loops && selfHeals(g.in) && !g.keepsLive() && !g.picture.beside {
			f.Why += " Self-heal is on, so Argo CD replaces " + them(g.countFields()) + " by itself."
			f.Fix = append(f.Fix, automate(g.in, "Until then, turn off self-heal", diagnose.Shell("argocd app set %s --self-heal=false", advice.AppName(g.in)), map[string]bool{"selfHeal": false}))
		}
		if loops && selfHeals(g.in) {
			restarts := ""
			if g.inPods() {
				restarts = ", which restarts the pods each time"
			}
			f.Fix = append(f.Fix, automate(g.in, "Until then, stop the loop"+restarts+": turn off self-heal", diagnose.Shell("argocd app set %s --self-heal=false", advice.AppName(g.in)), map[string]bool{"selfHeal": false}))
		}
		if unseen := g.unseenWorkloads(); len(unseen) > 0 {
			f.Why += fmt.Sprintf(" %s %s out of sync as well: %s may carry a checksum of %s.", namesAnd(unseen), verb(len(unseen), "is", "are"), verb(len(unseen), "it", "they"), r.Ref)
		}
		return f
	}),
}

// chartText is the chart in a step.
func chartText(in *diagnose.In) string {
	if chart := source(in).Chart; chart != "" {
		return "chart " + chart
	}
	return "the chart" + inGit(in)
}

// generatesCertificate reports whether the chart makes a certificate, which other resources then trust.
func (g *explained) generatesCertificate() bool {
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if last := f.Path.Last(); last == "caBundle" || last == "ca.crt" || last == "tls.crt" && len(g.fieldsOf(r)) == 2 {
				return true
			}
		}
	}
	return len(g.missedBundles()) > 0
}

// missedBundles are the resources whose certificate is generated as well, and is another rule's: an entry was to ignore it.
func (g *explained) missedBundles() []*resource {
	return slices.DeleteFunc(slices.Clone(g.picture.resources), func(r *resource) bool {
		return slices.Contains(g.resources, r) || !slices.ContainsFunc(r.Fields, func(f drift.Field) bool { return isRegenerated(g.in, &f) && f.Path.Last() == "caBundle" })
	})
}

// generatedLabel names the fields for the title, with the certificates that are another rule's.
func (g *explained) generatedLabel() string {
	if more := len(g.missedBundles()); more > 0 {
		return text.Count(g.countFields()+more, "field", "fields")
	}
	return g.fieldsLabel()
}

// generated are the fields that the chart generates, of all resources, with where they are, for a step. Checksums follow from them, and what
// makes a time does not make a certificate.
func (g *explained) generated() string {
	certificate := g.generatesCertificate()
	out := g.whereField(func(f *drift.Field) bool { return !isDerived(f) && !(certificate && isSchedule(f)) })
	for _, r := range g.missedBundles() {
		out = strings.TrimPrefix(out+", caBundle of "+r.Ref.String(), ", ")
	}
	return out
}

// all are all fields with where they are.
func (g *explained) all() string { return g.whereField(func(*drift.Field) bool { return true }) }

// onlyDerived reports whether nothing but checksums is known.
func (g *explained) onlyDerived() bool {
	return g.whereField(func(f *drift.Field) bool { return !isDerived(f) }) == ""
}

// whereField are the fields of which something holds, of all resources, with where they are.
func (g *explained) whereField(holds func(*drift.Field) bool) string {
	var out []string
	for _, r := range g.resources {
		var fields []string
		for _, f := range g.fieldsOf(r) {
			if holds(&f) {
				fields = append(fields, f.Path.String())
			}
		}
		if len(fields) > 0 {
			out = append(out, text.List(fields, namedFields)+" of "+r.Ref.String())
		}
	}
	if len(out) == 0 {
		return ""
	}
	return text.List(out, namedFields)
}

// hasPassword reports whether one of the fields is a password by its name.
func (g *explained) hasPassword() bool {
	return g.whereField(func(f *drift.Field) bool {
		name := strings.ToLower(f.Path.Last())
		return strings.Contains(name, "password") || strings.Contains(name, "passwd")
	}) != ""
}

// isDerived: a checksum is computed from what else is rendered.
func isDerived(f *drift.Field) bool { return strings.Contains(f.Path.Last(), "checksum") }

// isTimeOfRender reports whether the fields are times.
func (g *explained) isTimeOfRender() bool {
	_, f := g.firstField()
	return drift.IsTime(f.Desired) && drift.IsTime(f.Live)
}

// unseenWorkloads are the workloads that are out of sync as well, and whose states are not known.
func (g *explained) unseenWorkloads() []*resource {
	return slices.DeleteFunc(g.picture.unseen(), func(r *resource) bool {
		return !slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, r.Ref.Kind)
	})
}

// isRandom: what is rendered is not what was applied, and the commit is the same.
func isRandom(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if !mayGenerate(in) {
		return false
	}
	if isRewritten(in, f) || isRegenerated(in, f) {
		return true
	}
	// With a new commit as well, where the values look generated; a Secret was hardly ever changed in Git, where none should be.
	return isRenderedDifferently(r, f) && (!gitMoved(in) || isSecret(r.Ref) || f.MadeUp() || f.Path.Last() == "rollme") // what the docs of Helm call it
}

// isRewritten: Argo CD itself wrote the live value when it synced this commit, and the value for Git is made up anew. Nothing shows
// what it applied then, and nobody else can have changed it.
func isRewritten(in *diagnose.In, f *drift.Field) bool {
	if len(f.Owners) == 0 || f.WasApplied || gitMoved(in) || !f.MadeUp() {
		return false
	}
	return !slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return !isArgo(o) || !o.Exact })
}

// isRegenerated: one revision is synced over and over, Argo CD is the only one who writes the field, and it is one of those that charts
// generate. No webhook changes these.
func isRegenerated(in *diagnose.In, f *drift.Field) bool {
	if !mayGenerate(in) || !f.InLive || !f.InDesired || len(f.Owners) == 0 || gitMoved(in) || !looksRendered(f) {
		return false
	}
	loop, ok := findLoop(in)
	return ok && loop.same && !slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return !isArgo(o) })
}

// mayGenerate reports whether what renders the manifests can make up values. Kustomize and plain files cannot: they write what the files say.
func mayGenerate(in *diagnose.In) bool {
	switch in.App().Status.SourceType {
	case "Directory", "Kustomize":
		return false
	}
	return true
}

// looksRendered reports whether both values are of a sort that charts make anew each time.
func looksRendered(f *drift.Field) bool {
	return isDerived(f) || f.Path.Last() == "caBundle" || f.Path.Last() == "rollme" || isSchedule(f) || f.MadeUp()
}

// isSchedule: two schedules that differ in nothing but minute and hour. Charts spread what calls home over the day.
func isSchedule(f *drift.Field) bool {
	live, okLive := f.Live.(string)
	desired, okDesired := f.Desired.(string)
	a, b := strings.Fields(live), strings.Fields(desired)
	return okLive && okDesired && f.Path.Last() == "schedule" && len(a) == 5 && len(b) == 5 && slices.Equal(a[2:], b[2:])
}

// followRandom: where a chart generates values, what it derives from them changes as well, and not with the commit: checksums, and
// the certificate that clients of a webhook trust.
func (d *picture) followRandom() {
	random := d.ruleFor(byRendering)
	if !slices.ContainsFunc(d.resources, func(r *resource) bool { return len(r.byRule[random]) > 0 }) {
		return
	}
	for _, r := range d.resources {
		for _, by := range []precedence{byCommit, byNothing} {
			id := d.ruleFor(by)
			var rest []drift.Field
			for _, f := range r.byRule[id] {
				if strings.Contains(f.Path.Last(), "checksum") || isGeneratedBundle(&f) {
					r.byRule[random] = append(r.byRule[random], f)
				} else {
					rest = append(rest, f)
				}
			}
			r.byRule[id] = rest
		}
	}
}

// isGeneratedBundle: two certificates of a webhook's server, each from a rendering.
func isGeneratedBundle(f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return f.Path.Last() == "caBundle" && !strange && f.MadeUp()
}

// holdsValues are the places where charts put generated values.
func holdsValues(r *resource, f *drift.Field) bool {
	return r.Ref.Kind == "Secret" || r.Ref.Kind == "ConfigMap" || strings.Contains(f.Path.Last(), "checksum") || f.Path.Last() == "caBundle" || f.Path.Has("env")
}
