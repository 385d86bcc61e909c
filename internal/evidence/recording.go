package evidence

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Recording collects what a live source answered, as it answered it, to be written as a case file. It is safe for use by
// parallel reads. A nil recording records nothing.
type Recording struct {
	mu       sync.Mutex
	sections map[string]json.RawMessage
	// What there is many of is kept by key, so the order in which parallel reads end does not show in the file.
	objects map[string]json.RawMessage
	missing map[string]Ref
	events  map[string][]json.RawMessage
	logs    map[string]Log
	// lists are names by the key of the case file: namespaces, kinds, facts.
	lists map[string]map[string]string
	// rendered are digests by commit.
	rendered map[string]string
}

// Section keeps the answer for a key of the case file of which there is one, e.g. "application".
func (r *Recording) Section(key string, raw json.RawMessage) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sections == nil {
		r.sections = map[string]json.RawMessage{}
	}
	r.sections[key] = raw
}

// Object keeps a live object.
func (r *Recording) Object(ref Ref, raw json.RawMessage) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.objects == nil {
		r.objects = map[string]json.RawMessage{}
	}
	r.objects[objectKey(ref)] = raw
}

// Missing keeps that an object does not exist.
func (r *Recording) Missing(ref Ref) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.missing == nil {
		r.missing = map[string]Ref{}
	}
	r.missing[objectKey(ref)] = ref
}

// AutoscalersOf keeps that the autoscalers of a namespace were read. Those that were found are kept as objects.
func (r *Recording) AutoscalersOf(namespace string) { r.list("autoscalersOf", namespace) }

// AllOf keeps that all objects of a kind were read. They are kept as objects.
func (r *Recording) AllOf(kind Outside) { r.list("allOf", kind.Resource) }

// NotShown keeps that Argo CD did not show a kind of evidence: what rests on it is judged otherwise than where nobody asked.
func (r *Recording) NotShown(kind Kind) { r.list("notShown", string(kind)) }

// list keeps a name in one of the lists of the case file.
func (r *Recording) list(key, name string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lists == nil {
		r.lists = map[string]map[string]string{}
	}
	if r.lists[key] == nil {
		r.lists[key] = map[string]string{}
	}
	r.lists[key][name] = name
}

// Rendered keeps the digest of a commit's manifests.
func (r *Recording) Rendered(revision, digest string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rendered == nil {
		r.rendered = map[string]string{}
	}
	r.rendered[revision] = digest
}

// Events keeps the events about an object; an empty list is kept as "there were none".
func (r *Recording) Events(ref Ref, raw []json.RawMessage) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.events == nil {
		r.events = map[string][]json.RawMessage{}
	}
	r.events[objectKey(ref)] = raw
}

// Log keeps the tail of a log.
func (r *Recording) Log(q LogQuery, l Log) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.logs == nil {
		r.logs = map[string]Log{}
	}
	r.logs[FactLog(q).Key] = l
}

// Encode writes the case file: the same evidence gives the same bytes.
func (r *Recording) Encode(now time.Time, origin string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	doc := map[string]any{"case": CaseVersion, "now": Time{now}, "origin": origin}
	for key, raw := range r.sections {
		doc[key] = raw
	}
	if r.objects != nil {
		doc["resources"] = inKeyOrder(r.objects)
	}
	if r.missing != nil {
		doc["missing"] = inKeyOrder(r.missing)
	}
	// An empty list says that nothing of its kind was read.
	doc["autoscalersOf"], doc["allOf"] = []string{}, []string{}
	for key, names := range r.lists {
		doc[key] = inKeyOrder(names)
	}
	if r.rendered != nil {
		doc["rendered"] = r.rendered
	}
	if r.events != nil {
		all := []json.RawMessage{} // not nil: a key with an empty list says that there were none
		for _, events := range inKeyOrder(r.events) {
			all = append(all, events...)
		}
		doc["events"] = all
	}
	if r.logs != nil {
		doc["logs"] = inKeyOrder(r.logs)
	}
	out, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode case: %w", err)
	}
	return append(out, '\n'), nil
}

func inKeyOrder[T any](m map[string]T) []T {
	var out []T
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[key])
	}
	return out
}
