//go:build live

// Package install_test installs the Helm chart in the lab's cluster as docs/install.md says: with Helm, for an account that then has exactly the
// chart's rights, in a namespace that admits only hardened pods. It upgrades it, rolls it back, and removes it again.
//
// It needs the built bot, and the lab's KUBECONFIG, kubectl, helm and argocd. Without them it fails and does not skip: `go test -tags live -count=1 ./test/install`.
package install_test

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

const (
	chart = "../../deploy/charts/argo-why"
	// values are with everything that the chart has.
	values = "../chart/testdata/values/everything.yaml"
)

// definitions are those of the journal.
var definitions = []string{"incidents.argo-why.dev", "incidentmembers.argo-why.dev", "actionlogs.argo-why.dev"}

// installed is a release in a namespace of the same name, which goes with the test.
type installed struct {
	*cluster.Cluster
	home string // Helm's
}

// run is a command of the lab, as its administrator.
func (i *installed) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := i.try(t.Context(), name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (i *installed) try(ctx context.Context, name string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Env = append(command.Environ(), "HELM_CACHE_HOME="+i.home, "HELM_CONFIG_HOME="+i.home, "HELM_DATA_HOME="+i.home)
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// helm has Helm do something with the release. The lab has no Prometheus operator, and no node with the label that these values ask for.
func (i *installed) helm(t *testing.T, verb string, more ...string) string {
	t.Helper()
	args := []string{verb, i.Name, chart, "--namespace", i.Name, "--wait", "--timeout", "3m", "-f", values,
		"--set", "metrics.serviceMonitor.enabled=false,metrics.rules.enabled=false,affinity=null,rbac.read.configMaps={" + i.Name + "}"}
	return i.run(t, "helm", append(args, more...)...)
}

// own lets the release have the definitions that are there already, as docs/install.md says for those who applied them with kubectl.
func (i *installed) own(t *testing.T) {
	t.Helper()
	for _, name := range definitions {
		if _, err := i.try(t.Context(), "kubectl", "get", "crd", name); err != nil {
			continue
		}
		i.run(t, "kubectl", "label", "--overwrite", "crd", name, "app.kubernetes.io/managed-by=Helm")
		i.run(t, "kubectl", "annotate", "--overwrite", "crd", name, "meta.helm.sh/release-name="+i.Name, "meta.helm.sh/release-namespace="+i.Name)
	}
}

// journal is the journal of the account that the chart made, which has the chart's rights and no others.
func (i *installed) journal(t *testing.T) *kube.Journal {
	t.Helper()
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: i.KubeconfigOf(t, i.Name, i.Name+"-argo-why"), UserAgent: "argo-why/test"}, i.Name)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// left are the objects of the release that are still there.
func (i *installed) left(t *testing.T) []string {
	t.Helper()
	kinds := "all,configmaps,secrets,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,networkpolicies,ingresses,poddisruptionbudgets"
	out := i.run(t, "kubectl", "get", kinds, "--all-namespaces", "-l", "app.kubernetes.io/instance="+i.Name, "-o", "name")
	return slices.DeleteFunc(strings.Split(out, "\n"), func(name string) bool {
		// Helm does not wait until the garbage collector has deleted what belongs to the Deployment.
		return !strings.Contains(name, "/") || strings.HasPrefix(name, "pod/") || strings.HasPrefix(name, "replicaset.apps/")
	})
}

func TestTheChartIsInstalledUpgradedAndRemoved(t *testing.T) {
	i := &installed{cluster.New(t, "install"), t.TempDir()}
	i.run(t, "kubectl", "label", "namespace", i.Name, "pod-security.kubernetes.io/enforce=restricted")
	i.own(t)
	if notes := i.helm(t, "install"); !strings.Contains(notes, "kubectl -n "+i.Name+" exec deploy/"+i.Name+"-argo-why") {
		t.Errorf("the notes do not say how to check it:\n%s", notes)
	}
	t.Cleanup(func() { // where the test ends early
		_, _ = i.try(context.WithoutCancel(t.Context()), "helm", "uninstall", i.Name, "--namespace", i.Name)
	})

	j := i.journal(t)
	cluster.Until(t, "the account has its rights", j.Check)
	_, version, err := j.ButtonKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.PutButtonKeys(t.Context(), []byte("the keys"), version); err != nil {
		t.Fatal(err)
	}

	for _, change := range [][]string{{"upgrade", "--set", "replicas=4"}, {"rollback"}} {
		if change[0] == "rollback" {
			i.run(t, "helm", "rollback", i.Name, "1", "--namespace", i.Name, "--wait", "--timeout", "3m")
		} else {
			i.helm(t, change[0], change[1:]...)
		}
		if keys, _, err := j.ButtonKeys(t.Context()); err != nil || string(keys) != "the keys" {
			t.Errorf("after %s the keys of buttons are %q, %v", change[0], keys, err)
		}
	}
	cluster.Until(t, "the rollback is done", func(ctx context.Context) error {
		replicas, err := i.try(ctx, "kubectl", "-n", i.Name, "get", "deploy", i.Name+"-argo-why", "-o", "jsonpath={.status.readyReplicas}")
		if err == nil && replicas != "3" {
			return errors.New(replicas + " replicas are ready, want 3")
		}
		return err
	})

	i.run(t, "helm", "uninstall", i.Name, "--namespace", i.Name, "--wait", "--timeout", "3m")
	if left := i.left(t); len(left) > 0 {
		t.Errorf("left: %s", strings.Join(left, ", "))
	}
	for _, name := range definitions {
		i.run(t, "kubectl", "get", "crd", name) // and the journal in it
	}
}

// TestTheAccountIsMadeAndRemoved: what `bot generate argocd-account` prints gives a token to the account, and takes the account away again.
func TestTheAccountIsMadeAndRemoved(t *testing.T) {
	i := &installed{cluster.New(t, "install"), t.TempDir()}
	configuration := func() string {
		return i.run(t, "kubectl", "-n", "argocd", "get", "configmap/argocd-cm", "configmap/argocd-rbac-cm", "secret/argocd-secret",
			"-o", "go-template={{range .items}}{{.metadata.name}}: {{range $key, $value := .data}}{{$key}} {{end}}{{end}}")
	}
	before := configuration()
	script := i.run(t, "../../bin/bot", "generate", "argocd-account", "--account", i.Name, "--actions", "sync")
	token := i.run(t, "sh", "-c", "exec 2>/dev/null\n"+script)
	if strings.Count(token, ".") != 2 || strings.ContainsAny(token, " \n") {
		t.Errorf("prints no token, or more: %d characters", len(token))
	}
	cluster.Until(t, "the account can read applications", func(ctx context.Context) error {
		can, err := i.try(ctx, "sh", "-c", "argocd account can-i get applications '*/*' --auth-token $0 2>/dev/null", token)
		if err == nil && can != "yes" {
			return errors.New(can)
		}
		return err
	})
	_, undo, ok := strings.Cut(script, "# To remove it again")
	if !ok {
		t.Fatalf("does not say how to remove it:\n%s", script)
	}
	for _, command := range regexp.MustCompile(`(?m)^# +(kubectl .*)$`).FindAllStringSubmatch(undo, -1) {
		i.run(t, "sh", "-c", command[1])
	}
	if after := configuration(); after != before {
		t.Errorf("before  %s\nafter   %s", before, after)
	}
}

// TestTheAPIServerTakesWhatIsRendered: every object of every set of values, and of deploy/install.yaml, without the kinds of the Prometheus
// operator, which the lab lacks.
func TestTheAPIServerTakesWhatIsRendered(t *testing.T) {
	i := &installed{cluster.New(t, "install"), t.TempDir()}
	rendered, err := filepath.Glob("../chart/testdata/rendered/*.yaml")
	if err != nil || len(rendered) == 0 {
		t.Fatal("nothing rendered", err)
	}
	made := map[string]bool{}
	for _, file := range append(rendered, "../../deploy/install.yaml") {
		objects := cluster.Deployed(t, filepath.Join("..", "test", "install", file))
		for _, o := range objects {
			if namespace := o.GetNamespace(); namespace != "" && !made[namespace] {
				made[namespace] = true
				i.need(t, namespace)
			}
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, o := range objects {
				if strings.HasPrefix(o.GetAPIVersion(), "monitoring.coreos.com/") {
					continue
				}
				raw, err := json.Marshal(o.Object)
				if err != nil {
					t.Fatal(err)
				}
				apply := exec.CommandContext(t.Context(), "kubectl", "apply", "--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict", "-f", "-")
				apply.Stdin = strings.NewReader(string(raw))
				if out, err := apply.CombinedOutput(); err != nil {
					t.Errorf("%s %s: %v\n%s", o.GetKind(), o.GetName(), err, out)
				}
			}
		})
	}
}

// need makes a namespace that goes with the test, where there is none of that name.
func (i *installed) need(t *testing.T, namespace string) {
	t.Helper()
	if _, err := i.try(t.Context(), "kubectl", "get", "namespace", namespace); err == nil {
		return
	}
	i.Create(t, cluster.Namespaces, "", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}})
}
