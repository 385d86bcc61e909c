//go:build live

package journal_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

// journals is a cluster with the definitions of the journal, and a namespace whose account has the rights of
// deploy/rbac/journal.yaml.
type journals struct{ *cluster.Cluster }

func newJournals(t *testing.T) *journals {
	t.Helper()
	return &journals{cluster.NewWithJournal(t, "journal")}
}

// journal is the account's, in the namespace of its context.
func (c *journals) journal(t *testing.T) *kube.Journal {
	t.Helper()
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig, UserAgent: "argo-why/test"}, "")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// empty takes away what the test before has left.
func (c *journals) empty(t *testing.T, kind schema.GroupVersionResource) {
	t.Helper()
	if err := c.At(kind, c.Name).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
}

// emptied is the journal of incidents without those of the test before.
func (c *journals) emptied(t *testing.T) incident.Journal {
	t.Helper()
	c.empty(t, cluster.Incidents)
	c.empty(t, cluster.IncidentMembers)
	return c.journal(t)
}

// damage makes an entry one that the API server takes and nobody can read.
func (c *journals) damage(t *testing.T, _ incident.Journal, id string) {
	t.Helper()
	o, err := c.At(cluster.Incidents, c.Name).Get(t.Context(), id, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(o.Object, map[string]any{"findings": "none"}, "status", "report"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.At(cluster.Incidents, c.Name).UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// emptiedActions is the journal of actions without those of the test before.
func (c *journals) emptiedActions(t *testing.T) action.Journal {
	t.Helper()
	c.empty(t, cluster.ActionLogs)
	return c.journal(t).Actions()
}

// table is what kubectl prints with -o wide: its columns, and its rows with a "|" between the cells.
func (c *journals) table(t *testing.T, kind schema.GroupVersionResource) (columns, rows []string) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	path := "/apis/" + kind.GroupVersion().String() + "/namespaces/" + c.Name + "/" + kind.Resource
	raw, err := client.RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(t.Context()).Raw()
	if err != nil {
		t.Fatal(err)
	}
	var table metav1.Table
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	for _, column := range table.ColumnDefinitions {
		columns = append(columns, column.Name)
	}
	for _, row := range table.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, fmt.Sprint(cell))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return columns, rows
}
