//go:build soak && live

package soak_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/demo/world"
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
		leaders := os.Getenv("SOAKLEADERS")
		var led []string
		if leaders == config.LeadersEach {
			led = append(led, world.Instance)
		}
		c := cluster.NewWithJournal(t, "replicas", led...)
		s.replicas = &replicas{}
		var kubeconfigs []string
		for range 2 {
			d, file := c.Behind(t)
			s.replicas.doors, kubeconfigs = append(s.replicas.doors, d), append(kubeconfigs, file)
		}
		s.Replicate(2, &world.Cluster{Namespace: c.Name, Leaders: leaders, Kubeconfig: func(n int) string { return kubeconfigs[n] }})
	})
}
