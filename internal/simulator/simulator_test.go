package simulator_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/argo-why/argo-why/internal/simulator"
)

const token = "good"

// Recorded cases, and the names of their applications.
const (
	hookFailed = "hook/job-failed/lab-presync-hook-failed" // courier-api
	waveStuck  = "wave/blocked/lab-wave-stuck-9m"          // meter-reader
	noRender   = "render/helm-template/lab-helm-nil"       // tariff-api-two
	scaled     = "drift/manual-edit/lab-scale-drift"       // rating-api-two
	imagePull  = "health/image-pull/lab-pod-waiting-imagepull"
	pruning    = "drift/pending-prune/lab-pending-prune"     // harbor-view-eu
	immutable  = "apply/immutable-field/lab-immutable-field" // checkout
	window     = "operation/sync-window/lab-sync-window"     // inventory
	well       = "control/healthy/lab-healthy"               // orders-worker-eu
)

func recorded(tb testing.TB, name string, replacements ...string) []byte {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("../diagnose/rules/testdata/cases", name+".json"))
	if err != nil {
		tb.Fatal(err)
	}
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(string(text), replacements[i]) {
			tb.Fatalf("the case %s does not hold %q", name, replacements[i])
		}
	}
	return []byte(strings.NewReplacer(replacements...).Replace(string(text)))
}

// world is a simulated Argo CD and a client of it.
type world struct {
	tb testing.TB
	*simulator.Server
	apps applicationpkg.ApplicationServiceClient
}

func start(tb testing.TB, cases ...[]byte) *world {
	tb.Helper()
	s, err := simulator.New(simulator.Options{Token: token})
	if err != nil {
		tb.Fatal(err)
	}
	w := connect(tb, s)
	for _, text := range cases {
		w.must(s.Put(text))
	}
	return w
}

func connect(tb testing.TB, s *simulator.Server) *world {
	tb.Helper()
	w := &world{tb: tb, Server: s}
	tb.Cleanup(func() { w.must(s.Close()) })
	conn, err := grpc.NewClient("passthrough:///"+s.Address(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithPerRPCCredentials(bearer(token)), grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(apiclient.MaxGRPCMessageSize)))
	w.must(err)
	tb.Cleanup(func() { w.must(conn.Close()) })
	w.apps = applicationpkg.NewApplicationServiceClient(conn)
	return w
}

type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{apiclient.MetaDataTokenKey: string(b)}, nil
}

func (bearer) RequireTransportSecurity() bool { return false }

func (w *world) must(err error) {
	w.tb.Helper()
	if err != nil {
		w.tb.Fatal(err)
	}
}

func own(name string) simulator.Name { return simulator.Name{Namespace: "argocd", Name: name} }

func (w *world) get(app string) *v1alpha1.Application {
	w.tb.Helper()
	got, err := w.apps.Get(w.tb.Context(), &applicationpkg.ApplicationQuery{Name: &app})
	w.must(err)
	return got
}

func (w *world) refresh(app, kind string) *v1alpha1.Application {
	w.tb.Helper()
	got, err := w.apps.Get(w.tb.Context(), &applicationpkg.ApplicationQuery{Name: &app, Refresh: &kind})
	w.must(err)
	return got
}

// sync asks for one, and returns the application afterwards.
func (w *world) sync(app string, edit ...func(*applicationpkg.ApplicationSyncRequest)) *v1alpha1.Application {
	w.tb.Helper()
	q := &applicationpkg.ApplicationSyncRequest{Name: &app}
	for _, e := range edit {
		e(q)
	}
	_, err := w.apps.Sync(w.tb.Context(), q)
	w.must(err)
	return w.get(app)
}

func (w *world) tree(app string) *v1alpha1.ApplicationTree {
	w.tb.Helper()
	got, err := w.apps.ResourceTree(w.tb.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &app})
	w.must(err)
	return got
}

// has reports whether an object is in the tree.
func (w *world) has(app, kind, name string) bool {
	w.tb.Helper()
	for _, n := range w.tree(app).Nodes {
		if n.Kind == kind && n.Name == name {
			return true
		}
	}
	return false
}

// deleteJob deletes the Job of the hook that failed.
func (w *world) deleteJob(app string) {
	w.tb.Helper()
	kind, group, version, namespace, name := "Job", "batch", "v1", "team-courier-api", "migrate"
	_, err := w.apps.DeleteResource(w.tb.Context(), &applicationpkg.ApplicationResourceDeleteRequest{
		Name: &app, Namespace: &namespace, ResourceName: &name, Kind: &kind, Group: &group, Version: &version,
	})
	w.must(err)
}

// stands is an application in three words: "OutOfSync Healthy Failed".
func stands(app *v1alpha1.Application) string {
	phase := "-"
	if o := app.Status.OperationState; o != nil {
		phase = string(o.Phase)
	}
	return string(app.Status.Sync.Status) + " " + string(app.Status.Health.Status) + " " + phase
}

func (w *world) want(app *v1alpha1.Application, want string) {
	w.tb.Helper()
	if got := stands(app); got != want {
		w.tb.Errorf("%s is %s, want %s", app.Name, got, want)
	}
}
