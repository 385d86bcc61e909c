package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// PruneOff is the one entry of [Change.Fields] where a resource is kept only because prune is off.
const PruneOff = "prune is off"

// maxFields is how many paths a change names: enough to recognise it. The rest is counted.
const maxFields = 5

// effects in the order in which they are listed.
var effects = []Effect{Pruned, Recreated, Replaced, Changes, Created, Kept}

// difference is what a sync does to a resource, with the manifests on both sides as far as they are known.
type difference struct {
	diagnose.Touch
	diff evidence.ResourceDiff
	// compared is nil where there was nothing to compare, or the manifests could not be read.
	compared *drift.Resource
}

// differences are all that a sync of the whole application touches, ordered by reference.
func differences(s *Situation) []difference {
	var out []difference
	for _, t := range diagnose.Touches(s.Application, s.Managed) {
		d := difference{Touch: t}
		if i := slices.IndexFunc(s.Managed, func(m evidence.ResourceDiff) bool { return m.Ref().Same(t.Ref) }); i >= 0 {
			d.diff = s.Managed[i]
			if compared, err := drift.Compare(d.diff); err == nil {
				compared.Fields = slices.DeleteFunc(compared.Fields, func(f drift.Field) bool { return countedByServer(f.Path) })
				d.compared = compared
			}
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b difference) int { return compareRefs(a.Ref, b.Ref) })
	return out
}

// countedByServer: the API server writes these itself, and a comparison by a dry run counts them on.
func countedByServer(p drift.Path) bool {
	return len(p) == 2 && p.Under("metadata") &&
		slices.Contains([]string{"generation", "resourceVersion", "uid", "creationTimestamp", "managedFields"}, p.Last())
}

// changes are what a sync with these options does, what loses data first.
func changes(all []difference, o SyncOptions) []Change {
	var out []Change
	for _, d := range all {
		if selected(o, d.Ref) {
			out = append(out, d.change(o.Prune))
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(a.rank(), b.rank()) })
	return out
}

func selected(o SyncOptions, ref evidence.Ref) bool {
	return len(o.Resources) == 0 || slices.ContainsFunc(o.Resources, ref.Same)
}

func (d difference) change(prune bool) Change {
	c := Change{Ref: d.Ref, HoldsData: d.LosesData() || d.Effect == diagnose.TouchChange && changesData(d.Ref), Fields: d.fields()}
	switch d.Effect {
	case diagnose.TouchPrune:
		c.Effect, c.Fields = Pruned, nil
		switch {
		case !prune:
			c.Effect, c.Fields = Kept, []string{PruneOff}
		case d.Option != "":
			c.Fields = []string{d.Option}
		}
	case diagnose.TouchRecreate:
		c.Effect = Recreated
	case diagnose.TouchReplace:
		c.Effect = Replaced
	case diagnose.TouchChange:
		c.Effect = Changes
	case diagnose.TouchCreate:
		c.Effect, c.Fields = Created, nil
	case diagnose.TouchKeep:
		c.Effect, c.Fields = Kept, []string{d.Option}
	}
	return c
}

// changesData reports whether a change in place puts data at risk: of a claim, a set of pods with claims, a database, a definition. Of a
// Secret and of a child application Git has all that there is.
func changesData(r evidence.Ref) bool {
	return r.HoldsData() && r.Kind != "Secret" && r.Kind != "Application"
}

// rank puts first what loses data, then the gravest effect.
func (c Change) rank() int {
	rank := slices.Index(effects, c.Effect)
	if c.HoldsData && c.Effect != Kept {
		rank -= len(effects)
	}
	return rank
}

// fields are the paths that change, never their values. Of a Secret not even the names of its keys are shown.
func (d difference) fields() []string {
	if d.compared == nil || d.Ref.Kind == "Secret" {
		return nil
	}
	var out []string
	for i, f := range d.compared.Fields {
		if i == maxFields {
			return append(out, text.More(len(d.compared.Fields)-maxFields+d.compared.Further))
		}
		out = append(out, f.Path.Short())
	}
	if d.compared.Further > 0 {
		out = append(out, text.More(d.compared.Further))
	}
	return out
}

// ignoredDifferences says which differences Argo CD is configured to ignore, and what a sync makes of them.
func ignoredDifferences(s *Situation) []string {
	app := s.Application
	fate := "the sync overwrites it where Git has a value"
	if app.HasSyncOption("RespectIgnoreDifferences=true") {
		fate = "the sync leaves it unchanged (RespectIgnoreDifferences=true)"
	}
	var out []string
	for _, e := range app.Spec.IgnoreDifferences {
		var names []string
		for _, ref := range managedRefs(s) {
			if concerns(e, ref) {
				names = append(names, ref.String())
			}
		}
		if fields := ignoredFields(e); len(names) > 0 && fields != "" {
			out = append(out, fmt.Sprintf("%s in %s: %s", fields, text.List(names, 3), fate))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func ignoredFields(e evidence.IgnoredDifference) string {
	fields := append(slices.Clone(e.JSONPointers), e.JQPathExpressions...)
	if len(e.ManagedFieldsManagers) > 0 {
		fields = append(fields, "fields set by "+strings.Join(e.ManagedFieldsManagers, ", "))
	}
	return strings.Join(fields, ", ")
}

// managedRefs are the resources of the application, sorted, hooks not among them.
func managedRefs(s *Situation) []evidence.Ref {
	var out []evidence.Ref
	for _, r := range s.Application.Status.Resources {
		if !r.Hook {
			out = append(out, r.Ref())
		}
	}
	slices.SortFunc(out, compareRefs)
	return out
}

// concerns reports whether an entry of ignoreDifferences is about a resource. Group and kind are globs, and no group means
// the core API. https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/
func concerns(e evidence.IgnoredDifference, ref evidence.Ref) bool {
	is := func(wanted, name string) bool { return wanted == "" || wanted == "*" || wanted == name }
	return fits(e.Group, ref.Group) && fits(e.Kind, ref.Kind) && is(e.Name, ref.Name) && is(e.Namespace, ref.Namespace)
}
