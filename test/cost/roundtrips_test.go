package cost_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// roundTrip is the latency of each call.
const roundTrip = 50 * time.Millisecond

// maxRoundTrips is how many calls a diagnosis may wait for one after the other, whatever the failure.
const maxRoundTrips = 4

// deep are recordings of the groups that read the most, and how many round trips each takes: one more, and something is read
// one after the other that could be read at once.
var deep = map[string]int{
	"render/helm-template/lab-helm-nil.json":         1,
	"apply/immutable-field/lab-immutable-field.json": 3, // what Git's newer commit renders is read beside what differs; then whether the project still permits what is deleted
	"hook/job-failed/lab-presync-hook-failed.json":   4, // likewise
	"hook/stuck/lab-presync-hook-stuck.json":         3,
	"wave/blocked/lab-wave-stuck.json":               3,
	"health/crash-loop/own-01.json":                  4, // likewise
}

// TestRoundTrips counts them in a bubble of time, where nothing takes time but the calls, so that the moment at which the report
// comes tells how many calls were waited for one after the other. TestLiveIsLikeRecorded of internal/argo checks that each read
// of a source is one call at most.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	e := engine(t)
	for name, want := range deep {
		r := find(t, name)
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				rep := diagnoseWith(t, e, distant{r.c.Source()}, r)
				if got := int(time.Since(start) / roundTrip); got != want || got > maxRoundTrips {
					t.Errorf("%d round trips, want %d (and never more than %d)", got, want, maxRoundTrips)
				}
				for n, read := range rep.Examined { // in the order in which a case file lists them, where it is read last
					behind := rep.Examined[n+1:]
					if read.Fact == evidence.KindRendered && slices.ContainsFunc(behind, func(x diagnose.Examined) bool { return x.Fact != evidence.KindProject }) {
						t.Errorf("lists what Git's commits render before what the rules read: %v", rep.Examined) // the project is read for the steps
					}
				}
			})
		})
	}
}

// BenchmarkRoundTrips is the same over real gRPC with that latency, as a multiple of it.
func BenchmarkRoundTrips(b *testing.B) {
	e := engine(b)
	for name := range deep {
		r := find(b, name)
		b.Run(name, func(b *testing.B) {
			s := argotest.NewServer(b, r.text)
			client := connect(b, s)
			defer func() { _ = client.Close() }()
			app := func() *argo.App {
				return client.App(r.c.Application.Metadata.Name, r.c.Application.Metadata.Namespace, "")
			}
			if _, err := app().Subject(b.Context()); err != nil { // connected
				b.Fatal(err)
			}
			s.Delay("", roundTrip)
			for b.Loop() {
				diagnoseWith(b, e, app(), r)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(roundTrip), "round-trips/op")
		})
	}
}

// BenchmarkDiagnosis is a diagnosis over real gRPC without latency.
func BenchmarkDiagnosis(b *testing.B) {
	e := engine(b)
	r := find(b, "health/crash-loop/own-01.json")
	s := argotest.NewServer(b, r.text)
	client := connect(b, s)
	defer func() { _ = client.Close() }()
	var rep *diagnose.Report
	for b.Loop() {
		rep = diagnoseWith(b, e, client.App(r.c.Application.Metadata.Name, r.c.Application.Metadata.Namespace, ""), r)
	}
	if rep.Root() == nil {
		b.Error("no cause")
	}
}

// distant is a source each read of which takes a round trip.
type distant struct{ near evidence.Source }

func wait[T any](v T, err error) (T, error) {
	time.Sleep(roundTrip)
	return v, err
}

func (d distant) Subject(ctx context.Context) (evidence.Subject, error) {
	return wait(d.near.Subject(ctx))
}
func (d distant) Tree(ctx context.Context) (*evidence.Tree, error) { return wait(d.near.Tree(ctx)) }
func (d distant) ManagedResources(ctx context.Context) ([]evidence.ResourceDiff, error) {
	return wait(d.near.ManagedResources(ctx))
}
func (d distant) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	return wait(d.near.Object(ctx, q))
}
func (d distant) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	return wait(d.near.Events(ctx, q))
}
func (d distant) Log(ctx context.Context, q evidence.LogQuery) (evidence.Log, error) {
	return wait(d.near.Log(ctx, q))
}
func (d distant) SyncWindows(ctx context.Context) (*evidence.SyncWindows, error) {
	return wait(d.near.SyncWindows(ctx))
}
func (d distant) Project(ctx context.Context) (*evidence.Project, error) {
	return wait(d.near.Project(ctx))
}
func (d distant) Repositories(ctx context.Context) ([]evidence.Repository, error) {
	return wait(d.near.Repositories(ctx))
}
func (d distant) Child(ctx context.Context, r evidence.Ref) (*evidence.Application, error) {
	return wait(d.near.Child(ctx, r))
}

func (d distant) Rendered(ctx context.Context, revision string) (string, error) {
	return wait(d.near.Rendered(ctx, revision))
}

// All and Autoscalers cost Argo CD nothing: it does not know them, and the cluster is asked.
func (d distant) All(context.Context, evidence.Outside) ([]evidence.Object, error) {
	return nil, evidence.ErrAbsent
}

func (d distant) Autoscalers(context.Context, string) ([]evidence.Object, error) {
	return nil, evidence.ErrAbsent
}
