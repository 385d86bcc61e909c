package remedy

import (
	"context"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// rights remembers what the bot's own account may do, so that it can be said at once. It asks in keepFresh and nowhere else:
// has only notes what is to be asked, so that whoever draws a message neither waits nor starts anything.
type rights struct {
	// ask says what is lacking; "" when nothing is.
	ask func(ctx context.Context, app action.App, kind action.Kind, project string) (string, error)
	// changed is called when an answer is another one than has gave: what was offered by that one is not right any more.
	changed func(instance string)
	// wake has keepFresh look at what is due.
	wake chan struct{}

	mu    sync.Mutex
	known map[rightsKey]*right
	// due are to be asked for, in this order.
	due []rightsKey
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
	has bool
	at  time.Time
	// asking: it is due, or being asked for.
	asking bool
	// used is when somebody last wanted to know.
	used time.Time
	// said is what was answered last, by which buttons were drawn.
	said bool
}

// known reports whether the bot has the right by what is known well enough.
func (k *right) known() bool { return k.has && time.Since(k.at) < rightsTrust }

func newRights(ask func(context.Context, action.App, action.Kind, string) (string, error), changed func(instance string)) *rights {
	return &rights{ask: ask, changed: changed, wake: make(chan struct{}, 1), known: map[rightsKey]*right{}}
}

// has answers from memory, and notes for keepFresh what is not known, or not well.
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
		select {
		case r.wake <- struct{}{}:
		default: // it will look already
		}
	}
	k.said = k.known()
	return k.said
}

// keepFresh asks for what is due, a few at a time, and every few minutes again for all that is still of use, until the context
// ends.
func (r *rights) keepFresh(ctx context.Context) {
	var asking sync.WaitGroup
	defer asking.Wait()
	slots := make(chan struct{}, asksAtOnce)
	again := time.NewTicker(rightsFresh)
	defer again.Stop()
	for ctx.Err() == nil {
		due := r.takeDue()
		for i, key := range due {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				r.giveBack(due[i:])
				return
			}
			asking.Go(func() {
				defer func() { <-slots }()
				r.refresh(ctx, key)
			})
		}
		select {
		case <-r.wake:
		case <-again.C:
			r.renew()
		case <-ctx.Done():
		}
	}
}

// takeDue is what is to be asked for now.
func (r *rights) takeDue() []rightsKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	due := r.due
	r.due = nil
	return due
}

// giveBack makes due again what was not asked for, for the next Run.
func (r *rights) giveBack(keys []rightsKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due = append(keys, r.due...)
}

// renew makes due all that somebody still wants to know, and forgets the rest.
func (r *rights) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, k := range r.known {
		switch {
		case k.asking:
		case time.Since(k.used) > rightsUsed:
			delete(r.known, key)
		default:
			k.asking = true
			r.due = append(r.due, key)
		}
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

// When what is known of the bot's rights is asked again, and when it is not trusted any more.
const (
	rightsFresh = 3 * time.Minute
	rightsTrust = 10 * time.Minute
	// rightsUsed is when nobody wants to know any more.
	rightsUsed = time.Hour
)
