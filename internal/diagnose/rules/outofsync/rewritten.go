package outofsync

import (
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// rewriter is the controller that wrote a custom resource back after Argo CD, without a field that Git sets. managedFields do not name
// the owner of what is missing; they name who updated the rest of it last.
func rewriter(r *resource, f *drift.Field) (drift.Owner, bool) {
	if f.InLive || !f.InDesired || f.Desired == nil || !isCustomKind(r.Ref) || isApplication(r.Ref) {
		return drift.Owner{}, false
	}
	o, ok := drift.LastUpdate(r.Live, f.Path)
	if !ok || isArgo(o) || isPerson(o) || o.Manager == beforeFirstApply {
		return drift.Owner{}, false
	}
	applied := argoWrote(r.Live)
	return o, !applied.IsZero() && !o.Time.Before(applied.Time)
}

// argoWrote is when Argo CD last wrote to an object, zero where it did not.
func argoWrote(live evidence.Object) evidence.Time {
	for _, o := range drift.Owners(live) {
		if isArgo(o) && o.Subresource == "" {
			return o.Time
		}
	}
	return evidence.Time{}
}

// rewritten is the finding about fields that a controller leaves out when it writes the resource back.
func (g *explained) rewritten(o drift.Owner) diagnose.Finding {
	r, field := g.firstField()
	n, manager := g.countFields(), managerText(o)
	after := "right after Argo CD"
	if d := o.Time.Sub(argoWrote(r.Live).Time); d >= time.Second {
		after = fmt.Sprintf("%s after Argo CD", text.Age(d))
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: %s drops %s", g.subject(), manager, g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. Its %s was last written by %s%s, %s and most likely without %s.", g.valuesClause(), field.Path[0].Field, manager, agoClause(g.in, o.Time), after, them(n)),
		Sync:       advice.Pointless(fmt.Sprintf("%s will most likely drop %s again", manager, them(n))),
		Fix:        g.either(diagnose.Fix{Text: fmt.Sprintf("If Git does not need %s, remove %s from %s", them(n), g.paths(), g.manifest())}, g.ignore(false)),
	}
	if g.setsRequired() {
		f.Fix = []diagnose.Fix{g.ignore(false)}
	}
	if g.allEmpty() {
		f.Why += " Many programs leave out values that are empty."
		f.Fix = g.either(diagnose.Fix{Text: fmt.Sprintf("Remove %s from %s", g.paths(), g.manifest())}, g.ignore(false))
	}
	if l, ok := findLoop(g.in); ok && l.same {
		f.Why += fmt.Sprintf(" The same revision was synced %s.", l)
	}
	return f
}

// allEmpty reports whether Git sets nothing but empty values.
func (g *explained) allEmpty() bool {
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if !drift.Empty(f.Desired) {
				return false
			}
		}
	}
	return true
}
