package action

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Shown is what of a plan its requester was shown, for those who have to approve it: where it acts, what the report says about a sync,
// and what is done to which resource.
type Shown struct {
	Destination evidence.Destination `json:"destination,omitzero"`
	Verdict     diagnose.SyncVerdict `json:"verdict,omitempty"`
	Reason      string               `json:"reason,omitempty"`
	Newer       string               `json:"newer,omitempty"`
	// Changes are the first maxShown of the plan's, the gravest first, and without the paths that change. More is how many there were
	// beside.
	Changes []Change `json:"changes,omitempty"`
	More    int      `json:"more,omitempty"`
}

// To is the destination; of nil none is known.
func (s *Shown) To() evidence.Destination {
	if s == nil {
		return evidence.Destination{}
	}
	return s.Destination
}

// maxShown keeps a record small: an ActionLog has a hundred of them, and etcd takes 1.5 MB.
const maxShown = 30

// Shown is what its requester is shown of the plan.
func (p *Plan) Shown() *Shown {
	s := &Shown{Destination: p.Destination, Verdict: p.Verdict, Reason: p.Reason, Newer: p.Newer, Changes: gravestFirst(p.Changes)}
	if more := len(s.Changes) - maxShown; more > 0 {
		s.Changes, s.More = s.Changes[:maxShown], more
	}
	for i := range s.Changes {
		s.Changes[i].Fields = nil
	}
	return s
}

// Loses reports whether a change deletes something, or touches what holds data: what nobody may overlook.
func (c Change) Loses() bool {
	return c.Effect == Pruned || c.Effect == Recreated || c.HoldsData && (c.Effect == Replaced || c.Effect == Changes)
}

// gravestFirst is a copy in which what loses something comes first, and of that what holds data.
func gravestFirst(changes []Change) []Change {
	rank := func(c Change) int {
		switch {
		case c.Loses() && c.HoldsData:
			return 0
		case c.Loses():
			return 1
		}
		return 2
	}
	out := slices.Clone(changes)
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// did says what was or would be done to resources, by effect.
var did = map[Effect]string{Pruned: "deleted", Recreated: "deleted and recreated", Replaced: "replaced", Changes: "changed", Created: "created", Kept: "kept"}

// does is the same as a verb.
var does = map[Effect]string{Pruned: "deletes", Recreated: "deletes and recreates", Replaced: "replaces", Changes: "changes"}

// maxNamed is how many resources of one effect a sentence names; the others are counted.
const maxNamed = 3

// Losses say what is lost or at risk, one clause for each effect, the gravest first: "deletes PersistentVolumeClaim/data (contains
// data), ConfigMap/old". There are none of a plan that loses nothing.
func (p *Plan) Losses() []string { return losses(p.Request, p.Changes) }

// Losses are those of the plan that was shown.
func (r *Record) Losses() []string {
	if r.Shown == nil {
		return losses(r.Request, nil)
	}
	return losses(r.Request, r.Shown.Changes)
}

func losses(req Request, changes []Change) []string {
	switch {
	case req.Kind == DeleteHookJob:
		changes = []Change{{Ref: req.Target, Effect: Pruned}}
	case req.Sync.DryRun:
		return nil
	}
	var out []string
	for _, e := range effects {
		var names []string
		for _, c := range gravestFirst(changes) {
			if c.Effect == e && c.Loses() {
				names = append(names, c.name())
			}
		}
		if len(names) > 0 {
			out = append(out, does[e]+" "+text.List(names, maxNamed))
		}
	}
	return out
}

// Deletes are the names of what the plan deletes, to recreate it or not, the gravest first.
func (p *Plan) Deletes() []string { return deletes(p.Request, p.Changes) }

// Deletes are those of the plan that was shown.
func (r *Record) Deletes() []string {
	if r.Shown == nil {
		return deletes(r.Request, nil)
	}
	return deletes(r.Request, r.Shown.Changes)
}

func deletes(req Request, changes []Change) []string {
	switch {
	case req.Kind == DeleteHookJob:
		return []string{req.Target.String()}
	case req.Sync.DryRun:
		return nil
	}
	var out []string
	for _, c := range gravestFirst(changes) {
		if c.Effect == Pruned || c.Effect == Recreated {
			out = append(out, c.Ref.String())
		}
	}
	return out
}

// name is the resource, and that it holds data. Of a long name it is the end, where names differ.
func (c Change) name() string {
	r := c.Ref
	r.Name = text.End(r.Name, maxName)
	if c.HoldsData {
		return r.String() + " (contains data)"
	}
	return r.String()
}

// maxName leaves room for maxNamed of them in the lines of a phone.
const maxName = 60

// Since says what is no longer as it was when the record was requested, a sentence each; there are none when all is.
func (r *Record) Since(now *Plan) []string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(now.RefusedBecause != "", "Not possible now: %s", text.Sentence(now.RefusedBecause))
	if moved := r.MovedTo(now.Project); moved != "" {
		out = append(out, moved)
	}
	add(now.Revision != r.Revision, "The revision was %s, and is now %s.", text.Revisions(r.Revision), text.Revisions(now.Revision))
	add(now.Job != nil && now.Job.UID != r.UID, "%s was created again: it is not the one in the request.", jobName(now))
	add(!now.Operation.IsZero() && !now.Operation.Equal(r.Operation), "Another operation is running.")
	add(now.Operation.IsZero() && !r.Operation.IsZero() && now.RefusedBecause == "", "The operation has ended.")
	add(r.Shown != nil && now.Verdict != r.Shown.Verdict, "The sync advice has changed.")
	out = append(out, r.Shown.since(now.Changes)...)
	add(len(out) == 0 && now.Fingerprint != r.Fingerprint, "Details of the plan have changed.")
	return out
}

// since says which resources another thing is done to than was shown. Where not all were shown, nothing can be said of the others.
func (s *Shown) since(now []Change) []string {
	if s == nil || s.More > 0 {
		return nil
	}
	var out []string
	for _, e := range effects {
		if names := differing(now, s.Changes, e); len(names) > 0 {
			out = append(out, fmt.Sprintf("Now %s: %s.", did[e], text.List(names, maxNamed)))
		}
	}
	for _, e := range effects {
		if names := differing(s.Changes, now, e); len(names) > 0 {
			out = append(out, fmt.Sprintf("No longer %s: %s.", did[e], text.List(names, maxNamed)))
		}
	}
	return out
}

// differing are the names of what has that effect in one list and not in the other.
func differing(in, other []Change, effect Effect) []string {
	var names []string
	for _, c := range gravestFirst(in) {
		same := func(o Change) bool { return o.Ref.Same(c.Ref) && o.Effect == effect }
		if c.Effect == effect && !slices.ContainsFunc(other, same) {
			names = append(names, c.name())
		}
	}
	return names
}
