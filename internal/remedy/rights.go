package remedy

import (
	"context"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// rights remembers what the bot's own account may do, so that it can be said at once.
type rights struct {
	// ask says what is lacking; "" when nothing is.
	ask func(ctx context.Context, app action.App, kind action.Kind, project string) (string, error)
	// changed is called when an answer is another one than has gave: what was offered by that one is not right any more.
	changed func(instance string)

	mu    sync.Mutex
	known map[rightsKey]*right
	// due are to be asked for, which asking goroutines do.
	due    []rightsKey
	asking int
}

// asksAtOnce is how many questions about rights are asked at once: a page full of incidents has one for each project and kind.
const asksAtOnce = 4

// rightsKey is what a right is asked about. That to delete Jobs depends on the cluster of the application; of the others only
// the instance counts.
type rightsKey struct {
	app     action.App
	project string
	kind    action.Kind
}

func keyOf(app action.App, kind action.Kind, project string) rightsKey {
	if kind != action.DeleteHookJob {
		app = action.App{Instance: app.Instance}
	}
	return rightsKey{app, project, kind}
}

// right is one answer. One that could not be had is no.
type right struct {
	has    bool
	at     time.Time
	asking bool
	// used is when somebody last wanted to know.
	used time.Time
	// said is what was answered last, by which buttons were drawn.
	said bool
}

// known reports whether the bot has the right by what is known well enough.
func (k *right) known() bool { return k.has && time.Since(k.at) < rightsTrust }

func newRights(ask func(context.Context, action.App, action.Kind, string) (string, error), changed func(instance string)) *rights {
	return &rights{ask: ask, changed: changed, known: map[rightsKey]*right{}}
}

// has answers from memory, and has what it does not know, or not well, asked in the background.
func (r *rights) has(app action.App, kind action.Kind, project string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := keyOf(app, kind, project)
	k := r.known[key]
	if k == nil {
		k = &right{}
		r.known[key] = k
	}
	k.used = time.Now()
	if time.Since(k.at) > rightsFresh && !k.asking {
		k.asking = true
		r.due = append(r.due, key)
		if r.asking < asksAtOnce {
			r.asking++
			go r.askDue(context.Background())
		}
	}
	k.said = k.known()
	return k.said
}

// askDue asks until nothing is due any more.
func (r *rights) askDue(ctx context.Context) {
	for {
		r.mu.Lock()
		if len(r.due) == 0 {
			r.asking--
			r.mu.Unlock()
			return
		}
		key := r.due[0]
		r.due = r.due[1:]
		r.mu.Unlock()
		r.refresh(ctx, key)
	}
}

// refresh asks. What could not be asked stays as it was until it is too old.
func (r *rights) refresh(ctx context.Context, key rightsKey) {
	lack, err := r.ask(ctx, key.app, key.kind, key.project)
	r.mu.Lock()
	k := r.known[key]
	k.asking = false
	if err == nil {
		k.has, k.at = lack == "", time.Now()
	}
	now := k.known()
	other := now != k.said
	k.said = now // once is enough, also where nobody shows it any more
	r.mu.Unlock()
	if other {
		r.changed(key.app.Instance)
	}
}

// keepFresh asks again for all that is still of use, until the context ends.
func (r *rights) keepFresh(ctx context.Context) {
	for pause(ctx, rightsFresh) == nil {
		r.mu.Lock()
		var keys []rightsKey
		for key, k := range r.known {
			if time.Since(k.used) > rightsUsed && !k.asking {
				delete(r.known, key)
				continue
			}
			keys = append(keys, key)
		}
		r.mu.Unlock()
		for _, key := range keys {
			r.refresh(ctx, key)
		}
	}
}

// When what is known of the bot's rights is asked again, and when it is not trusted any more.
const (
	rightsFresh = 3 * time.Minute
	rightsTrust = 10 * time.Minute
	// rightsUsed is when nobody wants to know any more.
	rightsUsed = time.Hour
)
