package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Defaulted = &diagnose.Rule{
	ID:    "drift/defaulted",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "API server fills in or drops values",
		What:     "Git leaves a field out and the API server or the CRD's schema fills in its default; or Git sets an empty value or a field that the schema does not have, and the API server drops it. Both sides mean the same, and a sync changes nothing.",
		Decisive: "Fields that are live, not in Git, and written only by the apply itself; or empty or unknown fields in Git that are not live although they were applied.",
		Example:  "spec.preserveUnknownFields: false in Git, not set in the cluster",
		Fix:      "Set the default in Git (or remove the dropped value), or compare with server-side diff.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("the API server will fill in or drop the same fields again"),
	Recognises: explains{{byField, isNullInSecret}, {byDefault, isDefaulted}},
	Check: reportingEach(func(r *resource, f *drift.Field) string { return string(howDefaulted(r, f)) }, func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		switch howDefaulted(r, &field) {
		case nulledInSecret:
			return g.nullInSecret()
		case nulled:
			return g.null()
		case pruned:
			return g.pruned()
		case defaulted:
		}
		f := g.defaulted()
		if serverSideDiff(g.in) || !field.InLive && isCustomKind(r.Ref) { // the API server predicts that it keeps an empty value
			f.Fix = g.afterManifest(f.Fix, g.ignore(false))
		} else {
			f.Fix = g.afterManifest(f.Fix, compareWith(g.in, "Let the API server compute the diff, which still shows what Git changes later", g.picture.serverSideOptions()...))
		}
		return f
	}),
}

// afterManifest are the steps that change a manifest and, as an alternative, one for Argo CD.
func (g *explained) afterManifest(steps []diagnose.Fix, argo diagnose.Fix) []diagnose.Fix {
	switch {
	case len(steps) == 0:
		return []diagnose.Fix{argo}
	case isChart(g.in):
		steps[0] = or(steps[0])
		return append([]diagnose.Fix{argo}, steps...)
	}
	return append(steps, or(argo))
}

// serverSideOptions turn on server-side diff, with what webhooks change where another finding is about that: the two findings set one
// annotation.
func (d *picture) serverSideOptions() []string {
	out := []string{"ServerSideDiff=true"}
	changed := slices.ContainsFunc(d.resources, func(r *resource) bool { return len(r.byRule[d.ruleFor(byAdmission)]) > 0 })
	if changed {
		out = append(out, "IncludeMutationWebhook=true")
	}
	return out
}

// defaulting is a way for the API server to make a difference.
type defaulting string

const (
	// defaulted: it filled in a default, or dropped an empty value.
	defaulted defaulting = ""
	// nulled: Git sets null, and an apply removes a field that is null.
	nulled defaulting = "null"
	// nulledInSecret: most likely the same, but Argo CD does not show the values of a Secret.
	nulledInSecret defaulting = "null in a Secret"
	// pruned: Git sets a field that the API server does not keep.
	pruned defaulting = "pruned"
)

func howDefaulted(r *resource, f *drift.Field) defaulting {
	switch {
	case f.InLive:
		return defaulted
	case isSecret(r.Ref) && f.Path.Under("data"):
		return nulledInSecret
	case f.Desired == nil:
		return nulled
	case drift.Empty(f.Desired):
		return defaulted
	}
	return pruned
}

// defaulted is the finding about defaults that are filled in, and empty values that are dropped.
func (g *explained) defaulted() diagnose.Finding {
	_, field := g.firstField()
	switch {
	case g.fillsAndDrops():
		return g.filledAndDropped()
	case field.InLive:
		return g.filledIn()
	}
	return g.dropped()
}

// filledIn: the API server set what Git leaves out.
func (g *explained) filledIn() diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(g.hasNoOwner()),
		Title:      fmt.Sprintf("%s: API server fills in %s", g.subject(), g.fieldsLabel()),
		Why:        g.valuesClause() + ". Nobody set it: " + g.whoseDefault(),
		Sync:       advice.Pointless(fmt.Sprintf("the API server will fill %s in again", them(g.countFields()))),
	}
	if fix := g.commit(verb(g.countFields(), "Set the default", "Set the defaults")); fix.Patch != "" { // a null cannot be set
		f.Fix = []diagnose.Fix{fix}
	}
	return f
}

// whoseDefault says where a default comes from.
func (g *explained) whoseDefault() string {
	if isCustomKind(g.resources[0].Ref) {
		return "it is a default of the resource's schema or of its operator."
	}
	return "it is a default of the API."
}

// filledAndDropped: some fields are only in the cluster and some only in Git.
func (g *explained) filledAndDropped() diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(g.hasNoOwner()),
		Title:      fmt.Sprintf("%s: API server fills in or drops %s", g.subject(), g.fieldsLabel()),
		Why:        g.valuesClause() + ". The API server fills in defaults and does not keep empty values or fields that it does not know; nobody else changed them.",
		Sync:       g.rule.Sync,
	}
	if fix := g.commit("Set the defaults"); fix.Patch != "" {
		f.Fix = append(f.Fix, fix)
	}
	f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Remove what the API server drops (%s) from %s", text.List(g.onlyInGit(), namedFields), g.manifest())})
	return f
}

// onlyInGit are the paths of the first resource with such fields.
func (g *explained) onlyInGit() []string {
	for _, r := range g.resources {
		var out []string
		for _, f := range g.fieldsOf(r) {
			if !f.InLive {
				out = append(out, f.Path.String())
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// dropped: Git sets an empty value, which is not kept. For built-in kinds the API server leaves it out; of a custom resource it keeps
// what it is given, and a program that writes the object back leaves it out.
func (g *explained) dropped() diagnose.Finding {
	n := g.countFields()
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("%s: API server drops %s", g.subject(), g.fieldsLabel()),
		Why:        g.valuesClause() + ". Both mean the same: the API server does not keep values that are empty, zero or false.",
		Sync:       advice.Pointless(fmt.Sprintf("the API server will drop %s again", them(n))),
		Fix:        []diagnose.Fix{{Text: fmt.Sprintf("Remove %s from %s", g.paths(), g.manifest())}},
	}
	switch r := g.resources[0]; {
	case isApplication(r.Ref):
		f.Title = fmt.Sprintf("%s: Argo CD drops %s", g.subject(), g.fieldsLabel())
		f.Why = g.valuesClause() + ". Both mean the same: when Argo CD writes an Application back, it leaves out values that are empty or false."
		f.Sync = advice.Pointless(fmt.Sprintf("Argo CD will drop %s again", them(n)))
	case isCustomKind(r.Ref):
		f.Confidence = diagnose.Likely
		f.Title = fmt.Sprintf("%s: %s %s empty in Git and not kept", g.subject(), g.fieldsLabel(), verb(n, "is", "are"))
		f.Why = g.valuesClause() + ". What writes the object back, its operator or a conversion between API versions, leaves out values that are empty, zero or false."
		f.Sync = advice.Pointless(fmt.Sprintf("%s will be dropped again", verb(n, "it", "they")))
	}
	return f
}

// isApplication reports whether a resource is an Application of Argo CD.
func isApplication(ref evidence.Ref) bool {
	return ref.Group == "argoproj.io" && ref.Kind == "Application"
}

// null is the finding about what Git sets to null.
func (g *explained) null() diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("%s: %s %s null in Git", g.subject(), g.fieldsLabel(), verb(g.countFields(), "is", "are")),
		Why:        g.valuesClause() + ". Applying null removes the field, and Argo CD still counts the null in Git as a difference, so the two never match.",
		Sync:       advice.Pointless(fmt.Sprintf("applying null removes %s again", them(g.countFields()))),
		Fix:        []diagnose.Fix{{Text: fmt.Sprintf("Remove %s from %s, or set a value; in a Helm chart, null is usually a value that is not set", g.paths(), g.manifest())}},
	}
}

// nullInSecret is the finding about what Git most likely sets to null.
func (g *explained) nullInSecret() diagnose.Finding {
	n := g.countFields()
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: %s %s most likely null in Git", g.subject(), g.fieldsLabel(), verb(n, "is", "are")),
		Why:        fmt.Sprintf("%s. The last sync applied the Secret and set no key that was not there before, as happens where the value is null: applying null removes the key. Secret values are not shown, so this is not certain.", g.valuesClause()),
		Sync:       advice.Pointless(fmt.Sprintf("the last one did not set %s either", them(n))),
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("If %s %s null, remove %s from %s, or set a value", g.paths(), verb(n, "is", "are"), them(n), g.manifest())},
			{Text: "If it has a value, someone has removed it since, and a sync restores it: compare the keys", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(g.resources[0].Ref), g.resources[0].Ref.Resource())},
		},
	}
}

// pruned is the finding about what the API server does not keep.
func (g *explained) pruned() diagnose.Finding {
	r := g.resources[0]
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: API server does not keep %s", g.subject(), g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. Argo CD applied it and nobody removed it: the schema of %s does not have the field, or its feature is turned off.", g.valuesClause(), r.Ref.Kind),
		Sync:       advice.Pointless(fmt.Sprintf("the API server will drop %s again", them(g.countFields()))),
	}
	if path, ok := g.fieldsOf(r)[0].Path.Schema(); ok {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether the cluster's schema has the field", Command: diagnose.Shell("kubectl explain %s --api-version=%s", strings.ToLower(r.Ref.Kind)+"."+path, r.Target.Text("apiVersion"))})
	}
	f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Correct the name or place of %s in %s; or upgrade the cluster or CRD to a version that has it", g.paths(), g.manifest())})
	return f
}

// fillsAndDrops reports whether some of the fields are only in the cluster and some only in Git.
func (g *explained) fillsAndDrops() bool {
	filled := 0
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if f.InLive {
				filled++
			}
		}
	}
	return filled > 0 && filled < g.countFields()
}

// hasNoOwner reports whether managedFields show that nobody owns the fields, or that only an empty value is concerned. With
// client-side apply the API server notes a default as written by the manager that applied: then a default is a conclusion.
func (g *explained) hasNoOwner() bool {
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if f.InLive && !f.IsDefault() && (len(f.Owners) > 0 || len(r.owners()) == 0) {
				return false
			}
		}
	}
	return true
}

// isNullInSecret: Git has a key that the Secret does not have, and the last sync, which wrote the Secret, has left Argo CD's entry in
// managedFields as it was: it set no key. Argo CD hides the values, so a null cannot be seen.
func isNullInSecret(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if !isSecret(r.Ref) || !f.Path.Under("data") || f.InLive || len(f.Path) != 2 || !f.WasApplied {
		return false
	}
	op := in.App().Status.OperationState
	wrote := slices.ContainsFunc(op.Results(), func(t evidence.ResourceResult) bool {
		return t.Ref() == r.Ref && t.Status == evidence.ResultSynced && strings.HasSuffix(t.Message, " configured")
	})
	return wrote && !slices.ContainsFunc(r.owners(), func(o drift.Owner) bool {
		return !isArgo(o) || o.Operation == "Apply" || !o.Time.Before(op.StartedAt.Time)
	})
}

// isDefaulted: nobody else wrote it, and one side is empty or not set.
func isDefaulted(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if _, strange := foreignWriter(f); strange || isUnknown(f) {
		return false
	}
	switch {
	case f.InLive && !f.InDesired, f.InLive && drift.Empty(f.Desired):
		return true
	case !f.InLive && drift.Empty(f.Desired):
		return true
	}
	// A field that was applied and is gone: of a custom resource its schema most likely pruned it; of any other, if
	// self-heal puts it there again and again.
	return !f.InLive && (isCustomKind(r.Ref) && (f.WasApplied || !gitMoved(in)) || selfHeals(in) && !gitMoved(in))
}
