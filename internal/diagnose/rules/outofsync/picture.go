package outofsync

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// picture is what all drift rules look at: the resources that are out of sync, each compared field by field, each field
// given to the one rule that explains it. It takes one call beside the application; a second one for autoscalers
// that the application does not deploy itself.
type picture struct {
	// resources are out of sync and neither to be pruned nor missing.
	resources []*resource
	// extra are live and not in Git, gone are in Git and not live.
	extra, gone []*resource
	// compared is false while (or because) the managed resources are not available: then no field is known.
	compared bool
	// beside: a sync failed, and these are only the resources that it applied and that differ all the same.
	beside bool
	// left is how many resources that are out of sync were not compared: see maxCompared.
	left int
	// scalers are the autoscalers among the managed resources.
	scalers []evidence.Object
	// mechanisms are those of all rules, in the order in which they are tried.
	mechanisms []mechanism
}

// resource is one that is out of sync.
type resource struct {
	drift.Resource
	status evidence.ResourceStatus
	// byRule are the fields that each rule explains, by its id.
	byRule map[string][]drift.Field
	// added: see [hasUnownedAddition].
	added bool
	// live looks up fields of the live state; nil before the first.
	live func(drift.Path) (any, bool)
	// wrote are all who wrote to the live object; nil before they are asked for.
	wrote []drift.Owner
}

// owners are all who wrote to the live object, the last first.
func (r *resource) owners() []drift.Owner {
	if r.wrote == nil {
		r.wrote = append([]drift.Owner{}, drift.Owners(r.Live)...)
	}
	return r.wrote
}

// needs is what the picture may ask for: the autoscalers of the cluster only where a resource does not say who wrote
// to it, or one of them is the finding.
var needs = []evidence.Kind{evidence.KindManaged, evidence.KindAutoscalers}

// look draws the picture; nil when the application is not out of sync, or a sync is what keeps it so.
func look(in *diagnose.In) *picture {
	d, _ := diagnose.Once(in, "drift", func() (*picture, bool) {
		d := draw(in)
		return d, d == nil || !in.Waiting()
	})
	return d
}

func draw(in *diagnose.In) *picture {
	app := in.App()
	if app.Status.Sync.Status != "OutOfSync" || !app.Metadata.DeletionTimestamp.IsZero() {
		return nil // what an application that is being deleted lacks is no drift
	}
	beside, edited := appliedAndDiffers(in), mayBeEdited(in)
	if _, over := findLoop(in); !beside && !edited && (len(in.Statements()) > 0 || app.CurrentOperation() != nil && !over) {
		return nil // a sync runs or failed; in a loop one always does
	}
	d := &picture{mechanisms: diagnose.FromRules(in, "mechanisms", mechanisms), beside: beside || edited}
	read := diagnose.Get[[]evidence.ResourceDiff]
	if edited && !beside { // beside the failure, worth a call only where somebody asked
		read = diagnose.Look[[]evidence.ResourceDiff]
	}
	managed, ok := read(in, evidence.FactManaged)
	d.compared = ok
	for _, item := range managed {
		if evidence.IsAutoscaler(item.Ref()) {
			if o := clean.State(item.LiveState); o != nil {
				d.scalers = append(d.scalers, o)
			}
		}
	}
	states := evidence.IndexOf(managed)
	for _, status := range app.Status.Resources {
		if status.Status == "OutOfSync" && !status.Hook && !beingDeleted(status) && (!d.beside || beside && appliedLast(in, status.Ref()) || edited && !triedLast(in, status.Ref())) {
			d.add(in, status, states)
		}
	}
	d.followRandom()
	return d
}

// appliedAndDiffers reports whether a sync failed and something that it applied was compared afterwards and differs all the same: that
// has another cause than the failure.
func appliedAndDiffers(in *diagnose.In) bool {
	app := in.App()
	op := app.CurrentOperation()
	if op == nil || !op.Failed() || app.Requested() != nil || gitMoved(in) || !app.Status.ReconciledAt.After(op.FinishedAt.Time) {
		return false
	}
	return slices.ContainsFunc(app.Status.Resources, func(s evidence.ResourceStatus) bool {
		return s.Status == "OutOfSync" && !s.Hook && !s.RequiresPruning && appliedLast(in, s.Ref())
	})
}

// mayBeEdited reports whether a sync failed, and what it did not come to was compared afterwards. Whatever else differs there, the sync
// that gets through resets what a person has changed.
func mayBeEdited(in *diagnose.In) bool {
	app := in.App()
	op := app.CurrentOperation()
	return op != nil && op.Failed() && app.Requested() == nil && app.Status.ReconciledAt.After(op.FinishedAt.Time)
}

// isEdited reports whether a person has changed the value of a field that Git sets.
func isEdited(f *drift.Field) bool {
	o, ok := foreignWriter(f)
	return ok && o.Exact && isPerson(o) && f.InLive && f.InDesired
}

// beingDeleted: what a deletion leaves behind is no drift.
func beingDeleted(status evidence.ResourceStatus) bool {
	return status.Health != nil && status.Health.Message == "Pending deletion"
}

// maxCompared is how many resources are compared. Where more of them are out of sync, most have the same cause, and nobody
// reads two hundred differences.
const maxCompared = 200

func (d *picture) add(in *diagnose.In, status evidence.ResourceStatus, states *evidence.Index[evidence.ResourceDiff]) {
	in.Spend(1)
	r := &resource{Resource: drift.Resource{Ref: status.Ref()}, status: status}
	if len(d.resources) == maxCompared && !status.RequiresPruning && !isGone(in, r) {
		d.left++
		return
	}
	if state := states.Find(status.Ref()); state != nil {
		if c, err := drift.Compare(*state); err == nil {
			r.Resource = *c
		}
	}
	switch {
	case d.beside && (status.RequiresPruning || isGone(in, r)): // a sync that fails may not have come to it, or undone it
	case status.RequiresPruning && strings.Contains(r.Live.Annotation(compareOptions), "IgnoreExtraneous"): // kept on purpose
	case status.RequiresPruning:
		if len(d.extra) >= maxCompared {
			r.forgetSpec()
		}
		d.extra = append(d.extra, r)
	case isExcluded(in, r.Ref): // Argo CD does not see it: drift/excluded-resource
	case isGone(in, r):
		d.gone = append(d.gone, r)
	default:
		d.resources = append(d.resources, r)
		d.sortFields(in, r)
	}
}

// forgetSpec leaves of the states what tells where the resource came from. An application can have tens of thousands to prune.
func (r *resource) forgetSpec() {
	r.Target = nil
	if r.Live != nil {
		r.Live = evidence.Object{"metadata": r.Live["metadata"]}
	}
}

// unseen are those that are out of sync and whose states are not available, although those of others are.
func (d *picture) unseen() []*resource {
	return slices.DeleteFunc(slices.Clone(d.resources), func(r *resource) bool { return !d.compared || r.Live != nil || r.Target != nil })
}

// isGone: Argo CD says that it is missing (3.x may say so in the tree alone), or there is no live state.
func isGone(in *diagnose.In, r *resource) bool {
	if tree, ok := diagnose.Peek(in, evidence.FactTree); ok && r.status.Health == nil {
		if n := tree.Find(r.Ref); n != nil && n.HealthStatus() == "Missing" {
			return true
		}
	}
	return r.status.Health != nil && r.status.Health.Status == "Missing" || r.Target != nil && r.Live == nil
}

// sortFields gives each field to the first rule that explains it. Those of a resource that another application writes as well
// belong to no rule here: a rule of another group is about it, whatever the field.
func (d *picture) sortFields(in *diagnose.In, r *resource) {
	r.byRule = map[string][]drift.Field{}
	r.added = hasUnownedAddition(r.Fields)
	if isShared(in, d, r) {
		return
	}
	for _, f := range r.Fields {
		if i := slices.IndexFunc(d.mechanisms, func(m mechanism) bool { return m.holds(in, d, r, &f) }); i >= 0 {
			if by := d.mechanisms[i].by; d.beside && !by.comesBack() && by != byPerson || d.beside && !appliedLast(in, r.Ref) && !(by == byPerson && isEdited(&f)) {
				continue
			}
			id := d.mechanisms[i].rule.ID
			r.byRule[id] = append(r.byRule[id], f)
		}
	}
}

// refs are the resources of a finding: the one it is about, and the others.
func refs(resources []*resource) (first evidence.Ref, others []evidence.Ref) {
	for _, r := range resources[1:] {
		others = append(others, r.Ref)
	}
	return resources[0].Ref, others
}
