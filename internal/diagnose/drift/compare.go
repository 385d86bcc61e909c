package drift

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
	"github.com/argo-why/argo-why/internal/foreign"
)

// Resource is one managed resource, compared.
type Resource struct {
	Ref evidence.Ref
	// Target is the desired state, Live the live one; nil where there is none.
	Target, Live evidence.Object
	// Fields are those that differ, in the order of their paths.
	Fields []Field
	// Further counts the differing fields that Fields leaves out, because their paths are too long or there are too many of them.
	Further int
}

// Field is one field that differs.
type Field struct {
	Path Path
	// Desired and Live are the two values; InDesired and InLive tell an absent field from a null.
	Desired, Live     any
	InDesired, InLive bool
	// KeyChanged: it is one of the keys that tell the members of its list apart. To a merge by key, the live member is another one.
	KeyChanged bool
	// Kept: a sync is predicted to leave the live value as it is.
	Kept bool
	// Applied is what Argo CD applied last; WasApplied is false where it applied nothing there, or that is not known.
	Applied    any
	WasApplied bool
	// madeUp and issued: what the values looked like before they were redacted. See [Field.MadeUp].
	madeUp, issued bool
	// Owners wrote the live value (of a field that is not set: the object that lacks it), the last first. None: nobody
	// did, the API server filled it in.
	Owners []Owner
}

// Compare finds the fields in which a resource differs. Argo CD compares the live object, without what it is configured to
// ignore, with what it would be after a sync; where a recording holds neither, Git's manifest is compared with the live
// object as far as the manifest goes.
func Compare(d evidence.ResourceDiff) (*Resource, error) {
	r := &Resource{Ref: d.Ref()}
	states, err := clean.StatesOf(d)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", r.Ref, err)
	}
	normalized, predicted := states.Normalized, states.Predicted
	r.Target, r.Live = states.Target, states.Live
	if r.Target == nil || r.Live == nil {
		return r, nil
	}
	onlyTarget := normalized == nil || predicted == nil
	if onlyTarget {
		normalized, predicted = r.Live, r.Target
	}
	managers := managersOf(r.Live)
	for i := range managers {
		managers[i].fields = respelled(managers[i].fields)
	}
	fields, further := differences(normalized, predicted, managers)
	r.Further = further
	if len(fields) == 0 && !onlyTarget {
		if fields = contradicted(normalized, r.Target, managers); len(fields) == 0 && r.Ref.Group != "" {
			fields = leftOut(normalized, r.Target, managers)
		}
	}
	if len(fields) == 0 {
		return r, nil
	}
	applied, written := finder{object: lastApplied(r.Live)}, finder{object: r.Target}
	var original []finder
	for _, o := range states.Original {
		original = append(original, finder{object: o})
	}
	for _, f := range fields {
		if onlyTarget && !f.InDesired || f.Path.Has("managedFields") || f.Path.Under("status") && r.Target.At("status") == nil {
			continue
		}
		f.Applied, f.WasApplied = applied.find(f.Path)
		// Argo CD compares typed objects, in which a null of Git is an empty value. To the API server it means "remove this".
		if v, there := written.find(f.Path); there && v == nil {
			f.Desired, f.InDesired = nil, true
		}
		f.lookBehind(original)
		r.Fields = append(r.Fields, f)
	}
	return r, nil
}

// contradicted are the fields in which the live object contradicts the manifest, where Argo CD calls a resource out of sync although a
// sync is predicted to change nothing: single values that the API server keeps whatever is applied, and the certificate that something
// else than Argo CD put into the configuration of a webhook or an API.
func contradicted(live, target evidence.Object, managers []manager) []Field {
	fields, _ := differences(live, target, managers)
	fields = slices.DeleteFunc(fields, func(f Field) bool {
		if f.Path.Last() == "caBundle" && f.InLive && !f.InDesired && len(f.Owners) > 0 {
			return false
		}
		_, same := Same(f.Desired, f.Live)
		return !f.InLive || !f.InDesired || same || scalar(f.Live) == nil || scalar(f.Desired) == nil
	})
	for i := range fields {
		fields[i].Kept = true
	}
	return fields
}

// leftOut are the fields that the manifest leaves out in members of lists that Argo CD compares as they are written, where it calls a
// resource out of sync although a sync is predicted to change nothing: those of custom resources, and claim templates.
func leftOut(live, target evidence.Object, managers []manager) []Field {
	custom := !evidence.BuiltIn(live.Ref().Group)
	fields, _ := differences(live, target, managers)
	return slices.DeleteFunc(fields, func(f Field) bool {
		within := custom || f.Path.Has("volumeClaimTemplates")
		return !within || !f.InLive || f.InDesired || f.Path.Under("status") || f.Path.Under("metadata") || !slices.ContainsFunc(f.Path, func(s Segment) bool { return s.Member })
	})
}

// differences returns the fields that differ between the two states, ordered by path, and how many more it left out.
func differences(live, desired evidence.Object, managers []manager) (fields []Field, further int) {
	w := walk{live: live, desired: desired, managers: managers}
	w.compare(map[string]any(live), map[string]any(desired), shapeOf(managers))
	return w.fields, w.further
}

// LastApplied is the annotation that contains what was applied client-side.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// lastApplied is what kubectl's three-way merge, which Argo CD uses without server-side apply, applied last.
func lastApplied(live evidence.Object) evidence.Object {
	var o evidence.Object
	if foreign.Field.JSON([]byte(live.Annotation(LastApplied)), &o) != nil {
		return nil // none, or masked in a Secret
	}
	return o
}
