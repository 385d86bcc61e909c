package drift

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// walk goes through two states side by side and collects where they differ.
type walk struct {
	live, desired map[string]any
	managers      []manager
	fields        []Field
	// at are the map keys that lead to the current place, those of lists' members as [memberKey] writes them.
	at []string
	// owned are the same keys as managedFields spells them: a member whose keys were changed is found by place, but noted under its
	// live keys.
	owned []string
	// lists is how many of the current place are lists, one in the other.
	lists int
	// spent is what the paths and owners of the fields have taken, and further counts the fields that were not noted for that.
	spent, further int
}

// The limits of a comparison. What is in a cluster is far below.
const (
	// mostLists is how many lists in one another are compared by their members, since each of them is read as a whole to find out how its members are
	// told apart. Those in the last one are compared as a whole.
	mostLists = 8
	// mostSpent bounds, in bytes, what the fields of one resource take beside their values, since each has the path that leads to it: some 2,000
	// fields of a usual workload.
	mostSpent = 512 << 10
)

func (w *walk) down(key, owned string) { w.at, w.owned = append(w.at, key), append(w.owned, owned) }

func (w *walk) up() { w.at, w.owned = w.at[:len(w.at)-1], w.owned[:len(w.owned)-1] }

// compare compares the values at the current place. known is what managedFields has at that place.
func (w *walk) compare(live, desired any, known *shape) {
	if w.lists >= mostLists {
		if !reflect.DeepEqual(live, desired) {
			w.add(value{live, true}, value{desired, true})
		}
		return
	}
	switch a := live.(type) {
	case map[string]any:
		if b, ok := desired.(map[string]any); ok {
			w.compareMaps(a, b, known)
			return
		}
	case []any:
		if b, ok := desired.([]any); ok {
			w.compareLists(a, b, known)
			return
		}
	}
	switch {
	case reflect.DeepEqual(live, desired):
	case w.isEach() && (live == nil || desired == nil):
		w.addEach(value{live, live != nil}, value{desired, desired != nil})
	default:
		w.add(value{live, true}, value{desired, true})
	}
}

// isEach reports whether the current place holds labels or annotations.
func (w *walk) isEach() bool {
	if len(w.at) == 0 {
		return false
	}
	last := w.at[len(w.at)-1]
	return last == "labels" || last == "annotations"
}

func (w *walk) compareMaps(live, desired map[string]any, known *shape) {
	for _, k := range keysOfBoth(live, desired) {
		a, inLive := live[k]
		b, inDesired := desired[k]
		w.down(k, k)
		if inLive && inDesired {
			w.compare(a, b, known.below(k))
		} else {
			w.addEach(value{a, inLive}, value{b, inDesired})
		}
		w.up()
	}
}

// compareLists compares lists member by member, by their keys; as one value, where they have none and cannot be matched.
func (w *walk) compareLists(live, desired []any, known *shape) {
	if reflect.DeepEqual(live, desired) {
		return
	}
	keys := keysOf(live, desired, known)
	switch {
	case permuted(live, desired), keys == nil && (len(live) != len(desired) || !objects(live) || !objects(desired)):
		w.add(value{live, true}, value{desired, true})
		return
	}
	w.lists++
	defer func() { w.lists-- }()
	a, b := byKey(live, keys), byKey(desired, keys)
	if keys != nil && len(live) == len(desired) && disjoint(a, b) {
		// The keys themselves were changed (a host renamed): by place it is one change, not a loss and a gain.
		for i := range live {
			place := mark + strconv.Itoa(i)
			w.down(place, liveKey(live[i], keys))
			w.compare(live[i], desired[i], known.below(place))
			w.up()
		}
		return
	}
	w.compareMaps(a, b, known)
}

// liveKey is the map key of a list's member, by its keys.
func liveKey(member any, keys []string) string {
	m, _ := member.(map[string]any)
	return memberKey(m, keys)
}

// value is one side of a field.
type value struct {
	v     any
	there bool
}

// addEach adds a field that only one side has: the single labels or annotations where the other side has none at all, each of
// which has a meaning, and often a writer, of its own.
func (w *walk) addEach(live, desired value) {
	entries, _ := live.v.(map[string]any)
	if !live.there {
		entries, _ = desired.v.(map[string]any)
	}
	if !w.isEach() || len(entries) == 0 {
		w.add(live, desired)
		return
	}
	for _, k := range slices.Sorted(maps.Keys(entries)) {
		w.down(k, k)
		w.add(value{entries[k], live.there}, value{entries[k], desired.there})
		w.up()
	}
}

// add adds a field with who wrote it. Where they have become too many, it counts it; of a resource with nothing but a path that is too long, it
// adds the part of the object that the path begins with.
func (w *walk) add(live, desired value) {
	if w.spent += w.cost(); w.spent > mostSpent {
		if w.further++; len(w.fields) == 0 {
			w.further, w.fields = 0, append(w.fields, w.top())
		}
		return
	}
	f := Field{Path: make(Path, len(w.at)), InLive: live.there, InDesired: desired.there}
	owned := make(Path, len(w.owned))
	for i, k := range w.at {
		f.Path[i], owned[i] = segment(k), segment(w.owned[i])
	}
	if n := len(f.Path); n > 1 && f.Path[n-2].Member && f.Path[n-2].Keys == nil {
		_, f.KeyChanged = owned[n-2].Keys[f.Path[n-1].Field]
	}
	if live.there {
		f.Live = live.v
	}
	if desired.there {
		f.Desired = desired.v
	}
	for _, m := range w.managers {
		if o, ok := m.covers(owned); ok && m.Subresource != "status" {
			f.Owners = append(f.Owners, o)
		}
	}
	w.spent += int(unsafe.Sizeof(Owner{})) * len(f.Owners)
	w.fields = append(w.fields, f)
}

// cost is what the path to the current place takes, and looking it up among the fields of all managers.
func (w *walk) cost() int {
	n := 0
	for i, k := range w.at {
		n += len(k) + len(w.owned[i]) + 16 + 2*len(w.managers)
	}
	return n
}

// top is the part of the object that the current place is in.
func (w *walk) top() Field {
	k := w.at[0]
	f := Field{Path: Path{{Field: k}}}
	f.Live, f.InLive = w.live[k]
	f.Desired, f.InDesired = w.desired[k]
	return f
}

// keysOfBoth are the keys of two maps, sorted.
func keysOfBoth(a, b map[string]any) []string {
	out := make([]string, 0, len(a)+len(b))
	for k := range a {
		out = append(out, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
