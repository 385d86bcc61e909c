package incident

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// An application that is not well only because a child application of it is not is told in the thread of the child, as long as both belong
// into one channel: its own would say the same again, and be over at the same time.

// childOf is the child application that a finding of its parent is about; zero where it is about anything else.
func childOf(app App, f diagnose.Finding) App {
	ref := f.Resource
	if ref.Group != "argoproj.io" || ref.Kind != "Application" || evidence.HasPrivate(ref.Name) || !diagnose.GroupHealth.Has(f.Rule) && !diagnose.GroupWave.Has(f.Rule) {
		return App{}
	}
	child := App{Instance: app.Instance, Namespace: cmp.Or(ref.Namespace, app.Namespace), Name: ref.Name}
	if child == app { // it is being deleted
		return App{}
	}
	return child
}

// withChild decides about an application that fails because of a child which has an incident: it is a part of that one. It is false for any
// other.
func (o *observation) withChild() bool {
	cause := CauseOf(o.seen.Report)
	child := o.liveOf(cause.Child)
	if child == nil || o.policy.Ignored(cause.Rule) || o.policy.Channel(o.seen.App, o.seen.Report.Context.Project) != child.Channel {
		o.leaveChild(nil)
		return false
	}
	if own := o.entries[o.own[o.seen.App]]; own != nil && own.Live() && !own.dropped {
		if own.Phase == Open && child.Phase != Open {
			return false // people know of it already, and not of the child's
		}
		o.underChild(child, own)
	}
	o.leaveChild(child)
	o.ID, o.Reason = child.ID, Nothing
	if o.parentOf(child, o.seen.App) {
		o.Reason = Grouped
	}
	if child.Phase != Open { // which may pass
		o.Again = o.policy.OpenAfter(cause.Rule)
	}
	return true
}

// adopt takes in the incidents of the parents of an application whose own one was opened just now.
func (o *observation) adopt(child *entry) {
	if o.Reason != Opened && o.Reason != Reopened && o.Reason != CauseChanged {
		return
	}
	app := child.Members[0].App
	o.parentsOfNow(child)
	var own []*entry
	for _, e := range o.entries {
		if e.Live() && !e.dropped && e.Cause.Child == app && e.Channel == child.Channel && e.seenSo() {
			own = append(own, e)
		}
	}
	for _, e := range own {
		o.underChild(child, e)
		o.parentOf(child, e.Members[0].App)
	}
}

// parentsOfNow leaves out the parents that an incident which comes back had the last time, and that are well since.
func (o *observation) parentsOfNow(e *entry) {
	e.Parents = slices.DeleteFunc(e.Parents, func(p App) bool { return o.parents[p] != e.ID })
}

// passOn has what is told with a child told with the outage that the child joins: of its own incident nobody may ever hear.
func (o *observation) passOn(child, outage *entry) {
	for _, p := range child.Parents {
		if o.parents[p] == child.ID {
			o.parentOf(outage, p)
		}
	}
	for _, e := range o.entries {
		if e.Phase != Joined || e.JoinedTo != child.ID || e.JoinedLink != "" {
			continue
		}
		e.JoinedTo = outage.ID
		e.goesOnAt(outage.Thread.Permalink, o.now)
		o.touch(e)
	}
}

// underChild moves the incident of a parent to where that of the child is told.
func (o *observation) underChild(child, own *entry) {
	if own.Phase == Pending {
		o.drop(own)
		return
	}
	own.joins(child, o.policy, o.now)
	o.touch(own)
}

// parentOf lists an application with the incident of its child, and reports whether that is new.
func (o *observation) parentOf(child *entry, app App) bool {
	o.parents[app] = child.ID
	at, found := slices.BinarySearchFunc(child.Parents, app, Compare)
	if found {
		return false
	}
	child.Parents = slices.Insert(slices.Clone(child.Parents), at, app)
	o.changed(child)
	return true
}

// leaveChild ends that the application is told in the incident of a child, unless it is this one.
func (o *observation) leaveChild(unless *entry) {
	id := o.parents[o.seen.App]
	if id == "" || unless != nil && unless.ID == id {
		return
	}
	delete(o.parents, o.seen.App)
	if e := o.entries[id]; e != nil && e.Live() {
		e.Parents = slices.DeleteFunc(slices.Clone(e.Parents), func(p App) bool { return p == o.seen.App })
		o.changed(e)
	}
}

// changed notes that what people see of an incident has changed. Of a pending one they see nothing.
func (o *observation) changed(e *entry) {
	if e.Phase == Open {
		e.Changed = o.now
		o.touch(e)
	}
}
