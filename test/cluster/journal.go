//go:build live

package cluster

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/kube"
)

// The kinds of the journal.
var (
	Incidents       = schema.GroupVersionResource{Group: "argo-why.dev", Version: "v1alpha1", Resource: "incidents"}
	IncidentMembers = schema.GroupVersionResource{Group: "argo-why.dev", Version: "v1alpha1", Resource: "incidentmembers"}
	ActionLogs      = schema.GroupVersionResource{Group: "argo-why.dev", Version: "v1alpha1", Resource: "actionlogs"}
	secrets         = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
)

// DefineJournal makes the definitions of the journal.
func (c *Cluster) DefineJournal(t *testing.T) {
	t.Helper()
	c.Define(t, "crd/incidents.yaml", Incidents)
	c.Define(t, "crd/incidentmembers.yaml", IncidentMembers)
	c.Define(t, "crd/actionlogs.yaml", ActionLogs)
}

// NewWithJournal is New with the definitions of the journal and the account's rights to it: all of deploy/rbac/journal.yaml, and nothing else.
func NewWithJournal(t *testing.T, prefix string) *Cluster {
	t.Helper()
	c := New(t, prefix)
	c.DefineJournal(t)
	for _, o := range Deployed(t, "rbac/journal.yaml") {
		if o.GetKind() == "Secret" {
			c.Create(t, secrets, c.Name, o.Object)
			continue
		}
		c.Create(t, Roles, c.Name, o.Object)
		c.Grant(t, c.Name, o.GetKind(), o.GetName())
	}
	Until(t, "the account has its rights", func(ctx context.Context) error {
		j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig, UserAgent: "argo-why/test"}, "")
		if err != nil {
			return err
		}
		return j.Check(ctx)
	})
	return c
}
