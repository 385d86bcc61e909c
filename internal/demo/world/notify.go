package world

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
)

// Delivery is what happens to Argo CD's notifications.
type Delivery string

// The deliveries. Where nothing arrives the watch is silent, too: only the sweep finds what happened.
const (
	Delivered Delivery = "delivered"
	Late      Delivery = "late"
	Lost      Delivery = "lost"
)

// LateBy is how late a notification is that is late.
const LateBy = 8 * time.Second

// notifications stand for Argo CD's notifications controller: it calls the bot's webhook for each application that has changed.
type notifications struct {
	argoCD *simulator.Server
	url    func() string // of the bot's webhook, which is another one at each start
	token  string
	client *http.Client

	mu       sync.Mutex
	delivery Delivery
	sent     map[simulator.Name]string // the state that was last reported to the bot
}

// Deliver decides what happens to notifications from now on.
func (w *World) Deliver(how Delivery) {
	w.notifications.mu.Lock()
	w.notifications.delivery = how
	w.notifications.mu.Unlock()
	w.ArgoCD.Mute(how != Delivered)
}

// Delivery is what happens to notifications now.
func (w *World) Delivery() Delivery {
	w.notifications.mu.Lock()
	defer w.notifications.mu.Unlock()
	return w.notifications.delivery
}

// run sends what changes until the context ends.
func (n *notifications) run(ctx context.Context) {
	for {
		changed := n.argoCD.Changed()
		n.look(ctx)
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// look sends a notification about each application whose state has changed since last time.
func (n *notifications) look(ctx context.Context) {
	for _, s := range n.argoCD.States() {
		now := fmt.Sprint(s.Sync, s.Health, s.Operation)
		n.mu.Lock()
		before, known := n.sent[s.Name]
		n.sent[s.Name] = now
		how := n.delivery
		n.mu.Unlock()
		switch {
		case known && before == now, !known && !Unwell(s), how == Lost:
		case how == Late:
			time.AfterFunc(LateBy, func() { n.send(ctx, s.Name) })
		default:
			go n.send(ctx, s.Name)
		}
	}
}

// Unwell reports whether anybody would look at an application of that state.
func Unwell(s simulator.State) bool {
	return s.Sync != "Synced" || s.Health != "Healthy" || s.Operation == "Failed" || s.Operation == "Error"
}

// send calls the webhook. The bot may be away: Argo CD tries again, and here the watch tells it all when it is back.
func (n *notifications) send(ctx context.Context, app simulator.Name) {
	body, err := json.Marshal(map[string]string{"app": app.Name, "namespace": app.Namespace})
	if err != nil {
		return
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url(), strings.NewReader(string(body)))
	if err != nil {
		return
	}
	r.Header.Set("Authorization", "Bearer "+n.token)
	r.Header.Set("Content-Type", "application/json")
	if answer, err := n.client.Do(r); err == nil {
		_ = answer.Body.Close()
	}
}

// Notify calls the bot's webhook so many times at once, as if the application had changed.
func (w *World) Notify(ctx context.Context, app simulator.Name, times int) {
	for range times {
		go w.notifications.send(ctx, app)
	}
}
