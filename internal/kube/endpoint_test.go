package kube_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
)

// remote is a server's address as others know it; the proxy of the context leads to the test's own.
const remote = "http://prod.example.com:8080"

func TestWhichClusterIsAsked(t *testing.T) {
	s := newAPIServer(t)
	other := newAPIServer(t)
	other.paths["/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web"] = named("argoproj.io/v1alpha1", "Application", "argocd", "web", "another")
	foreign := newAPIServer(t)
	delete(foreign.paths, "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web")
	shy := newAPIServer(t)
	shy.refused["/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web"] = true
	contexts := map[string]kubeContext{
		"a-lab": {server: s.url}, "prod": {server: "HTTP://Prod.example.com:8080/", proxy: s.url},
		"other": {server: other.url}, "foreign": {server: foreign.url}, "shy": {server: shy.url},
	}
	own := evidence.Destination{Server: "https://kubernetes.default.svc"}
	for name, x := range map[string]struct {
		to      evidence.Destination
		context string
		noUID   bool
		problem kube.Problem
		err     string // after "read autoscalers in namespace shop: "; none: the cluster is asked
	}{
		"Argo CD's own, the current context": {to: own},
		"the same, written in another way":   {to: evidence.Destination{Server: "https://Kubernetes.default.svc:443/"}},
		"the same, by name":                  {to: evidence.Destination{Name: "in-cluster"}},
		"another cluster, by its address":    {to: evidence.Destination{Server: remote}},
		"the same, by a context that is its": {to: evidence.Destination{Server: remote}, context: "prod"},
		"the same, by a context that is not": {to: evidence.Destination{Server: remote}, context: "a-lab", problem: kube.OtherCluster, err: "context a-lab leads to " + s.url + ", but the application is on " + remote},
		"a cluster that no context leads to": {to: evidence.Destination{Server: "https://eu.example.com"}, problem: kube.NoAccess, err: "no kubeconfig context leads to https://eu.example.com; use --kubeconfig FILE"},
		"a cluster without an address":       {to: evidence.Destination{Name: "prod"}, problem: kube.NoAccess, err: `the application names its cluster "prod" without an address, so no context can be matched to it`},
		"an address that is relative":        {to: evidence.Destination{Server: s.url}, problem: kube.NoAccess, err: s.url + " is an address on Argo CD's own machine, which this program cannot reach"},
		"no cluster at all":                  {problem: kube.NoAccess, err: "the application names no cluster (spec.destination)"},
		"an Application of the same name":    {to: own, context: "other", problem: kube.OtherCluster, err: "context other is another cluster (its Application argocd/web is another one); use --kube-context NAME"},
		"no such Application":                {to: own, context: "foreign", problem: kube.OtherCluster, err: "context foreign is another cluster (it has no Application argocd/web); use --kube-context NAME"},
		"an Application that cannot be read": {to: own, context: "shy", problem: kube.Forbidden, err: "dana cannot list web.g in namespace shop, which is needed to identify the cluster of context shy; grant it with argo-why generate kubernetes-rbac"},
		"no UID to compare":                  {to: own, noUID: true, problem: kube.NoAccess, err: "Argo CD did not return the UID of the application, which identifies its own cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			app := web()
			app.Spec.Destination = x.to
			if x.noUID {
				app.Metadata.UID = ""
			}
			cluster := clusterOf(app, kube.Options{Kubeconfig: kubeconfig(t, contexts), Context: x.context})
			_, err := cluster.Autoscalers(t.Context(), "shop")
			if x.err == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *kube.Error
			if err == nil || err.Error() != "read autoscalers in namespace shop: "+x.err || !errors.Is(err, evidence.ErrAbsent) || !errors.As(err, &e) || e.Problem != x.problem {
				t.Errorf("got  %v\nwant %s: %s", err, x.problem, x.err)
			}
		})
	}
	for _, s := range []*apiServer{other, foreign, shy} {
		for _, path := range s.calls() {
			if !strings.Contains(path, "argoproj.io") {
				t.Errorf("%s was asked of a cluster that is not the application's", path)
			}
		}
	}
}

func TestWithoutAKubeconfigNothingIsWrong(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	clusters := kube.Open(kube.Options{})
	if err := clusters.Check(); err != nil {
		t.Error(err)
	}
	_, err := clusters.App(web).Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Name: "settings"}})
	if err == nil || err.Error() != "read ConfigMap/settings: there is no kubeconfig; use --kubeconfig FILE" || !errors.Is(err, evidence.ErrAbsent) {
		t.Error(err)
	}
	_, err = clusters.App(func() *evidence.Application { return nil }).Autoscalers(t.Context(), "shop")
	if err == nil || !strings.Contains(err.Error(), "the application, which names its cluster, was not read") {
		t.Error(err)
	}
}

func TestWhatSomebodyNamedMustBeThere(t *testing.T) {
	t.Setenv("KUBECONFIG", "")
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := kubeconfig(t, map[string]kubeContext{"dev": {server: remote}, "prod": {server: remote}})
	empty, odd := write("empty", ""), write("odd", "a: [")
	for name, x := range map[string]struct {
		options kube.Options
		want    string
	}{
		"a file":             {kube.Options{Kubeconfig: good}, ""},
		"a context":          {kube.Options{Kubeconfig: good, Context: "prod"}, ""},
		"no such file":       {kube.Options{Kubeconfig: "/none"}, "--kubeconfig /none not found: check the path"},
		"a directory":        {kube.Options{Kubeconfig: dir}, "--kubeconfig " + dir + " is not a kubeconfig ("},
		"no YAML":            {kube.Options{Kubeconfig: odd}, "--kubeconfig " + odd + " is not a kubeconfig ("},
		"nothing in it":      {kube.Options{Kubeconfig: empty}, "--kubeconfig " + empty + " has no contexts; use the file that kubectl uses"},
		"no such context":    {kube.Options{Kubeconfig: good, Context: "prd"}, "--kube-context prd not found: did you mean prod?"},
		"no context anyhow":  {kube.Options{Kubeconfig: empty, Context: "prd"}, "--kube-context prd not found: the kubeconfig has no contexts"},
		"nothing was named ": {kube.Options{}, ""},
	} {
		err := kube.Open(x.options).Check()
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.HasPrefix(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
}

func TestWhatIsWrongWithTheConnectionIsOneLine(t *testing.T) {
	s := newAPIServer(t)
	old := newAPIServer(t)
	old.expired = true
	// The plugin that waits does so for as long as the test lasts: whoever waited for it would not come back before.
	waits := filepath.Join(t.TempDir(), "waits")
	if err := os.WriteFile(waits, []byte(`while [ -e "$0" ]; do sleep 0.1; done`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		to      kubeContext
		limit   time.Duration
		problem kube.Problem
		want    string
	}{
		"credentials":            {kubeContext{server: old.url}, 0, kube.NotLoggedIn, "context lab: the credentials are not accepted or have expired; log in to the cluster again"},
		"nobody there":           {kubeContext{server: "http://127.0.0.1:1"}, 0, kube.Unreachable, "127.0.0.1:1 (context lab) does not answer (connection refused)"},
		"no such host":           {kubeContext{server: "https://cluster.invalid"}, 0, kube.Unreachable, "cluster.invalid (context lab) does not answer"},
		"no TLS":                 {kubeContext{server: strings.Replace(s.url, "http", "https", 1)}, 0, kube.Unreachable, "server gave HTTP response to HTTPS client"},
		"a plugin that is not":   {kubeContext{server: "https://127.0.0.1:1", plugin: "no-such-plugin"}, 0, kube.NotLoggedIn, "executable no-such-plugin not found"},
		"a plugin that waits":    {kubeContext{server: "https://127.0.0.1:1", plugin: "sh " + waits}, 100 * time.Millisecond, kube.TooSlow, "127.0.0.1:1 (context lab) did not answer in time"},
		"a plugin that fails":    {kubeContext{server: "https://127.0.0.1:1", plugin: "false"}, 0, kube.NotLoggedIn, "context lab: getting credentials: exec: executable false failed with exit code 1; log in to the cluster again"},
		"an address that is odd": {kubeContext{server: "https://a b"}, 0, kube.NoAccess, "context lab cannot be used: "},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := clusterOf(web(), kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": x.to})})
			ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(x.limit, time.Minute))
			defer cancel()
			_, err := cluster.Autoscalers(ctx, "shop")
			var e *kube.Error
			if !errors.As(err, &e) || e.Problem != x.problem || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s: %s", err, x.problem, x.want)
			}
		})
	}
}
