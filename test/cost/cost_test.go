// Package cost_test counts what a diagnosis costs a live Argo CD: how many calls, over real gRPC to a simulated Argo CD that
// replays the recorded failures, and how many of them in sequence. `make bench` measures how long things take.
package cost_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

const recordings = "../../internal/diagnose/rules/testdata/cases"

// most is how many calls a diagnosis of each group may cost: a cause that stands in the Application costs its reading.
// Some refusals of apply do not stand there: the API server refuses the pods, not the resource. See podsRefused.
var most = map[string]int{"render": 1, "spec": 1, "compare": 1, "apply": 1, "hook": 4, "wave": 5, "drift": 3, "health": 5}

// podsRefused is the cost of a refusal that stands in the events of a ReplicaSet or Job: the application, the tree, and
// the events of up to three controllers in parallel.
const podsRefused = 5

type recording struct {
	name string
	text []byte
	c    *evidence.Case
}

// load reads all recordings, once for all tests; they only read them.
func load(tb testing.TB) []recording {
	tb.Helper()
	all, err := loadOnce()
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

var loadOnce = sync.OnceValues(func() ([]recording, error) {
	var out []recording
	err := filepath.WalkDir(recordings, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		cases, err := evidence.DecodeCases(text, time.Time{})
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(recordings, path)
		out = append(out, recording{name, text, cases[0]})
		return nil
	})
	return out, err
})

func engine(tb testing.TB) *diagnose.Engine {
	tb.Helper()
	e, err := diagnose.New(rules.All())
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// live diagnoses a recording through gRPC, as a watch does.
func live(tb testing.TB, e *diagnose.Engine, s *argotest.Server, r recording) *diagnose.Report {
	tb.Helper()
	client := connect(tb, s)
	defer func() { _ = client.Close() }()
	return diagnoseWith(tb, e, client.App(r.c.Application.Metadata.Name, r.c.Application.Metadata.Namespace, ""), r)
}

func connect(tb testing.TB, s *argotest.Server) *argo.Client {
	tb.Helper()
	client, err := argo.Connect(tb.Context(), argo.Options{Server: s.Address, AuthToken: argotest.Token, PlainText: true})
	if err != nil {
		tb.Fatal(err)
	}
	return client
}

// asked diagnoses a recording through gRPC for a person.
func asked(tb testing.TB, e *diagnose.Engine, s *argotest.Server, r recording) *diagnose.Report {
	tb.Helper()
	client := connect(tb, s)
	defer func() { _ = client.Close() }()
	app := client.App(r.c.Application.Metadata.Name, r.c.Application.Metadata.Namespace, "")
	rep, err := e.Examine(tb.Context(), evidence.WithCluster(app, sharedOf{scalersOf{r.c.Source()}}, app.Application), r.c.Now.Time)
	if err != nil {
		tb.Fatalf("%s: %v", r.name, err)
	}
	return rep
}

func diagnoseWith(tb testing.TB, e *diagnose.Engine, argoCD evidence.Source, r recording) *diagnose.Report {
	tb.Helper()
	rep, err := e.Diagnose(tb.Context(), evidence.WithCluster(argoCD, scalersOf{r.c.Source()}, func() *evidence.Application { return r.c.Application }), r.c.Now.Time)
	if err != nil {
		tb.Fatalf("%s: %v", r.name, err)
	}
	return rep
}

// scalersOf is the cluster of a recording: it knows the recorded autoscalers, and nothing that Argo CD should be asked for.
type scalersOf struct{ recorded evidence.Source }

func (scalersOf) Object(context.Context, evidence.ObjectQuery) (evidence.Object, error) {
	return nil, evidence.ErrAbsent
}

func (scalersOf) Events(context.Context, evidence.ObjectQuery) ([]evidence.Event, error) {
	return nil, evidence.ErrAbsent
}

func (c scalersOf) Autoscalers(ctx context.Context, namespace string) ([]evidence.Object, error) {
	return c.recorded.Autoscalers(ctx, namespace)
}

func (c scalersOf) All(ctx context.Context, kind evidence.Outside) ([]evidence.Object, error) {
	return c.recorded.All(ctx, kind)
}

// sharedOf knows what belongs to the whole cluster as well: of what is outside of the application, Argo CD says nothing.
type sharedOf struct{ scalersOf }

func (c sharedOf) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	if q.Namespace != "" {
		return nil, evidence.ErrAbsent
	}
	return c.recorded.Object(ctx, q)
}

func (c sharedOf) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	if q.Namespace != "" {
		return nil, evidence.ErrAbsent
	}
	return c.recorded.Events(ctx, q)
}

// unreadable reports whether a fact was asked for in vain.
func unreadable(rep *diagnose.Report, kind evidence.Kind) bool {
	return slices.ContainsFunc(rep.Examined, func(x diagnose.Examined) bool { return x.Fact == kind && x.Error != "" })
}

// guarded reports whether a step changes something, or would if the project let it.
func guarded(rep *diagnose.Report) bool {
	return slices.ContainsFunc(rep.Findings, func(f diagnose.Finding) bool {
		return slices.ContainsFunc(f.Fix, func(fix diagnose.Fix) bool {
			return len(change.Of(fix.Command)) > 0 || strings.Contains(fix.Text, "(the command only looks: ") || strings.Contains(fix.Text, "(no command is printed: ")
		})
	})
}

func sum(calls map[string]int) int {
	n := 0
	for _, c := range calls {
		n += c
	}
	return n
}

func TestCallsPerDiagnosis(t *testing.T) {
	t.Parallel()
	e := engine(t)
	worst, diagnoses := map[string]int{}, map[string]int{}
	for _, r := range load(t) {
		if r.c.APIError != "" { // a refused request leaves no trace in the application: nothing to serve
			continue
		}
		s := argotest.NewServer(t, r.text)
		rep := live(t, e, s, r)
		root := rep.Root()
		if root == nil {
			continue
		}
		group, _, _ := strings.Cut(root.Rule, "/")
		limit, counted := most[group]
		if !counted {
			continue
		}
		n := sum(s.Calls())
		if strings.Contains(root.Evidence[0].From, "FailedCreate") {
			limit = podsRefused
		}
		st := r.c.Application.Status
		if (group == "drift" || group == "health") && st.Sync.Status == "OutOfSync" && st.Health.Status != "Healthy" {
			limit = most["drift"] + most["health"] - 1 // two troubles; the application is read once
		}
		if root.Rule == "apply/shared-resource" && r.c.Application.Status.Sync.Status == "OutOfSync" {
			limit = 3 // what differs may have another cause
		} else if root.Rule == "apply/shared-resource" { // a warning, not a failure: that nothing worse is wrong has to be read
			limit = 2
		}
		if root.Rule == "apply/immutable-field" || root.Rule == "spec/resource-not-permitted" || root.Rule == "spec/not-permitted" {
			limit++ // which field differs, which list of the project has the kind, which entry the destination
		}
		if s.Calls()["ManagedResources"] == 1 && (root.Rule == "apply/admission-denied" || root.Rule == "apply/schema-invalid" || root.Rule == "compare/diff-failed") {
			limit++ // which value Git has, and whether the application's own CRD is late
		}
		if root.Kind == diagnose.KindRepaired {
			limit = 3 // what a sync would change, and whether a window forbids it
		}
		if root.Unattended != "" {
			limit = 4 // what else is wrong with the application, as Argo CD last saw it
		}
		compared := 0 // whether a newer commit changes anything of the application
		for _, x := range rep.Examined {
			if x.Fact == evidence.KindRendered {
				compared += x.Calls
			}
		}
		if compared != 0 && compared != 2 {
			t.Errorf("%s: %d calls to compare two commits, want none or 2", r.name, compared)
		}
		limit += compared
		if guarded(rep) && s.Calls()["project.Get"] == 1 {
			limit++ // whether the project lets the application have what a printed command changes
			if most[group] == 1 && s.Calls()["ResourceTree"] == 1 && unreadable(rep, evidence.KindProject) {
				limit++ // and where the project cannot be read, whether it has it
			}
		}
		if root.Rule == "render/chart-repository-auth" && s.Calls()["project.Get"] == 1 && s.Calls()["repository.ListRepositories"] == 1 {
			limit++ // whether an entry that the project does not let the application use is another's
		}
		if root.Rule == "health/volume-pending" && slices.ContainsFunc(rep.Examined, func(x diagnose.Examined) bool { return x.Fact == evidence.KindAll }) {
			limit++ // the claim, to be compared with the volumes
		}
		if root.Rule == "apply/immutable-field" && root.Resource.Group != "apps" && s.Calls()["ResourceTree"] == 1 {
			limit++ // whether an object of a kind that others define is the application's
		}
		shown := 0
		if s.Calls()["project.Get"] == 1 && !slices.ContainsFunc(rep.Examined, func(x diagnose.Examined) bool { return x.Fact == evidence.KindProject }) {
			shown++ // whether the cluster may be asked about a namespace that Argo CD has nothing of
			limit++
		}
		for _, x := range rep.Examined {
			if x.Fact != evidence.KindAutoscalers && x.Fact != evidence.KindAll { // of the cluster, not of Argo CD
				shown += x.Calls
			}
		}
		if n > limit {
			t.Errorf("%s: %d calls, want at most %d: %v", r.name, n, limit, s.Calls())
		}
		if shown != n {
			t.Errorf("%s: the report says %d calls, the server counted %d", r.name, shown, n)
		}
		if limit == 1 && n != 1 {
			t.Errorf("%s: %d calls, want exactly 1", r.name, n)
		}
		diagnoses[group]++
		worst[group] = max(worst[group], n)
	}
	for group, least := range map[string]int{"render": 80, "apply": 100, "hook": 30, "wave": 5, "drift": 150, "health": 90} {
		if diagnoses[group] < least {
			t.Errorf("%d diagnoses of group %s, want at least %d: recordings are missing", diagnoses[group], group, least)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(diagnoses)) {
		t.Logf("%-8s %3d diagnoses, at most %d calls", group, diagnoses[group], worst[group])
	}
}

// TestSameAnswerLiveAndOffline: a recording gives the same report whether it is replayed or served by Argo CD.
func TestSameAnswerLiveAndOffline(t *testing.T) {
	t.Parallel()
	e := engine(t)
	same := 0
	for _, r := range load(t) {
		if r.c.APIError != "" || r.c.Application == nil || has3x(r.c.Application) || hasMore(r.c) {
			continue
		}
		offline, err := e.Diagnose(t.Context(), r.c.Source(), r.c.Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		online := asked(t, e, argotest.NewServer(t, r.text), r) // evidence in memory costs nothing, so a file is always looked at closely
		if offline.Headline != online.Headline || offline.Sync.Verdict != online.Sync.Verdict || rule(offline) != rule(online) {
			t.Errorf("%s:\noffline %s, %s, sync %s\nonline  %s, %s, sync %s", r.name, rule(offline), offline.Headline, offline.Sync.Verdict, rule(online), online.Headline, online.Sync.Verdict)
			continue
		}
		same++
	}
	t.Logf("%d recordings gave the same answer", same)
}

// TestAPersonIsWorthMoreCalls: what Argo CD calls healthy costs a watch the reading of the application, and no more; for a person
// who asks, what Argo CD does not look at is read as well, up to a limit and at once.
func TestAPersonIsWorthMoreCalls(t *testing.T) {
	t.Parallel()
	const limit = 1 + 12 + 4 // the application, twelve objects, and of a failed run its tree, pod, events and log
	e := engine(t)
	healthy, found := 0, 0
	for _, r := range load(t) {
		if r.c.Application == nil || r.c.APIError != "" || has3x(r.c.Application) {
			continue
		}
		st := r.c.Application.Status
		if st.Health.Status != "Healthy" || st.Sync.Status != "Synced" || len(st.Conditions) > 0 || r.c.Application.CurrentOperation() != nil || r.c.Application.Operation != nil || !r.c.Application.Metadata.DeletionTimestamp.IsZero() {
			continue
		}
		watched, askedFor := argotest.NewServer(t, r.text), argotest.NewServer(t, r.text)
		live(t, e, watched, r)
		if n := sum(watched.Calls()); n != 1 {
			t.Errorf("%s: %d calls of a watch, want 1: %v", r.name, n, watched.Calls())
		}
		rep := asked(t, e, askedFor, r)
		if n := sum(askedFor.Calls()); n > limit {
			t.Errorf("%s: %d calls for a person, want at most %d: %v", r.name, n, limit, askedFor.Calls())
		}
		healthy++
		if rep.Verdict != diagnose.VerdictHealthy {
			found++
		}
	}
	if healthy < 30 || found < 10 {
		t.Errorf("%d applications that Argo CD calls healthy, something found in %d: recordings are missing", healthy, found)
	}
}

// has3x reports whether an application has a field of Argo CD 3.x that the types of this server drop.
func has3x(app *evidence.Application) bool {
	p := app.Spec.SyncPolicy
	return p != nil && p.Automated != nil && p.Automated.Enabled != nil
}

// rule is the first finding's. A note about a healthy application rests on evidence that is free offline and not worth a
// call online.
func rule(r *diagnose.Report) string {
	if len(r.Findings) == 0 || r.Verdict == diagnose.VerdictHealthy {
		return string(r.Verdict)
	}
	return r.Findings[0].Rule
}

// TestAnApplicationOfNoProjectChangesNothing: Argo CD says that there is no project of the name that the application gives.
func TestAnApplicationOfNoProjectChangesNothing(t *testing.T) {
	t.Parallel()
	e := engine(t)
	for _, said := range []error{status.Error(codes.NotFound, "appprojects.argoproj.io \"x\" not found"), status.Error(codes.Unknown, "invalid resource name \"x/y\": [may not contain '/']")} {
		r := find(t, "apply/immutable-field/a002.json")
		s := argotest.NewServer(t, r.text)
		before := live(t, e, s, r)
		s.Fail("project.Get", said)
		after := live(t, e, s, r)
		deletes := func(rep *diagnose.Report) bool {
			return slices.ContainsFunc(rep.Root().Fix, func(f diagnose.Fix) bool { return strings.Contains(f.Command, " delete ") })
		}
		if !deletes(before) || deletes(after) {
			t.Errorf("%v: a step deletes: %t before and %t after, want true and false", said, deletes(before), deletes(after))
		}
	}
}

// TestHalfOfTheFactsRefused: what may not be read is named, and is never taken for health.
func TestHalfOfTheFactsRefused(t *testing.T) {
	t.Parallel()
	e := engine(t)
	r := find(t, "hook/job-failed/lab-presync-hook-failed.json")
	s := argotest.NewServer(t, r.text)
	for _, method := range []string{"ResourceTree", "PodLogs", "GetResource"} {
		s.Fail(method, errDenied)
	}
	rep := live(t, e, s, r)
	if rep.Verdict == diagnose.VerdictHealthy {
		t.Error("healthy, for lack of evidence")
	}
	named := false
	for _, x := range rep.Examined {
		named = named || strings.Contains(x.Error, "no permission")
	}
	if !named {
		t.Errorf("the report does not say what could not be read: %+v", rep.Examined)
	}
	if f := rep.Root(); f == nil || f.Rule != "hook/job-failed" || f.Confidence == diagnose.Certain {
		t.Errorf("got %+v, want a failed hook whose log is not known", f)
	}
}

// TestAPodThatMayNotBeRead: the tree alone tells that it crashes, and that is said with less certainty.
func TestAPodThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	e := engine(t)
	r := find(t, "health/crash-loop/own-01.json")
	s := argotest.NewServer(t, r.text)
	for _, method := range []string{"PodLogs", "GetResource", "ListResourceEvents"} {
		s.Fail(method, errDenied)
	}
	rep := live(t, e, s, r)
	if f := rep.Root(); f == nil || f.Rule != "health/crash-loop" || f.Confidence == diagnose.Certain {
		t.Errorf("got %+v, want a crash whose reason is not known", f)
	}
}

func find(tb testing.TB, name string) recording {
	tb.Helper()
	for _, r := range load(tb) {
		if filepath.ToSlash(r.name) == name {
			return r
		}
	}
	tb.Fatalf("no recording %s", name)
	return recording{}
}

var errDenied = status.Error(codes.PermissionDenied, "permission denied: applications, get, default/web")

// hasMore: a person may put into a file what Argo CD gives nobody: nodes, the logs of its own parts, and digests of what it rendered.
func hasMore(c *evidence.Case) bool {
	return len(c.Rendered) > 0 || slices.ContainsFunc(c.Logs, func(l evidence.Log) bool { return strings.Contains(l.Pod, "repo-server") }) ||
		slices.ContainsFunc(c.Resources, func(o evidence.Object) bool { return o.Text("kind") == "Node" })
}
