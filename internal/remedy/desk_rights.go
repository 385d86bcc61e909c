package remedy

import (
	"context"
	"sync"
	"time"
)

// rights remembers what the bot's own account may do, so that it can be said at once.
type rights struct {
	// ask says what is lacking; "" when nothing is.
	ask func(ctx context.Context, instance string, kind Kind, project string) (string, error)
	// changed is called when an answer is another one than before: what was offered by the former one is not right any more.
	changed func(instance string)

	mu    sync.Mutex
	known map[rightsKey]*right
}

type rightsKey struct {
	instance, project string
	kind              Kind
}

// right is one answer. One that could not be had is no.
type right struct {
	has    bool
	at     time.Time
	asking bool
}

func newRights(ask func(context.Context, string, Kind, string) (string, error), changed func(instance string)) *rights {
	return &rights{ask: ask, changed: changed, known: map[rightsKey]*right{}}
}

// has answers from memory, and has what it does not know, or not well, asked in the background.
func (r *rights) has(app App, kind Kind, project string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := rightsKey{app.Instance, project, kind}
	k := r.known[key]
	if k == nil {
		k = &right{}
		r.known[key] = k
	}
	age := time.Since(k.at)
	if age > rightsFresh && !k.asking {
		k.asking = true
		go r.refresh(context.Background(), key)
	}
	return k.has && age < rightsTrust
}

// refresh asks. What could not be asked stays as it was until it is too old.
func (r *rights) refresh(ctx context.Context, key rightsKey) {
	lack, err := r.ask(ctx, key.instance, key.kind, key.project)
	r.mu.Lock()
	k := r.known[key]
	had := k.has
	k.asking = false
	if err == nil {
		k.has, k.at = lack == "", time.Now()
	}
	other := k.has != had
	r.mu.Unlock()
	if other {
		r.changed(key.instance)
	}
}

// keepFresh asks again for all that was ever asked for, until the context ends.
func (r *rights) keepFresh(ctx context.Context) {
	for pause(ctx, rightsFresh) == nil {
		r.mu.Lock()
		var keys []rightsKey
		for key := range r.known {
			keys = append(keys, key)
		}
		r.mu.Unlock()
		for _, key := range keys {
			r.refresh(ctx, key)
		}
	}
}
