//go:build live

// Package journal_test runs the journal of custom resources on a real API server, as an account with only the rights of
// deploy/rbac/journal.yaml.
//
// It needs a KUBECONFIG for a cluster (1.31 or later), with the right to create definitions, namespaces, accounts and
// roles. Without one it fails and does not skip: `go test -tags live -count=1 ./test/journal`.
package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	remedytest "github.com/argo-why/argo-why/internal/action/journaltest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

func TestJournal(t *testing.T) {
	c := newJournals(t)
	t.Run("suite", func(t *testing.T) { journaltest.Run(t, c.emptied, c.damage) })
	t.Run("suite of actions", func(t *testing.T) { remedytest.Run(t, c.emptiedActions) })
	for name, test := range map[string]func(*testing.T, *journals){
		"kubectl shows what matters":                 shows,
		"kubectl selects":                            selects,
		"a crash between the two steps of a new one": completesWhatACrashLeft,
		"a definition that is older than the bot":    refusesAnOldDefinition,
		"rights that are missing are named":          namesMissingRights,
		"what an incident began with stays":          keepsTheSpec,
		"a namespace that is not there":              namesTheNamespace,
		"kubectl shows and selects actions":          showsActions,
		"a log stays that of its application":        keepsTheApplication,
	} {
		t.Run(name, func(t *testing.T) { test(t, c) })
	}
}

// outage is one of many applications.
func outage(id string, apps int) *incident.Incident {
	i := journaltest.Small(id)
	i.Phase, i.Members = incident.Open, nil
	i.Cause = incident.Cause{Rule: "render/git-unreachable", Key: "k", Fingerprint: "p", Group: "render/git-unreachable: git host git.example.com", Subject: "git host git.example.com"}
	i.Thread = incident.Thread{Channel: "C1", TS: "1", Permalink: "https://example.slack.com/archives/C1/p1"}
	for n := range apps {
		i.Members = append(i.Members, incident.Member{App: incident.App{Instance: "prod", Namespace: "argocd", Name: fmt.Sprintf("app-%03d", n)}})
	}
	i.Members[0].Well = i.Seen
	return i
}

// shows reads the table that kubectl prints.
func shows(t *testing.T, c *journals) {
	j := c.emptied(t)
	i := journaltest.Small("web-1")
	i.Since = time.Now().Add(-14 * time.Minute)
	i.Expires = time.Date(2026, 12, 21, 9, 0, 0, 0, time.UTC)
	i.Report = &diagnose.Report{Headline: "web: the hook db-migrate failed"}
	for _, i := range []*incident.Incident{i, outage("outage-1", 5)} {
		if err := j.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	columns, rows := c.table(t, cluster.Incidents)
	if got := strings.Join(columns, " "); got != "Name App Cause Phase Failing Since Channel Thread Joined Recovered Expires Trouble Headline" {
		t.Errorf("columns %s", got)
	}
	want := []string{
		"outage-1|app-000 and 4 more|render/git-unreachable|Open|4|",
		"web-1|web|hook/job-failed|Pending|1|14m|#deployments|<nil>|<nil>|<nil>|2026-12-21T09:00:00Z|<nil>|web: the hook db-migrate failed",
	}
	for n, row := range rows {
		if n >= len(want) || !strings.HasPrefix(row, want[n]) {
			t.Errorf("row %d: %s", n, row)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows", len(rows))
	}
}

// selects lists with the selectors of `kubectl get incidents`.
func selects(t *testing.T, c *journals) {
	j := c.emptied(t)
	long := journaltest.Small("long-1")
	long.Members[0].App.Name = strings.Repeat("very-long-", 12) + "name"
	for _, i := range []*incident.Incident{journaltest.Small("web-1"), long, outage("outage-1", 5)} {
		if err := j.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	for options, want := range map[metav1.ListOptions][]string{
		{LabelSelector: "argo-why.dev/app=web"}:                                        {"web-1"},
		{LabelSelector: "argo-why.dev/app-namespace=argocd"}:                           {"long-1", "web-1"},
		{LabelSelector: "argo-why.dev/outage"}:                                         {"outage-1"},
		{FieldSelector: "status.phase=Open"}:                                           {"outage-1"},
		{FieldSelector: "status.phase=Pending,status.cause.rule=hook/job-failed"}:      {"long-1", "web-1"},
		{FieldSelector: "status.channel=#deployments", LabelSelector: "!none"}:         {"long-1", "outage-1", "web-1"},
		{FieldSelector: "status.cause.group=render/git-unreachable: git host nowhere"}: nil,
	} {
		list, err := c.At(cluster.Incidents, c.Name).List(t.Context(), options)
		if err != nil {
			t.Errorf("%v: %v", options, err)
			continue
		}
		var got []string
		for _, o := range list.Items {
			got = append(got, o.GetName())
		}
		if !slices.Equal(got, want) {
			t.Errorf("-l %q --field-selector %q: %v, want %v", options.LabelSelector, options.FieldSelector, got, want)
		}
	}
}

// bare makes what a crash leaves: the object without its status.
func (c *journals) bare(t *testing.T, name string) {
	t.Helper()
	_, err := c.At(cluster.Incidents, c.Name).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "argo-why.dev/v1alpha1", "kind": "Incident", "metadata": map[string]any{"name": name}, "spec": map[string]any{"rule": "hook/job-failed"},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func completesWhatACrashLeft(t *testing.T, c *journals) {
	j := c.emptied(t)
	c.bare(t, "web-1")
	if _, err := j.Get(t.Context(), "web-1"); !errors.Is(err, incident.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if all, err := j.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("list: %v, %v", all, err)
	}
	if err := j.Delete(t.Context(), journaltest.Small("web-1")); err != nil {
		t.Errorf("delete: %v", err)
	}
	i := journaltest.Small("web-1")
	if err := j.Put(t.Context(), i); err != nil {
		t.Fatalf("put: %v", err)
	}
	if err := j.Put(t.Context(), journaltest.Small("web-1")); !errors.Is(err, incident.ErrConflict) {
		t.Errorf("once more: %v", err)
	}
	if got, err := j.Get(t.Context(), "web-1"); err != nil || got.Version != i.Version {
		t.Errorf("got %+v, %v", got, err)
	}
}

// refusesAnOldDefinition: a field that the API server does not know must not vanish without a word.
func refusesAnOldDefinition(t *testing.T, c *journals) {
	defer c.DefineJournal(t)
	j := c.emptied(t)
	definition, err := c.Admin.Resource(cluster.Definitions).Get(t.Context(), "incidents.argo-why.dev", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	version, ok := versions[0].(map[string]any)
	if !ok {
		t.Fatalf("versions %v", versions)
	}
	unstructured.RemoveNestedField(version, "schema", "openAPIV3Schema", "properties", "status", "properties", "lastReply")
	if err := unstructured.SetNestedSlice(definition.Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Admin.Resource(cluster.Definitions).Update(t.Context(), definition, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `put incident web-1: the cluster has an older version of the kind Incident: `
	cluster.Until(t, "the definition is the older one", func(context.Context) error {
		i := journaltest.Small("web-1")
		i.LastReply = 7
		err := j.Put(t.Context(), i)
		if err == nil {
			return errors.Join(errors.New("it was put"), j.Delete(t.Context(), i))
		}
		if !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), `unknown field "status.lastReply"; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd`) {
			t.Fatal(err)
		}
		return nil
	})
}

func namesMissingRights(t *testing.T, c *journals) {
	c.emptied(t)
	// Rights of a namespace end at its border.
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.Kubeconfig}, "default")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		err  error
		want []string
	}{
		{j.Check(t.Context()), []string{
			"check the journal of incidents: the bot cannot list incidents.argo-why.dev in namespace default; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account",
			"check the journal of incidents: the bot cannot update incidents.argo-why.dev/status in namespace default; ",
		}},
		{j.Put(t.Context(), journaltest.Small("web-1")), []string{
			"put incident web-1: system:serviceaccount:" + c.Name + ":" + c.Name + " cannot create incidents.argo-why.dev in namespace default; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml",
		}},
	} {
		var e *kube.Error
		if !errors.As(x.err, &e) || e.Problem != kube.Forbidden {
			t.Errorf("got %v", x.err)
			continue
		}
		for _, want := range x.want {
			if !strings.Contains(x.err.Error(), want) {
				t.Errorf("got  %v\nwant %s", x.err, want)
			}
		}
	}
}

func keepsTheSpec(t *testing.T, c *journals) {
	j := c.emptied(t)
	if err := j.Put(t.Context(), journaltest.Small("web-1")); err != nil {
		t.Fatal(err)
	}
	o, err := c.At(cluster.Incidents, c.Name).Get(t.Context(), "web-1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rule, _, _ := unstructured.NestedString(o.Object, "spec", "rule"); rule != "hook/job-failed" {
		t.Errorf("spec %v", o.Object["spec"])
	}
	if err := unstructured.SetNestedField(o.Object, "another", "spec", "rule"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.At(cluster.Incidents, c.Name).Update(t.Context(), o, metav1.UpdateOptions{}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "does not change") {
		t.Errorf("got %v", err)
	}
}

func namesTheNamespace(t *testing.T, _ *journals) {
	j, err := kube.OpenJournal(kube.Options{}, "no-such-namespace")
	if err != nil {
		t.Fatal(err)
	}
	err = j.Put(t.Context(), journaltest.Small("web-1"))
	if err == nil || err.Error() != "put incident web-1: there is no namespace no-such-namespace; kubectl create namespace no-such-namespace" {
		t.Errorf("got %v", err)
	}
}
