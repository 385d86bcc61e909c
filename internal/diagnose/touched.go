package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// Touch is what a sync would do to one resource.
type Touch struct {
	Ref    evidence.Ref
	Effect TouchEffect
	// Option is the sync option that makes it so, "Force=true"; "" where none does.
	Option string
	// Unsure: whether it exists is not known, so that it may be created.
	Unsure bool
	// InSync: the resource is as Git wants it, and written all the same.
	InSync bool
}

// TouchEffect is what a sync does to a resource, in the words of a report.
type TouchEffect string

// The effects. Prune is what happens if prune is on.
const (
	TouchPrune    TouchEffect = "deleted, if prune is on"
	TouchRecreate TouchEffect = "deleted and recreated"
	TouchReplace  TouchEffect = "replaced"
	TouchChange   TouchEffect = "changed"
	TouchCreate   TouchEffect = "created"
	TouchKeep     TouchEffect = "kept"
)

// The sync options that decide what becomes of a resource.
// https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
const (
	optionNoPrune   = "Prune=false"
	optionAskPrune  = "Prune=confirm"
	optionForce     = "Force=true"
	optionReplace   = "Replace=true"
	optionOutOfSync = "ApplyOutOfSyncOnly=true"
)

// Touches lists what a sync of the whole application would do to which resource, in the order of the application's status.
// Without the managed resources, options that a resource carries itself are not known.
func Touches(app *evidence.Application, managed []evidence.ResourceDiff) []Touch {
	all := manifestsOf(managed)
	// Argo CD 3.x does not write the health of resources, so that nothing says which are missing.
	unsure := managed == nil && !slices.ContainsFunc(app.Status.Resources, func(r evidence.ResourceStatus) bool { return r.Health != nil })
	var out []Touch
	for _, res := range app.Status.Resources {
		switch {
		case res.Hook: // though Argo CD lists a finished hook as requiring pruning
		case res.Status == "OutOfSync":
			t := touch(app, res, all)
			t.Unsure = unsure && t.Effect == TouchChange
			out = append(out, t)
		default:
			if t, ok := rewritten(app, res, all); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

func touch(app *evidence.Application, res evidence.ResourceStatus, all manifests) Touch {
	t := Touch{Ref: res.Ref(), Effect: TouchChange}
	if res.RequiresPruning {
		// Argo CD looks for it at the live object, and not at the application.
		live := all.options(t.Ref, false)
		switch {
		case slices.Contains(live, optionNoPrune):
			t.Effect, t.Option = TouchKeep, optionNoPrune
		case slices.Contains(live, optionAskPrune):
			t.Effect, t.Option = TouchPrune, optionAskPrune
		default:
			t.Effect = TouchPrune
		}
		return t
	}
	if res.Health != nil && res.Health.Status == "Missing" || all.missing(t.Ref) {
		t.Effect = TouchCreate
		return t
	}
	wanted := all.options(t.Ref, true)
	replace := app.HasSyncOption(optionReplace) || slices.Contains(wanted, optionReplace)
	switch {
	case slices.Contains(wanted, optionForce) && !(replace && neverRecreated(t.Ref)):
		t.Effect, t.Option = TouchRecreate, optionForce
	case replace:
		t.Effect, t.Option = TouchReplace, optionReplace
	}
	return t
}

// rewritten is what a sync does to a resource that is in sync: with Replace=true it is written, or even recreated, each time.
func rewritten(app *evidence.Application, res evidence.ResourceStatus, all manifests) (Touch, bool) {
	if res.Status != "Synced" || app.HasSyncOption(optionOutOfSync) {
		return Touch{}, false
	}
	t := touch(app, res, all)
	t.InSync = true
	replace := app.HasSyncOption(optionReplace) || slices.Contains(all.options(t.Ref, true), optionReplace)
	return t, replace && (t.Effect == TouchReplace || t.Effect == TouchRecreate)
}

// neverRecreated: Argo CD updates these in place instead, because what is in them would go with them.
func neverRecreated(r evidence.Ref) bool {
	return r.Kind == "CustomResourceDefinition" || r.Kind == "Namespace" && r.Group == ""
}

// manifests are the managed resources by kind and name.
type manifests map[[2]string][]evidence.ResourceDiff

func manifestsOf(managed []evidence.ResourceDiff) manifests {
	out := manifests{}
	for _, d := range managed {
		key := [2]string{d.Kind, d.Name}
		out[key] = append(out[key], d)
	}
	return out
}

func (m manifests) of(ref evidence.Ref) (evidence.ResourceDiff, bool) {
	for _, d := range m[[2]string{ref.Kind, ref.Name}] {
		if d.Ref().Same(ref) {
			return d, true
		}
	}
	return evidence.ResourceDiff{}, false
}

// missing reports whether it is known not to be in the cluster.
func (m manifests) missing(ref evidence.Ref) bool {
	d, ok := m.of(ref)
	return ok && d.LiveState == "null"
}

// options are the sync options that a resource carries itself: in Git (wanted), or live.
func (m manifests) options(ref evidence.Ref, wanted bool) []string {
	const annotation = "argocd.argoproj.io/sync-options"
	d, _ := m.of(ref)
	side := d.LiveState
	if wanted {
		side = d.TargetState
	}
	if !side.Mentions(annotation) {
		return nil
	}
	var out []string
	for option := range strings.SplitSeq(clean.State(side).Annotation(annotation), ",") {
		out = append(out, strings.TrimSpace(option))
	}
	return out
}

// touched lists what a sync would do to which resource, what may lose data first, and the hooks that it runs.
func (r *run) touched() []string {
	var managed []evidence.ResourceDiff
	if e := r.ledger[ledgerKey{evidence.KindManaged, ""}]; e != nil && e.state == read {
		managed, _ = e.value.([]evidence.ResourceDiff)
	}
	all := slices.DeleteFunc(Touches(r.app, managed), func(t Touch) bool { return t.InSync })
	slices.SortStableFunc(all, func(a, b Touch) int { return cmp.Compare(a.rank(), b.rank()) })
	same := map[string]int{}
	for _, t := range all {
		same[t.Ref.String()]++
	}
	var out []string
	for _, t := range all {
		name := t.Ref.String()
		if same[name] > 1 && t.Ref.Namespace != "" {
			name += " in " + t.Ref.Namespace
		}
		out = append(out, name+": "+t.String())
	}
	if len(all) > 0 {
		out = append(out, r.hooksAgain()...)
	}
	return out
}

// LosesData reports whether the resource holds data and is deleted or overwritten as a whole.
func (t Touch) LosesData() bool {
	return t.Ref.HoldsData() && (t.Effect == TouchPrune || t.Effect == TouchRecreate || t.Effect == TouchReplace)
}

// rank orders what a sync does by what it may cost: what loses data, then what is deleted, replaced, changed, created, kept.
func (t Touch) rank() int {
	switch t.Effect {
	case TouchPrune, TouchRecreate, TouchReplace:
		switch {
		case t.LosesData():
			return 0
		case t.Effect == TouchPrune:
			return 1
		}
		return 2
	case TouchChange:
		return 3
	case TouchCreate:
		return 4
	case TouchKeep:
	}
	return 5
}

// String is the effect with its option, as a report says it.
func (t Touch) String() string {
	s := string(t.Effect)
	if t.Unsure {
		s = string(TouchCreate) + " or " + s
	}
	if t.Option != "" {
		s += " (" + t.Option + ")"
	}
	if t.LosesData() {
		s += "; it contains data"
	}
	return s
}

// Deletes are the names of what a sync deletes, for good where prune is on or to recreate it, out of Affects and in its order.
func (s Sync) Deletes() []string {
	var out []string
	for _, line := range s.Affects {
		name, effect, _ := strings.Cut(line, ": ")
		if strings.HasPrefix(effect, string(TouchPrune)) || strings.HasPrefix(effect, string(TouchRecreate)) {
			out = append(out, name)
		}
	}
	return out
}

// hooksAgain are the hooks of the last sync, or dry run: every sync runs them.
func (r *run) hooksAgain() []string {
	op := r.app.Status.OperationState
	if r.tried != nil {
		op = r.tried
	}
	var out []string
	for _, task := range op.Results() {
		if task.IsHook() && task.HookType != "SyncFail" {
			out = append(out, fmt.Sprintf("%s: %s hook, runs again", task.Ref(), task.HookType))
		}
	}
	return out
}
