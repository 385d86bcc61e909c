package simulator_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/simulator"
)

const fleet = 10_000

func fleetNames() []simulator.Name {
	names := make([]simulator.Name, fleet)
	for i := range names {
		names[i] = simulator.Name{Namespace: "argocd", Name: fmt.Sprintf("shop-%05d", i)}
	}
	return names
}

// heap is what is in use after what is not was collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what a finalizer held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// putFleet makes 10,000 applications of one case, and returns what one of them takes.
func putFleet(w *world) (bytesEach float64) {
	text, names := recorded(w.tb, hookFailed), fleetNames()
	w.must(w.Put(text)) // the case itself, as everything that is loaded once
	before := heap()
	w.must(w.Put(text, names...))
	return (float64(heap()) - float64(before)) / fleet
}

// TestTenThousandApplications share what they have in common: a copy of this case each would take hundreds of megabytes. Not
// parallel: the other tests would use memory, too.
func TestTenThousandApplications(t *testing.T) {
	w := start(t)
	if each := putFleet(w); each > 2048 {
		t.Errorf("each takes %.0f bytes, want at most 2,048", each)
	}
	all, err := w.apps.List(t.Context(), &applicationpkg.ApplicationQuery{})
	w.must(err)
	if n := len(all.Items); n != fleet+1 { // courier-api itself comes first
		t.Fatalf("%d applications", n)
	}
	if one, other := all.Items[1], all.Items[fleet]; one.Name != "shop-00000" || other.Name != "shop-09999" || one.UID == other.UID {
		t.Errorf("%s (%s) and %s (%s)", one.Name, one.UID, other.Name, other.UID)
	}
}

func BenchmarkTenThousandApplications(b *testing.B) {
	var each float64
	for range b.N {
		w := start(b)
		each = putFleet(w)
		list, err := w.apps.List(b.Context(), &applicationpkg.ApplicationQuery{})
		if err != nil || len(list.Items) != fleet+1 {
			b.Fatalf("listed %d applications: %v", len(list.Items), err)
		}
		w.must(w.Close())
	}
	b.ReportMetric(each, "bytes/application")
	b.ReportMetric(each*fleet/(1<<20), "MB/fleet")
}

// TestOneOfManyIsChangedAlone: what they share stays as it was.
func TestOneOfManyIsChangedAlone(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.must(w.Put(recorded(t, hookFailed), own("shop-a"), own("shop-b"), simulator.Name{Namespace: "team", Name: "shop-a"}))
	w.deleteJob("shop-a")
	w.must(w.Push(own("shop-a"), simulator.Commit{Revision: fixed}))
	w.want(w.sync("shop-a"), "Synced Healthy Succeeded")
	w.want(w.get("shop-b"), "OutOfSync Healthy Failed")
	if !w.has("shop-b", "Job", "migrate") || w.has("shop-a", "Job", "migrate") {
		t.Error("the Job was deleted in the wrong application")
	}
	team, name := "team", "shop-a"
	other, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &name, AppNamespace: &team})
	w.must(err)
	w.want(other, "OutOfSync Healthy Failed")
	w.must(w.Remove(own("shop-a")))
	if names := w.Names(); len(names) != 2 || names[1].String() != "team/shop-a" {
		t.Errorf("left: %v", names)
	}
	if w.Remove(own("shop-a")) == nil || w.Push(own("shop-a"), simulator.Commit{Revision: fixed}) == nil {
		t.Error("it was removed twice, or pushed to afterwards")
	}
}

// TestWhoseAnObjectIs: the marks by which Argo CD tracks objects name the application that is asked for.
func TestWhoseAnObjectIs(t *testing.T) {
	t.Parallel()
	app := "shop-a"
	w := start(t)
	w.must(w.Put(recorded(t, immutable), own(app)))
	managed, err := w.apps.ManagedResources(t.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &app})
	w.must(err)
	marked := 0
	for _, r := range managed.Items {
		if strings.Contains(r.TargetState, `"app.kubernetes.io/instance":"checkout"`) {
			t.Errorf("%s %s is tracked by the application of the case: %s", r.Kind, r.Name, r.TargetState)
		}
		marked += strings.Count(r.TargetState, `"app.kubernetes.io/instance":"shop-a"`)
	}
	if marked == 0 {
		t.Error("no object is tracked by the application")
	}
	events, err := w.apps.ListResourceEvents(t.Context(), &applicationpkg.ApplicationResourceEventsQuery{Name: &app})
	w.must(err)
	if len(events.Items) == 0 {
		t.Error("the events of the application are lost under its other name")
	}
}

// TestACaseAsIfRecordedNow: what is as old as the recording is not old in the demo.
func TestACaseAsIfRecordedNow(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := simulator.New(simulator.Options{Token: token, Recent: true, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	w.must(s.Put(recorded(t, hookFailed)))
	app := w.get("courier-api")
	if age := now.Sub(app.Status.OperationState.FinishedAt.Time); age < 30*time.Second || age > 2*time.Minute {
		t.Errorf("the operation ended %s ago", age)
	}
	w.deleteJob("courier-api")
	if at := w.sync("courier-api").Status.OperationState.FinishedAt.Time; !at.Equal(now) {
		t.Errorf("it ended again at %s", at)
	}
}

func TestWhatItCannotTakeIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, text := range map[string]string{"no JSON": "{", "no application": "{}"} {
		if w.Put([]byte(text)) == nil {
			t.Errorf("%s: taken in", name)
		}
	}
	if _, err := simulator.New(simulator.Options{}); err == nil {
		t.Error("started without a token")
	}
	if _, err := simulator.New(simulator.Options{Token: token, Address: w.Address()}); err == nil {
		t.Error("two servers at one address")
	}
	missing := "nope"
	if _, err := w.apps.Get(t.Context(), &applicationpkg.ApplicationQuery{Name: &missing}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("an application that is not there: %v", err)
	}
}

// TestComparedAgain: of many that share a case, only the time changes, and they still share the rest.
func TestComparedAgain(t *testing.T) {
	w := start(t)
	if each := putFleet(w); each > 2048 {
		t.Fatalf("each takes %.0f bytes", each)
	}
	before := heap()
	w.must(w.Compared(fleetNames()...))
	if each := (float64(heap()) - float64(before)) / fleet; each > 64 {
		t.Errorf("compared again, each takes %.0f bytes more", each)
	}
	one := w.get("shop-00007")
	if at := one.Status.ReconciledAt; at == nil || time.Since(at.Time) > time.Hour {
		t.Errorf("compared at %v", at)
	}
	if state := stands(one); state != "OutOfSync Healthy Failed" {
		t.Errorf("it is %s now", state)
	}
}
