package cost_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// manyFail are the ways in which all resources of an application fail at once; each adds what Argo CD shows of one of them.
var manyFail = map[string]func(c *evidence.Case, name string){
	"drifted": func(c *evidence.Case, name string) {
		statusOf(c, name).Status = "OutOfSync"
		statesOf(c, name, 5)
	},
	"crashing": func(c *evidence.Case, name string) {
		statusOf(c, name).Health = &evidence.Health{Status: "Degraded", Message: fmt.Sprintf("Deployment %q exceeded its progress deadline", name)}
		nodesOf(c, name, "CrashLoopBackOff")
		c.Application.Status.Health.Status = "Degraded"
	},
	"rolling out": func(c *evidence.Case, name string) {
		statusOf(c, name).Health = &evidence.Health{Status: "Progressing", Message: "Waiting for rollout to finish: 0 of 2 updated replicas are available..."}
		nodesOf(c, name, "ContainerCreating")
		c.Application.Status.Health.Status = "Progressing"
	},
	"missing": func(c *evidence.Case, name string) {
		r := statusOf(c, name)
		r.Status, r.Health = "OutOfSync", &evidence.Health{Status: "Missing"}
		c.Application.Status.Health.Status = "Missing"
	},
	"to be pruned": func(c *evidence.Case, name string) {
		r := statusOf(c, name)
		r.Status, r.RequiresPruning = "OutOfSync", true
		statesOf(c, name, 2)
		c.Managed.Items[len(c.Managed.Items)-1].TargetState = "null"
	},
	"refused": func(c *evidence.Case, name string) {
		statusOf(c, name).Status = "OutOfSync"
		refusalOf(c, name, fmt.Sprintf("Deployment.apps %q is invalid: spec.selector: Invalid value: field is immutable", name))
	},
	"forbidden": func(c *evidence.Case, name string) {
		statusOf(c, name).Status = "OutOfSync"
		refusalOf(c, name, fmt.Sprintf(`deployments.apps %q is forbidden: User "system:serviceaccount:argocd:argocd-application-controller" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`, name))
	},
	"shared": func(c *evidence.Case, name string) {
		statusOf(c, name).Status = "OutOfSync"
		statesOf(c, name, 5)
		c.Application.Status.Conditions = append(c.Application.Status.Conditions, evidence.Condition{Type: "SharedResourceWarning",
			Message: "Deployment/" + name + " is part of applications argocd/large and argocd/other"})
	},
	"being deleted": func(c *evidence.Case, name string) {
		statusOf(c, name).Health = &evidence.Health{Status: "Progressing", Message: "Pending deletion"}
		nodesOf(c, name, "Terminating")
		c.Application.Metadata.DeletionTimestamp = evidence.Time{Time: c.Now.Add(-time.Hour)}
	},
	"healthy": func(c *evidence.Case, name string) {
		statusOf(c, name)
		nodesOf(c, name, "Running")
		c.Application.Status.Sync.Status = "Synced"
	},
}

// manyResources is far more than an application has in real life, so what grows with the square of it shows.
const manyResources = 50_000

// failingAtScale is an application of so many resources, which are numbered from first on.
func failingAtScale(first, resources int, add func(*evidence.Case, string)) *evidence.Case {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	app := &evidence.Application{Metadata: evidence.Metadata{Name: "large", Namespace: "argocd"}}
	app.Status.Sync = evidence.SyncStatus{Status: "OutOfSync", Revision: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}
	app.Status.Health = evidence.Health{Status: "Healthy", LastTransitionTime: evidence.Time{Time: now.Add(-time.Hour)}}
	app.Status.ReconciledAt = evidence.Time{Time: now.Add(-time.Minute)}
	app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationSucceeded, SyncResult: &evidence.SyncResult{Revision: app.Status.Sync.Revision}}
	c := &evidence.Case{Version: evidence.CaseVersion, Now: evidence.Time{Time: now}, Application: app, Tree: &evidence.Tree{}}
	c.Managed = &struct {
		Items []evidence.ResourceDiff `json:"items"`
	}{}
	for i := range resources {
		add(c, fmt.Sprintf("web-%05d", first+i))
	}
	return c
}

// statusOf adds a Deployment that is fine, for the caller to change.
func statusOf(c *evidence.Case, name string) *evidence.ResourceStatus {
	c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{
		Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: name, Status: "Synced", Health: &evidence.Health{Status: "Healthy"},
	})
	return &c.Application.Status.Resources[len(c.Application.Status.Resources)-1]
}

// nodesOf adds its node, its ReplicaSet and a pod with that reason.
func nodesOf(c *evidence.Case, name, reason string) {
	r := c.Application.Status.Resources[len(c.Application.Status.Resources)-1]
	owned := func(kind, by string) []evidence.Parent {
		return []evidence.Parent{{Group: "apps", Kind: kind, Namespace: "shop", Name: by}}
	}
	c.Tree.Nodes = append(c.Tree.Nodes,
		evidence.Node{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: name, Health: r.Health},
		evidence.Node{Group: "apps", Version: "v1", Kind: "ReplicaSet", Namespace: "shop", Name: name + "-1", ParentRefs: owned("Deployment", name)},
		evidence.Node{Version: "v1", Kind: "Pod", Namespace: "shop", Name: name + "-1-a", ParentRefs: owned("ReplicaSet", name+"-1"), Health: r.Health,
			Info: []evidence.InfoItem{{Name: "Status Reason", Value: reason}}})
}

// statesOf adds both its states, which differ if replicas is not 2.
func statesOf(c *evidence.Case, name string, replicas int) {
	state := func(replicas int) evidence.State {
		return evidence.State(fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q,"namespace":"shop"},"spec":{"replicas":%d}}`, name, replicas))
	}
	c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name,
		TargetState: state(2), LiveState: state(replicas), NormalizedLiveState: state(replicas), PredictedLiveState: state(2)})
}

// refusalOf adds a task of the last sync that failed.
func refusalOf(c *evidence.Case, name, message string) {
	op := c.Application.Status.OperationState
	op.Phase, op.Message = evidence.OperationFailed, "one or more objects failed to apply"
	op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop",
		Name: name, Status: evidence.ResultSyncFailed, Message: message, HookPhase: evidence.OperationFailed, SyncPhase: "Sync"})
}

const (
	// steepest is how much more processor time four times the resources may take, and slack what a collection of garbage may add: every
	// machine has its own speed, but what is quadratic takes sixteen times as much.
	steepest, slack = 8, time.Second
	// largest is how many megabytes a diagnosis of so many resources may take.
	largest = 300
)

// TestManyResources: each way of failing is recognised at any size, and the resources are counted.
func TestManyResources(t *testing.T) {
	e := engine(t)
	for name, add := range manyFail {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			few, many := diagnosed(t, e, 30, add), diagnosed(t, e, 1000, add)
			if name == "healthy" {
				if few.Verdict != diagnose.VerdictHealthy || many.Verdict != diagnose.VerdictHealthy {
					t.Errorf("30 resources: %s; 1,000 resources: %s", few.Verdict, many.Verdict)
				}
				return
			}
			if len(few.Findings) == 0 || len(many.Findings) == 0 {
				t.Fatalf("nothing found: %s; %s", few.Headline, many.Headline)
			}
			a, b := few.Findings[0], many.Findings[0]
			if a.Rule != b.Rule || few.Sync.Verdict != many.Sync.Verdict {
				t.Errorf("30 resources: %s, %s; 1,000 resources: %s, %s", a.Rule, few.Sync.Verdict, b.Rule, many.Sync.Verdict)
			}
			if len(a.Others) > 0 && len(a.Others) != 29 {
				t.Errorf("%d others of 29", len(a.Others))
			}
			// Not all of them are compared or examined: then the report says of how many it speaks, or how many are left.
			said := b.Title + b.Why + strings.Join(many.Effects, " ")
			if n := len(b.Others); len(a.Others) > 0 && n != 999 && !strings.Contains(said, fmt.Sprint(n)) && !strings.Contains(said, fmt.Sprint(999-n)) {
				t.Errorf("%d others of 999, and not a word about it: %s", len(b.Others), b.Title)
			}
		})
	}
}

func diagnosed(tb testing.TB, e *diagnose.Engine, resources int, add func(*evidence.Case, string)) *diagnose.Report {
	tb.Helper()
	c := failingAtScale(0, resources, add)
	rep, err := e.Diagnose(tb.Context(), c.Source(), c.Now.Time)
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

// BenchmarkManyResources is the engine alone.
func BenchmarkManyResources(b *testing.B) {
	e := engine(b)
	for name, add := range manyFail {
		b.Run(name, func(b *testing.B) {
			c := failingAtScale(0, manyResources, add)
			b.ReportAllocs()
			before := processorTime(b)
			for b.Loop() {
				if _, err := e.Diagnose(b.Context(), c.Source(), c.Now.Time); err != nil {
					b.Fatal(err)
				}
			}
			each := (processorTime(b) - before) / time.Duration(b.N)
			// Their texts are new, as those of the others were once: a text that is known is not searched for secrets again.
			fewer := failingAtScale(manyResources, manyResources/4, add)
			before = processorTime(b)
			if _, err := e.Diagnose(b.Context(), fewer.Source(), fewer.Now.Time); err != nil {
				b.Fatal(err)
			}
			if quarter := processorTime(b) - before; each > steepest*quarter+slack {
				b.Errorf("took %s, and a quarter of the resources %s: that is more than in proportion", each, quarter)
			}
		})
	}
}

// BenchmarkWhyOfManyResources is `bot why` as a process, from a file and from Argo CD. It measures the processor time and the memory
// of the process.
func BenchmarkWhyOfManyResources(b *testing.B) {
	code := demotest.WithBot(func(bot string) int {
		for name, add := range manyFail {
			text, err := json.Marshal(failingAtScale(0, manyResources, add))
			if err != nil {
				b.Fatal(err)
			}
			file := filepath.Join(b.TempDir(), "case.json")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/from a file", func(b *testing.B) { measure(b, bot, "why", "-f", file) })
			s := argotest.NewServer(b, text)
			b.Run(name+"/from Argo CD", func(b *testing.B) {
				measure(b, bot, "why", "large", "--server", s.Address, "--plaintext", "--auth-token", argotest.Token)
			})
			s.Stop()
		}
		return 0
	})
	if code != 0 {
		b.Fatal("the bot cannot be built")
	}
}

// processorTime is what this process has used, whatever else the machine does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func measure(b *testing.B, command ...string) {
	b.Helper()
	var took time.Duration
	megabytes := 0
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), command[0], command[1:]...)
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		stop := make(chan struct{})
		most := make(chan int)
		go func() { most <- watchMemory(cmd.Process.Pid, stop) }()
		err := cmd.Wait()
		close(stop)
		megabytes = max(megabytes, <-most)
		if err != nil {
			b.Fatal(err)
		}
		took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	b.ReportMetric(took.Seconds(), "cpu-s")
	b.ReportMetric(float64(megabytes), "MB")
	if megabytes > largest {
		b.Errorf("took %d MB, want less than %d", megabytes, largest)
	}
}

// memoryPeak is the most memory that a process had at one time, in kilobytes. The usage that a process reports at its end begins with
// that of the one that started it.
var memoryPeak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watchMemory returns the most memory that a process had, in megabytes; 0 on a system that does not say.
func watchMemory(pid int, stop <-chan struct{}) (megabytes int) {
	for {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if m := memoryPeak.FindSubmatch(text); err == nil && m != nil {
			if kilobytes, err := strconv.Atoi(string(m[1])); err == nil {
				megabytes = kilobytes / 1024
			}
		}
		select {
		case <-stop:
			return megabytes
		case <-time.After(2 * time.Millisecond):
		}
	}
}
