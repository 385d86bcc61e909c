package kube

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestThePodsOwnAccount goes before a kubeconfig that nobody named, and leads to Argo CD's own cluster only.
func TestThePodsOwnAccount(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	clusters := Open(Options{})
	clusters.podAccount = func() (*rest.Config, error) { return &rest.Config{Host: "https://10.0.0.1"}, nil }
	own := evidence.Destination{Server: ownServer}
	if e, err := clusters.endpoint(own); err != nil || e.pod == nil || !e.verify || e.String() != "the cluster of this pod" {
		t.Errorf("inside a pod: %+v, %v", e, err)
	}
	if e, err := clusters.endpoint(evidence.Destination{Server: "https://10.0.0.1"}); err == nil {
		t.Errorf("another cluster: %+v", e)
	}
	clusters.options.Context = "dev"
	if e, err := clusters.endpoint(own); err == nil || e.pod != nil {
		t.Errorf("a context was named: %+v, %v", e, err)
	}
	clusters.options.Context = ""
	clusters.podAccount = func() (*rest.Config, error) { return nil, errors.New("not in a pod") }
	if e, err := clusters.endpoint(own); err == nil {
		t.Errorf("outside of a pod: %+v", e)
	}
}

// TestTheJournalIsWhereTheBotIs unless told otherwise.
func TestTheJournalIsWhereTheBotIs(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	inPod := func(file string) *Clusters {
		clusters := Open(Options{})
		clusters.podAccount = func() (*rest.Config, error) { return &rest.Config{Host: "https://10.0.0.1"}, nil }
		clusters.podNamespace = file
		return clusters
	}
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const config = `{"contexts":[{"name":"bot","context":{"cluster":"c","namespace":"ops"}},{"name":"bare","context":{"cluster":"c"}}],"clusters":[{"name":"c","cluster":{"server":"https://10.0.0.2"}}],"current-context":"bot"}`
	kubeconfig, none := write("kubeconfig", config), filepath.Join(t.TempDir(), "none")
	for name, x := range map[string]struct {
		clusters        *Clusters
		namespace, want string
		err             string
	}{
		"in a pod":                      {clusters: inPod(write("namespace", "argo-why\n")), want: "argo-why"},
		"in a pod, elsewhere":           {clusters: inPod(none), namespace: "ops", want: "ops"},
		"in a pod without its files":    {clusters: inPod(none), err: "the namespace of this pod is not in " + none + "; set journal.namespace"},
		"a context with a namespace":    {clusters: Open(Options{Kubeconfig: kubeconfig}), want: "ops"},
		"a context without a namespace": {clusters: Open(Options{Kubeconfig: kubeconfig, Context: "bare"}), want: "default"},
		"no such context":               {clusters: Open(Options{Kubeconfig: kubeconfig, Context: "prod"}), err: "--kube-context prod not found: the kubeconfig has bare, bot"},
		"no way at all":                 {clusters: Open(Options{}), err: "there is no kubeconfig; set KUBECONFIG, or run this in the bot's pod"},
	} {
		j, err := x.clusters.journal(x.namespace)
		if x.err != "" {
			if err == nil || err.Error() != "open the journal of incidents: "+x.err {
				t.Errorf("%s: %v, want %s", name, err, x.err)
			}
			continue
		}
		if err != nil || j.namespace != x.want {
			t.Errorf("%s: %+v, %v", name, j, err)
		}
	}
}
