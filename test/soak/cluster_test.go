//go:build soak && live

package soak_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

// TestReplicas is soak with two replicas and their journal on a real API server, with the rights of deploy/rbac/journal.yaml. In each step one of
// them is killed, paused or cut off.
func TestReplicas(t *testing.T) {
	soak(t, func(t *testing.T, s *scene) {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(filepath.Join(root, "test", "soak")) // from where the files of deploy/ are found
		defer t.Chdir(root)
		c := cluster.New(t, "replicas")
		for plural, file := range map[string]string{"incidents": "crd/incidents.yaml", "incidentmembers": "crd/incidentmembers.yaml", "actionlogs": "crd/actionlogs.yaml"} {
			c.Define(t, file, schema.GroupVersionResource{Group: "argo-why.dev", Version: "v1alpha1", Resource: plural})
		}
		for _, o := range cluster.Deployed(t, "rbac/journal.yaml") {
			if o.GetKind() == "Role" {
				c.Create(t, cluster.Roles, c.Name, o.Object)
				c.Grant(t, c.Name, "Role", o.GetName())
			} else {
				c.Create(t, schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, c.Name, o.Object)
			}
		}
		cluster.Until(t, "the account has its rights", func(ctx context.Context) error {
			j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig}, "")
			if err != nil {
				return err
			}
			return j.Check(ctx)
		})
		s.replicas = &replicas{}
		var kubeconfigs []string
		for n := range 2 {
			d, file := behindDoor(t, c.Kubeconfig, n)
			s.replicas.doors, kubeconfigs = append(s.replicas.doors, d), append(kubeconfigs, file)
		}
		s.Replicate(2, &world.Cluster{Namespace: c.Name, Kubeconfig: func(n int) string { return kubeconfigs[n] }})
	})
}

// behindDoor is a kubeconfig that leads through a door of its own.
func behindDoor(t *testing.T, kubeconfig string, n int) (*door, string) {
	t.Helper()
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	var d *door
	for _, c := range config.Clusters {
		server, err := url.Parse(c.Server)
		if err != nil {
			t.Fatal(err)
		}
		if d, err = newDoor(server.Host); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.listener.Close() })
		server.Host = d.address()
		c.Server = server.String()
	}
	file := filepath.Join(t.TempDir(), fmt.Sprintf("kubeconfig-%d", n))
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return d, file
}
