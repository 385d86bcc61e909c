package diagnose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// state of a fact in the ledger.
type state int

const (
	pending state = iota
	read
	unreadable
)

type ledgerKey struct {
	kind evidence.Kind
	key  string
}

// entry is one fact: asked for, and then read once.
type entry struct {
	kind  evidence.Kind
	state state
	value any
	err   error
	took  time.Duration
	read  func(context.Context, evidence.Source) (any, error)
}

// ask notes that a fact is wanted and returns its entry.
func ask[T any](r *run, f evidence.Fact[T]) *entry {
	key := ledgerKey{f.Kind, f.Key}
	if e, ok := r.ledger[key]; ok {
		return e
	}
	e := &entry{kind: f.Kind, read: func(ctx context.Context, s evidence.Source) (any, error) { return readClean(ctx, s, f) }}
	r.ledger[key] = e
	r.asked = append(r.asked, e)
	return e
}

// had is a fact that was read already.
func had[T any](r *run, f evidence.Fact[T]) (v T, ok bool) {
	if e, asked := r.ledger[ledgerKey{f.Kind, f.Key}]; asked && e.state == read {
		v, ok = e.value.(T)
	}
	return v, ok
}

// obtain is a fact that is read now, if nobody has.
func obtain[T any](r *run, f evidence.Fact[T]) (v T, ok bool) {
	if e := ask(r, f); e.state == pending {
		r.fetch([]*entry{e})
	}
	return had(r, f)
}

// readClean reads a fact without the secrets in it. It is the one place where evidence enters a diagnosis.
func readClean[T any](ctx context.Context, s evidence.Source, f evidence.Fact[T]) (T, error) {
	v, err := f.Read(ctx, s)
	v = clean.Fact(ctx, v)
	if err == nil && ctx.Err() != nil { // then some of its texts may not be there
		err = fmt.Errorf("search for secrets: %w", ctx.Err())
	}
	return v, err
}

// fetch reads entries in parallel, each with its own time-out. A source in memory is read in turn: goroutines would cost
// more than the reading.
func (r *run) fetch(entries []*entry) {
	began := r.clock()
	defer func() { r.pace.waiting += r.clock().Sub(began) }()
	if r.free() {
		for _, e := range entries {
			e.load(r)
		}
		return
	}
	var wg sync.WaitGroup
	for _, e := range entries {
		wg.Go(func() { e.load(r) })
	}
	wg.Wait()
}

// free reports whether reading costs neither calls nor time: see [evidence.Source].
func (r *run) free() bool {
	_, free := r.source.(interface{ Free() })
	return free
}

// notShown reports whether a live Argo CD does not show a kind of evidence that could not be read, or did not when a file was recorded.
func (r *run) notShown(kind evidence.Kind) bool {
	recorded, ok := r.source.(interface{ NotShown(evidence.Kind) bool })
	return !r.free() || ok && recorded.NotShown(kind)
}

// worthMore reports whether more is worth reading: a person waits for the answer, or it costs nothing.
func (r *run) worthMore() bool { return r.closely || r.free() }

func (e *entry) load(r *run) {
	ctx, cancel := context.WithTimeout(r.ctx, r.timeout)
	defer cancel()
	start := r.clock()
	e.value, e.err = safely(func() (any, error) { return e.read(ctx, r.source) })
	e.took = r.clock().Sub(start)
	e.state = read
	if e.err != nil {
		e.state = unreadable
		if errors.Is(e.err, context.DeadlineExceeded) && r.ctx.Err() == nil {
			e.err = fmt.Errorf("%w (gave up after %s)", e.err, r.timeout)
		}
	}
}

// safely turns a panic of a client library into an error: one fact is lost, not the diagnosis.
func safely(read func() (any, error)) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reading failed: %v", p)
		}
	}()
	return read()
}

// Examined is one kind of evidence that was read, and at what cost.
type Examined struct {
	Fact  evidence.Kind `json:"fact"`
	Calls int           `json:"calls"`
	MS    int64         `json:"ms"`
	Error string        `json:"error,omitempty"`
}

// examined adds up the ledger by kind, in the order in which kinds were first asked for. Evidence in memory costs neither
// calls nor time.
func (r *run) examined() []Examined {
	free := r.free()
	var out []Examined
	for _, e := range r.asked {
		if e.state == pending {
			continue
		}
		i := slices.IndexFunc(out, func(x Examined) bool { return x.Fact == e.kind })
		if i < 0 {
			i = len(out)
			out = append(out, Examined{Fact: e.kind})
		}
		if !free {
			out[i].Calls++
			out[i].MS = max(out[i].MS, e.took.Milliseconds())
		}
		if e.err != nil && out[i].Error == "" {
			out[i].Error = e.err.Error()
		}
	}
	return out
}
