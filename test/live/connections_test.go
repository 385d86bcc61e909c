//go:build live

package live_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
)

// TestAConnectionThatFailsIsSeen: what Argo CD really says of a repository and a cluster that cannot be reached has the cause that an application
// fails of, so that they share a thread.
func TestAConnectionThatFailsIsSeen(t *testing.T) {
	const cluster = "https://127.0.0.1:1"
	l := newLab(t)
	repository := "http://127.0.0.1:9/" + l.name + ".git"
	secret := func(name, kind string, data map[string]any) {
		l.create(secrets, "argocd", map[string]any{
			"apiVersion": "v1", "kind": "Secret", "stringData": data,
			"metadata": map[string]any{"name": name, "namespace": "argocd", "labels": map[string]any{"argocd.argoproj.io/secret-type": kind}},
		})
	}
	secret(l.name+"-repository", "repository", map[string]any{"type": "git", "url": repository})
	secret(l.name+"-cluster", "cluster", map[string]any{"name": l.name, "server": cluster, "config": `{"bearerToken": "none", "tlsClientConfig": {"insecure": true}}`})
	app := l.application()
	app["metadata"] = map[string]any{"name": l.name + "-connected", "namespace": "argocd"}
	app["spec"] = map[string]any{
		"project": "default", "destination": map[string]any{"server": cluster, "namespace": l.name},
		"source": map[string]any{"repoURL": repository, "path": ".", "targetRevision": "main"},
	}
	l.create(apps, "argocd", app)

	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	c, err := gateway.Connect(t.Context(), gateway.Options{Argo: argo.Options{PlainText: os.Getenv("LIVE_TLS") == ""}})
	if err != nil {
		t.Fatal(err)
	}
	in := gateway.NewInstance(gateway.InstanceOptions{Name: "prod", Connection: c, Engine: engine, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	followed := make(chan error, 1)
	go func() { followed <- in.Follow(ctx, func() {}, func(gateway.Change) {}) }()
	t.Cleanup(func() {
		stop()
		if err := <-followed; ctx.Err() == nil {
			t.Error(err)
		}
		_ = c.Close()
	})

	causes := map[evidence.ConnectionKind]incident.Cause{}
	l.eventually("Argo CD says that it cannot connect", func() bool {
		all, _, err := in.Connections(t.Context())
		if err != nil {
			t.Log(err)
		}
		for _, one := range all {
			if one.Report == nil || one.Address != repository && one.Address != cluster {
				continue
			}
			if causes[one.Kind].Rule == "" {
				t.Logf("%s, tested %s: %s", one.Report.Headline, one.Tested.Format(time.RFC3339), one.Message)
			}
			causes[one.Kind] = incident.CauseOf(one.Report)
			if len(one.Dependents) != 1 || one.Dependents[0].Name != l.name+"-connected" || one.Tested.IsZero() {
				t.Errorf("%s: %v depend on it, tested %s", one.Address, one.Dependents, one.Tested)
			}
		}
		return len(causes) == 2
	})
	if got := causes[evidence.ConnectionToRepository]; got.Rule != "render/git-unreachable" || got.Subject != "Git host 127.0.0.1:9" {
		t.Errorf("the repository: %+v", got)
	}
	if got := causes[evidence.ConnectionToCluster]; got.Rule != "compare/cluster-unreachable" || !strings.HasPrefix(got.Subject, "cluster "+cluster) {
		t.Errorf("the cluster: %+v", got)
	}
	l.eventually("the application fails of the cause that the connection has", func() bool {
		report, err := in.Read(t.Context(), diagnose.AppName{Instance: "prod", Namespace: "argocd", Name: l.name + "-connected"}, audience.All())
		if err != nil || report.Root() == nil {
			return false
		}
		return incident.CauseOf(report).Group == causes[evidence.ConnectionToRepository].Group || incident.CauseOf(report).Group == causes[evidence.ConnectionToCluster].Group
	})
}
