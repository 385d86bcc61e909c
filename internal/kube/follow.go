package kube

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
)

const (
	// settleFor is how long changes of the journal wait for others: a replica that stands by answers people with what is on record, and nobody
	// asks within the same moment.
	settleFor = 200 * time.Millisecond
	// readEntryTimeout is for the parts of one entry: a few requests.
	readEntryTimeout = 10 * time.Second
	// complainEvery is how often at most the same kind of failure is logged while it lasts.
	complainEvery = time.Minute
)

// Follow calls changed with all entries of the journal, at first and after each change, until the context ends: for a replica that answers
// people from what another one writes. An entry that cannot be read is left out. The slice is the caller's, and the
// entries must not be changed.
func (j *Journal) Follow(ctx context.Context, log *slog.Logger, changed func([]*incident.Incident)) {
	held := &heldIncidents{entries: j.entries(ctx), byName: map[string]*incident.Incident{}, dirty: make(chan struct{}, 1)}
	var reflecting sync.WaitGroup
	reflecting.Go(func() { j.reflect(ctx, log, held) })
	defer reflecting.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-held.dirty:
		}
		changed(held.all())
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleFor):
		}
	}
}

// FollowHandOvers calls changed for each entry that another replica has written: its own, which is HandedOver, and backlogs, where it notes
// what people asked for. That includes those that are there at first.
func (j *Journal) FollowHandOvers(ctx context.Context, log *slog.Logger, changed func(*incident.Incident)) {
	j.reflect(ctx, log, &handOvers{j.entries(ctx), changed})
}

// Follow calls changed for each log that somebody writes, until the context ends.
func (j *ActionJournal) Follow(ctx context.Context, log *slog.Logger, changed func(action.App)) {
	j.reflect(ctx, log, changedLogs(changed))
}

// reflect has client-go list the objects page by page, watch them from there on, and list them again where the watch broke off.
func (s *store) reflect(ctx context.Context, log *slog.Logger, into sink) {
	complain := complaints(log.With("kind", s.kind), notFollowed)
	source := &cache.ListWatch{
		ListFunc: func(o metav1.ListOptions) (runtime.Object, error) {
			list, err := s.objects.List(ctx, o)
			complain(err)
			return list, err
		},
		WatchFunc: func(o metav1.ListOptions) (watch.Interface, error) {
			w, err := s.objects.Watch(ctx, o)
			if !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err) { // then it lists again
				complain(err)
			}
			return w, err
		},
	}
	r := cache.NewReflectorWithOptions(source, &unstructured.Unstructured{}, sinkStore{sink: into}, cache.ReflectorOptions{Name: s.kind})
	r.WatchListPageSize = pageSize
	r.Run(ctx.Done())
}

const notFollowed = "journal not followed, will try again"

// complaints logs errors once in a while. nil ends them: the next one is logged at once.
func complaints(log *slog.Logger, message string) func(error) {
	var mu sync.Mutex
	var last time.Time
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			last = time.Time{}
		case time.Since(last) >= complainEvery:
			last = time.Now()
			log.Warn(message, "error", err) //nolint:sloglint // a constant of the caller's
		}
	}
}

// sink takes what is reflected.
type sink interface {
	put(o *unstructured.Unstructured)
	remove(o *unstructured.Unstructured)
	// replace is all that there is.
	replace(all []*unstructured.Unstructured)
}

// sinkStore is what a Reflector writes to; it reads nothing from it.
type sinkStore struct {
	cache.Store
	sink sink
}

// Add implements cache.Store, as do the others.
func (s sinkStore) Add(o any) error { return s.with(o, s.sink.put) }

// Update is Add.
func (s sinkStore) Update(o any) error { return s.with(o, s.sink.put) }

// Delete takes one out.
func (s sinkStore) Delete(o any) error { return s.with(o, s.sink.remove) }

func (s sinkStore) with(o any, do func(*unstructured.Unstructured)) error {
	if object, ok := o.(*unstructured.Unstructured); ok {
		do(object)
	}
	return nil
}

// Replace is after each list.
func (s sinkStore) Replace(all []any, _ string) error {
	objects := make([]*unstructured.Unstructured, 0, len(all))
	for _, o := range all {
		if object, ok := o.(*unstructured.Unstructured); ok {
			objects = append(objects, object)
		}
	}
	s.sink.replace(objects)
	return nil
}

// Resync has nothing to do.
func (sinkStore) Resync() error { return nil }

// entries read what is reflected, one after the other.
type entries struct {
	ctx     context.Context //nolint:containedctx // lives as long as Follow
	journal *Journal
	parts   *heldParts
}

func (j *Journal) entries(ctx context.Context) entries { return entries{ctx, j, newHeldParts(j.parts)} }

// read is the incident of an object, for which the parts of a large one are read.
func (e entries) read(o *unstructured.Unstructured) (*incident.Incident, error) {
	ctx, cancel := context.WithTimeout(e.ctx, readEntryTimeout)
	defer cancel()
	return e.journal.complete(ctx, newListed(o), nil, e.parts.read)
}

// removed: there is no such object any longer.
func (e entries) removed(o *unstructured.Unstructured) { e.parts.forget(o.GetName()) }

// replaced: there are these and no others.
func (e entries) replaced(all []*unstructured.Unstructured) {
	names := map[string]bool{}
	for _, o := range all {
		names[o.GetName()] = true
	}
	e.parts.keep(names)
}

// heldIncidents are the entries by the name of their object.
type heldIncidents struct {
	entries
	mu     sync.Mutex
	byName map[string]*incident.Incident
	dirty  chan struct{}
}

// put leaves out what has no status yet, and the entries of replicas, which nobody is answered from. What cannot be read stays as it was: the
// leader says what is wrong with a damaged entry.
func (h *heldIncidents) put(o *unstructured.Unstructured) {
	if phase, _, _ := unstructured.NestedString(o.Object, "status", "phase"); phase == string(incident.HandedOver) {
		return
	}
	i, err := h.read(o)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err == nil:
		h.byName[o.GetName()] = i
	case errors.Is(err, errNoStatus):
		delete(h.byName, o.GetName())
	}
	h.changed()
}

func (h *heldIncidents) remove(o *unstructured.Unstructured) {
	h.removed(o)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.byName, o.GetName())
	h.changed()
}

func (h *heldIncidents) replace(all []*unstructured.Unstructured) {
	h.replaced(all)
	byName := map[string]*incident.Incident{}
	for _, o := range all {
		if i, err := h.read(o); err == nil {
			byName[o.GetName()] = i
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byName = byName
	h.changed()
}

func (h *heldIncidents) changed() {
	select {
	case h.dirty <- struct{}{}:
	default:
	}
}

func (h *heldIncidents) all() []*incident.Incident {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*incident.Incident, 0, len(h.byName))
	for _, i := range h.byName {
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b *incident.Incident) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// changedLogs passes on whose log was written. What is there at first, those who follow read themselves.
type changedLogs func(action.App)

func (c changedLogs) put(o *unstructured.Unstructured) {
	if l, err := decodeActionLog(o); err == nil {
		c(l.App)
	}
}

func (changedLogs) remove(*unstructured.Unstructured) {}

func (changedLogs) replace([]*unstructured.Unstructured) {}

// handOvers reads only the entries that others write, which are few: the leader wrote the rest itself.
type handOvers struct {
	entries
	changed func(*incident.Incident)
}

func (h *handOvers) put(o *unstructured.Unstructured) {
	phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
	rule, _, _ := unstructured.NestedString(o.Object, "status", "cause", "rule")
	if phase != string(incident.HandedOver) && rule != incident.AlreadyFailing {
		return
	}
	if i, err := h.read(o); err == nil {
		h.changed(i)
	}
}

func (h *handOvers) remove(o *unstructured.Unstructured) { h.removed(o) }

func (h *handOvers) replace(all []*unstructured.Unstructured) {
	h.replaced(all)
	for _, o := range all {
		h.put(o)
	}
}
