//go:build live

package journal_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argo-why/argo-why/internal/action"
	remedytest "github.com/argo-why/argo-why/internal/action/journaltest"
	"github.com/argo-why/argo-why/test/cluster"
)

// showsActions reads the table that kubectl prints, and selects as it does.
func showsActions(t *testing.T, c *journals) {
	j := c.emptiedActions(t)
	l := remedytest.Small(action.App{Instance: "prod", Namespace: "argocd", Name: "web"})
	r := remedytest.Small(l.App).Records[0]
	r.Kind, r.State, r.At, r.Result = action.Sync, action.Done, time.Now().Add(-14*time.Minute), "synced 3f2a91c"
	l.Records = append(l.Records, r)
	other := remedytest.Small(action.App{Namespace: "team", Name: "api"})
	other.Records[0].By.Name = ""
	for _, l := range []*action.Log{l, other} {
		if err := j.Put(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	columns, rows := c.table(t, cluster.ActionLogs)
	if got := strings.Join(columns, "|"); got != "Name|Application|Last action|By|State|Age|Namespace|Instance|Result" {
		t.Errorf("columns %s", got)
	}
	want := []string{"|api|hard-refresh|U1|Waiting|", "|web|sync|dana|Done|14m|argocd|prod|synced 3f2a91c"}
	for n, row := range rows {
		if n >= len(want) || !strings.Contains(row, want[n]) {
			t.Errorf("row %d: %s", n, row)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows", len(rows))
	}
	for options, want := range map[metav1.ListOptions][]string{
		{FieldSelector: "last.state=Waiting"}:            {"api"},
		{FieldSelector: "last.action=sync,app.name=web"}: {"web"},
		{LabelSelector: "argo-why.dev/app=web"}:          {"web"},
		{LabelSelector: "argo-why.dev/instance=prod"}:    {"web"},
		{FieldSelector: "last.state=Running"}:            nil,
	} {
		list, err := c.At(cluster.ActionLogs, c.Name).List(t.Context(), options)
		if err != nil {
			t.Errorf("%v: %v", options, err)
			continue
		}
		var got []string
		for _, o := range list.Items {
			name, _, _ := unstructured.NestedString(o.Object, "app", "name")
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("-l %q --field-selector %q: %v, want %v", options.LabelSelector, options.FieldSelector, got, want)
		}
	}
}

func keepsTheApplication(t *testing.T, c *journals) {
	j := c.emptiedActions(t)
	if err := j.Put(t.Context(), remedytest.Small(action.App{Namespace: "argocd", Name: "web"})); err != nil {
		t.Fatal(err)
	}
	list, err := c.At(cluster.ActionLogs, c.Name).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	o := &list.Items[0]
	if err := unstructured.SetNestedField(o.Object, "another", "app", "name"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.At(cluster.ActionLogs, c.Name).Update(t.Context(), o, metav1.UpdateOptions{}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "does not change") {
		t.Errorf("got %v", err)
	}
}
