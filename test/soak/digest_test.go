//go:build soak && live

package soak_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/test/cluster"
)

// TestOneDigestWhoeverLeads: of two replicas the leader is killed, or cut off from the API server, in the call that posts a digest. The other one
// takes over: it finds the message if it is there, and posts it if it is not.
func TestOneDigestWhoeverLeads(t *testing.T) {
	kill := func(s *script.Stage, _ []*cluster.Door, leader int) { s.KillReplica(leader) }
	cutOff := func(_ *script.Stage, doors []*cluster.Door, leader int) { doors[leader].Shut(true) }
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		strike func(*script.Stage, []*cluster.Door, int)
		fault  workspace.Fault
	}{
		"killed after the message is there":    {kill, workspace.Fault{LoseAnswer: true}},
		"killed before the message is there":   {kill, workspace.Fault{Drop: true}},
		"cut off after the message is there":   {cutOff, workspace.Fault{LoseAnswer: true}},
		"cut off before the message is posted": {cutOff, workspace.Fault{Drop: true}},
	} {
		t.Chdir(filepath.Join(root, "test", "soak")) // from where the files of deploy/ are found
		of := cluster.NewWithJournal(t, "digest")
		t.Chdir(root)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := &tail{}
			w, err := world.New(t.Context(), log)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := w.Close(); err != nil {
					t.Error(err)
				}
				if t.Failed() {
					t.Log(log.String())
				}
			})
			var doors []*cluster.Door
			var files []string
			for range 2 {
				d, file := of.Behind(t)
				doors, files = append(doors, d), append(files, file)
			}
			s := script.NewStage(w, func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, bot, args...) })
			s.Replicate(2, &world.Cluster{Namespace: of.Name, Kubeconfig: func(n int) string { return files[n] }})
			player := &story.Player{World: s, Slack: w.Slack, Bot: w.People.App, Channel: world.Channel}
			do := func(verb string, args ...string) {
				t.Helper()
				if err := player.Step(t.Context(), story.Step{Verb: verb, Args: args}); err != nil {
					t.Fatalf("%s: %v", verb, err)
				}
			}
			due := time.Now().UTC().Add(2 * time.Minute).Truncate(time.Minute) // a leader waits for half a minute before it posts one
			do("config", "openAfter=1s", "hold=2s", "digest="+due.Format("15:04")+"@UTC")
			do("start")
			do("fail", "payments-api", "hook/job-failed/lab-presync-hook-failed")
			var leader atomic.Int32
			leader.Store(-1)
			var once sync.Once
			c.fault.Method, c.fault.Times = "chat.postMessage", 1
			c.fault.Match = func(args url.Values) bool {
				if !strings.Contains(args.Get("text"), "· digest") {
					return false
				}
				once.Do(func() {
					leader.Store(int32(s.Leader()))
					c.strike(s, doors, s.Leader())
				})
				return true
			}
			w.Slack.Fault(c.fault)
			until(t, due.Add(2*time.Minute), "another leader", func() bool {
				was := int(leader.Load())
				return was >= 0 && s.Leader() != was && s.Leads(s.Leader())
			})
			// One that was being posted may still appear, and is waited for (deliver.appears) before it is posted again.
			until(t, time.Now().Add(2*time.Minute), "the digest", func() bool { return digestsIn(w) > 0 })
			doors[leader.Load()].Shut(false)
			time.Sleep(15 * time.Second) // for a second one
			if n := digestsIn(w); n != 1 {
				t.Errorf("%d digests are there, want one", n)
			}
		})
	}
}

func until(t *testing.T, limit time.Time, what string, is func() bool) {
	t.Helper()
	for !is() {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func digestsIn(w *world.World) (n int) {
	for _, m := range w.Slack.Channel(world.Channel).Messages() {
		if strings.Contains(m.Text, "· digest") {
			n++
		}
	}
	return n
}
