//go:build system && live

package system_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/test/cluster"
)

const (
	// takeOver is what is promised where the replica that leads ends without a word, handOver where it stops.
	takeOver, handOver = 15 * time.Second, 2 * time.Second
	// rounds are how often each is measured.
	rounds = 6
	// away is how long a replica is cut off or paused: longer than anybody waits for it.
	away = 14 * time.Second
)

// TestTakeOver: two replicas with their journal on a real API server. The one that leads is killed, stopped, cut off from the API server and
// paused, and at that moment an application begins to fail. It needs a lab: make bench-takeover.
func TestTakeOver(t *testing.T) {
	p := newPair(t)
	for _, way := range []struct {
		name    string
		promise time.Duration
		do      func(leader int)
	}{
		{"the leader is stopped", handOver, func(int) { p.StopBot() }},
		{"the leader is killed", takeOver, func(leader int) { p.KillReplica(leader) }},
		{"the leader is cut off from the API server", takeOver, func(leader int) { p.doors[leader].Shut(true) }},
		{"the leader is paused", takeOver, func(leader int) { p.Pause(leader) }},
	} {
		t.Run(way.name, func(t *testing.T) {
			var led, posted []time.Duration
			for round := range rounds {
				leads, posts := p.round(t, fmt.Sprintf("%s-%d", strings.Fields(way.name)[3], round), way.do)
				t.Logf("led after %s, posted after %s", leads, posts)
				led, posted = append(led, leads), append(posted, posts)
			}
			spent := fmt.Sprintf("median of %d: %s; the failure at that moment was posted after %s at the longest", rounds, brief(percentile(led, 50)), brief(slices.Max(posted)))
			results.within("two replicas, "+way.name, "take-over, the longest", slices.Max(led), way.promise, spent)
		})
	}
	if n := p.Posted().Twice; n > 0 {
		t.Errorf("%d messages are there twice", n)
	}
}

// pair are two replicas between an Argo CD and a Slack.
type pair struct {
	*script.Stage
	player *story.Player
	doors  []*cluster.Door
	log    *lines
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{log: &lines{}}
	c := cluster.NewWithJournal(t, "takeover")
	w, err := world.New(t.Context(), p.log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(p.log.tail())
		}
	})
	p.Stage = script.NewStage(w, func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, bot, args...) })
	p.player = &story.Player{World: p.Stage, Slack: w.Slack, Bot: w.People.App, Channel: world.Channel}
	var kubeconfigs []string
	for range 2 {
		door, file := c.Behind(t)
		p.doors, kubeconfigs = append(p.doors, door), append(kubeconfigs, file)
	}
	p.Replicate(2, &world.Cluster{Namespace: c.Name, Kubeconfig: func(n int) string { return kubeconfigs[n] }})
	p.step(t, "config", "openAfter=1s", "hold=2s")
	p.step(t, "start")
	p.await(t, "a leader", func() bool { return p.Leads(p.Leader()) })
	return p
}

func (p *pair) step(t *testing.T, verb string, args ...string) {
	t.Helper()
	if err := p.player.Step(t.Context(), story.Step{Verb: verb, Args: args}); err != nil {
		t.Fatalf("%s: %v", verb, err)
	}
}

func (p *pair) await(t *testing.T, what string, is func() bool) {
	t.Helper()
	began := time.Now()
	for !is() {
		if time.Since(began) > 2*time.Minute {
			t.Errorf("waited in vain for %s", what)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// round ends the leader in some way, makes an application fail at once, and puts everything right again. It returns how long it took until the
// other one led, and until the failure was posted.
func (p *pair) round(t *testing.T, app string, end func(leader int)) (led, posted time.Duration) {
	t.Helper()
	leader := p.Leader()
	began := time.Now()
	var ending sync.WaitGroup
	ending.Go(func() { end(leader) })
	var other sync.WaitGroup
	other.Go(func() {
		p.await(t, "another leader", func() bool { return p.Leads(1 - leader) })
		led = time.Since(began)
	})
	p.step(t, "fail", app, "payments-api")
	other.Wait()
	p.await(t, "the message", func() bool { return p.told(app) })
	posted = time.Since(began)
	ending.Wait()
	if rest := away - time.Since(began); rest > 0 {
		time.Sleep(rest)
	}
	p.doors[leader].Shut(false)
	p.Resume(leader)
	if !p.Bot().Running {
		p.step(t, "start")
	}
	time.Sleep(3 * time.Second) // until it stands by again
	return led, posted
}

func (p *pair) told(app string) bool {
	for _, m := range p.Slack.Channel(world.Channel).Messages() {
		if strings.Contains(m.Text, app) {
			return true
		}
	}
	return false
}
