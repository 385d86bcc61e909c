//go:build live

package cluster

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
// Where Argo CDs are named, each has a leader of its own, for which the role says what to add.
func NewWithJournal(t *testing.T, prefix string, argoCDs ...string) *Cluster {
	t.Helper()
	c := New(t, prefix)
	c.DefineJournal(t)
	for _, o := range Deployed(t, "rbac/journal.yaml") {
		if o.GetKind() == "Secret" {
			c.Create(t, secrets, c.Name, o.Object)
			continue
		}
		addLeases(t, o, argoCDs)
		c.Create(t, Roles, c.Name, o.Object)
		c.Grant(t, c.Name, o.GetKind(), o.GetName())
	}
	Until(t, "the account has its rights", func(ctx context.Context) error {
		j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig, UserAgent: "argo-why/test"}, "")
		if err != nil {
			return err
		}
		return j.CheckShards(ctx, argoCDs...)
	})
	return c
}

// addLeases adds to the role the names of the Leases of these Argo CDs.
func addLeases(t *testing.T, role *unstructured.Unstructured, argoCDs []string) {
	t.Helper()
	rules, _, err := unstructured.NestedSlice(role.Object, "rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		names, _, _ := unstructured.NestedStringSlice(rule, "resourceNames")
		if !slices.Contains(names, kube.LeaseName("")) {
			continue
		}
		for _, name := range argoCDs {
			names = append(names, kube.LeaseName(name))
		}
		if err := unstructured.SetNestedStringSlice(rule, names, "resourceNames"); err != nil {
			t.Fatal(err)
		}
	}
	if err := unstructured.SetNestedSlice(role.Object, rules, "rules"); err != nil {
		t.Fatal(err)
	}
}
