//go:build live

package live_test

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/test/lab/scenarios"
)

// TestHooksAreRead from scenarios of its own, with the rights of deploy/argocd: what a digest says of them.
func TestHooksAreRead(t *testing.T) {
	a := newActor(newLab(t))
	for name, want := range map[string]evidence.Hook{
		"presync-hook-failed":    {NoDeadline: true},
		"hook-leftover-nopolicy": {NoDeadline: true, NoDeletePolicy: true},
		"hook-deadline":          {},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, scenarios.Scenario{Name: name, Apps: []scenarios.App{{Name: name}}}, 'h'-'a', nil)
			if out, err := r.script(r.name, ". ./run"); err != nil {
				t.Fatalf("run: %v\n%s", err, out)
			}
			defer r.remove()
			hooks, left, err := a.client.Hooks(t.Context(), 500)
			if err != nil || left != 0 {
				t.Fatalf("%d hooks left, %v", left, err)
			}
			at := slices.IndexFunc(hooks, func(h evidence.Hook) bool { return h.App == r.name })
			if at < 0 {
				t.Fatalf("the hook is not in %+v", hooks)
			}
			if got := hooks[at]; got.Kind != "Job" || got.NoDeadline != want.NoDeadline || got.NoDeletePolicy != want.NoDeletePolicy {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestSyncWindowsAreRead of the scenario sync-window.
func TestSyncWindowsAreRead(t *testing.T) {
	a := newActor(newLab(t))
	windows, err := a.client.ProjectWindows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	always := false
	for _, w := range windows {
		always = always || w.Project == "sync-window" && w.Kind == "deny" && w.Schedule == "* * * * *"
	}
	if !always {
		t.Errorf("no window of sync-window in %+v", windows)
	}
	if next := digest.Windows("lab", windows, time.Now(), digest.OutlookFor); len(next) != 0 {
		t.Errorf("a window that never ends begins or ends: %+v", next)
	}
}

// TestTheControllerReports: the time of a cluster's state advances, which is what the bot tells a controller that works by.
func TestTheControllerReports(t *testing.T) {
	l := newLab(t)
	a := newActor(l)
	var first time.Time
	l.eventually("the time advances", func() bool {
		clusters, err := a.client.Clusters(t.Context())
		if err != nil || len(clusters) == 0 {
			t.Fatalf("%v, %v", clusters, err)
		}
		at := clusters[0].Tested.Time
		if first.IsZero() {
			first = at
		}
		return at.After(first)
	})
}
