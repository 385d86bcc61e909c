//go:build live

// Package actions_test deletes Jobs and writes events on a real API server, as an account with only the rights of
// deploy/rbac/actions.yaml.
//
// It needs a KUBECONFIG for the cluster of an Argo CD, with the right to create namespaces, accounts, roles and
// Applications. Without one it fails and does not skip: `go test -tags live -count=1 ./test/actions`.
package actions_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/test/cluster"
)

var (
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	pods         = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	events       = schema.GroupVersionResource{Version: "v1", Resource: "events"}
	applications = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}
)

const (
	argoNamespace = "argocd"
	jobsRole      = "argo-why-jobs"
	eventsRole    = "argo-why-events"
)

// lab is an application with a namespace of its own, and the bot's account, which may do nothing yet.
type lab struct {
	*cluster.Cluster
	uid string // of the Application
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{Cluster: cluster.New(t, "actions")}
	app := l.Create(t, applications, argoNamespace, map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": l.Name, "namespace": argoNamespace},
		"spec": map[string]any{ // never synced
			"project": "default", "destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": l.Name},
			"source": map[string]any{"repoURL": "http://127.0.0.1:9/none.git", "path": ".", "targetRevision": "main"},
		},
	})
	l.uid = string(app.GetUID())
	l.apply(t)
	return l
}

// apply brings the roles up to date; they stay, as they give nothing to anybody.
func (l *lab) apply(t *testing.T) {
	t.Helper()
	for _, role := range cluster.Deployed(t, "rbac/actions.yaml") {
		_, err := l.Admin.Resource(cluster.ClusterRoles).Apply(t.Context(), role.GetName(), role, metav1.ApplyOptions{FieldManager: "argo-why-test", Force: true})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// bot is the application's cluster as the bot reaches it.
func (l *lab) bot() *kube.App {
	app := &evidence.Application{Metadata: evidence.Metadata{Namespace: argoNamespace, Name: l.Name, UID: l.uid}}
	app.Spec.Destination = evidence.Destination{Server: "https://kubernetes.default.svc", Namespace: l.Name}
	return kube.Open(kube.Options{Kubeconfig: l.Kubeconfig, UserAgent: "argo-why/test"}).App(func() *evidence.Application { return app })
}

// seen is a Job as the bot sees it in the cluster; nil when there is none.
func (l *lab) seen(ctx context.Context, ref evidence.Ref) (*action.Job, error) {
	object, err := l.bot().Object(ctx, evidence.ObjectQuery{Ref: ref})
	if err != nil || object == nil {
		return nil, err
	}
	return action.JobOf(object), nil
}

// hook makes a failed hook Job with its pod, and returns it as the bot finds it.
func (l *lab) hook(t *testing.T, name string) evidence.Ref {
	t.Helper()
	ref := evidence.Ref{Group: "batch", Kind: "Job", Namespace: l.Name, Name: name}
	l.Create(t, jobs, l.Name, map[string]any{
		"apiVersion": "batch/v1", "kind": "Job",
		"metadata": map[string]any{"name": name, "annotations": map[string]any{
			"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/tracking-id": l.Name + ":batch/Job:" + l.Name + "/" + name,
		}},
		"spec": map[string]any{"backoffLimit": int64(0), "template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"lab.io/behave": "fail"}},
			"spec":     map[string]any{"restartPolicy": "Never", "containers": []any{map[string]any{"name": "main", "image": "busybox", "command": []any{"false"}}}},
		}},
	})
	cluster.Until(t, "the Job has a pod", func(ctx context.Context) error { return l.podsOf(ctx, name, 1) })
	return ref
}

// podsOf fails unless the Job has so many pods.
func (l *lab) podsOf(ctx context.Context, job string, want int) error {
	list, err := l.At(pods, l.Name).List(ctx, metav1.ListOptions{LabelSelector: "job-name=" + job})
	if err == nil && len(list.Items) != want {
		err = fmt.Errorf("Job %s has %d pods, not %d", job, len(list.Items), want)
	}
	return err
}

func (l *lab) job(t *testing.T, name string) (*unstructured.Unstructured, error) {
	t.Helper()
	return l.At(jobs, l.Name).Get(t.Context(), name, metav1.GetOptions{})
}

func TestWithoutARoleNothingIsDone(t *testing.T) {
	l := newLab(t)
	ref := l.hook(t, "db-migrate")
	live, err := l.job(t, ref.Name)
	if err != nil {
		t.Fatal(err)
	}
	who := "system:serviceaccount:" + l.Name + ":" + l.Name
	err = l.bot().DeleteJob(t.Context(), ref, string(live.GetUID()))
	if want := "delete Job/db-migrate: " + who + " cannot get applications.argoproj.io in namespace argocd, which is needed to identify the cluster of context account"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}

	lacks, err := l.bot().LacksJobs(t.Context(), l.Name)
	if want := who + " cannot get applications.argoproj.io in namespace argocd, which is needed to identify the cluster of context account; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"; lacks != want {
		t.Errorf("got  %q, %v\nwant %s", lacks, err, want)
	}

	l.Grant(t, argoNamespace, "ClusterRole", eventsRole) // which shows the way, and gives nothing to Jobs
	cluster.Until(t, "the account may look at the Application", func(ctx context.Context) error {
		lacks, err := l.bot().LacksEvents(ctx, argoNamespace)
		if lacks != "" {
			err = errors.New(lacks)
		}
		return err
	})
	err = l.bot().DeleteJob(t.Context(), ref, string(live.GetUID()))
	want := "delete Job/db-migrate: " + who + " cannot delete jobs.batch in namespace " + l.Name + "; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"
	if err == nil || err.Error() != want || !kube.Untouched(err) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	lacks, err = l.bot().LacksJobs(t.Context(), l.Name)
	if want := "the bot cannot get jobs.batch in namespace " + l.Name + "; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"; lacks != want {
		t.Errorf("got  %q, %v\nwant %s", lacks, err, want)
	}
	if still, err := l.job(t, ref.Name); err != nil || still.GetDeletionTimestamp() != nil {
		t.Errorf("the Job is %v, %v", still, err)
	}
}

// granted is a lab in which the account has both roles.
func granted(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.Grant(t, l.Name, "ClusterRole", jobsRole)
	l.Grant(t, argoNamespace, "ClusterRole", eventsRole)
	cluster.Until(t, "the account has its rights", func(ctx context.Context) error {
		lacksJobs, err := l.bot().LacksJobs(ctx, l.Name)
		lacksEvents, eventsErr := l.bot().LacksEvents(ctx, argoNamespace)
		if lacks := lacksJobs + lacksEvents; lacks != "" {
			return errors.New(lacks)
		}
		return errors.Join(err, eventsErr)
	})
	return l
}

func TestTheJobOfThatUIDAndNoOther(t *testing.T) {
	l := granted(t)
	ref, kept := l.hook(t, "db-migrate"), l.hook(t, "reports")
	var found *action.Job
	cluster.Until(t, "the Job has failed", func(ctx context.Context) (err error) {
		if found, err = l.seen(ctx, ref); err == nil && found.Finished != "Failed" {
			err = fmt.Errorf("it is %+v", found)
		}
		return err
	})
	app := action.App{Namespace: argoNamespace, Name: l.Name}
	if found.Hook != "PreSync" || !found.BelongsTo(app, argoNamespace) || found.Active != 0 || found.Deleting {
		t.Errorf("found %+v", found)
	}

	other, err := l.seen(t.Context(), kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.bot().DeleteJob(t.Context(), ref, other.UID); !errors.Is(err, action.ErrChanged) || err.Error() != "delete Job/db-migrate: it has changed in the meantime" {
		t.Errorf("with the UID of another one: %v", err)
	}
	if still, err := l.job(t, ref.Name); err != nil || still.GetDeletionTimestamp() != nil {
		t.Fatalf("the Job is %v, %v", still, err)
	}

	if err := l.bot().DeleteJob(t.Context(), ref, found.UID); err != nil {
		t.Fatal(err)
	}
	if gone, err := l.seen(t.Context(), ref); err != nil || gone != nil {
		t.Errorf("afterwards there is %+v, %v", gone, err)
	}
	cluster.Until(t, "its pods are gone", func(ctx context.Context) error { return l.podsOf(ctx, ref.Name, 0) })
	if err := l.bot().DeleteJob(t.Context(), ref, found.UID); !errors.Is(err, action.ErrChanged) {
		t.Errorf("once more: %v", err)
	}
	if _, err := l.job(t, kept.Name); err != nil || l.podsOf(t.Context(), kept.Name, 1) != nil {
		t.Errorf("the other one: %v, %v", err, l.podsOf(t.Context(), kept.Name, 1))
	}
}

// TestAJobThatSomebodyHolds: Argo CD 3 puts a finalizer on hooks, which it takes away when the hook is over. Until then the Job
// stays, and says that it is being deleted.
func TestAJobThatSomebodyHolds(t *testing.T) {
	l := granted(t)
	ref := l.hook(t, "db-migrate")
	hold := func(finalizers string) {
		t.Helper()
		patch := `{"metadata":{"finalizers":` + finalizers + `}}`
		if _, err := l.At(jobs, l.Name).Patch(t.Context(), ref.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	hold(`["argocd.argoproj.io/hook-finalizer"]`)
	found, err := l.seen(t.Context(), ref)
	if err != nil || found.Deleting {
		t.Fatalf("%+v, %v", found, err)
	}
	for range 2 { // asked for again it is the same
		if err := l.bot().DeleteJob(t.Context(), ref, found.UID); err != nil {
			t.Errorf("delete: %v", err)
		}
		if held, err := l.seen(t.Context(), ref); err != nil || held == nil || !held.Deleting || held.UID != found.UID {
			t.Errorf("held: %+v, %v", held, err)
		}
	}
	hold("null")
	cluster.Until(t, "it is gone", func(ctx context.Context) error {
		if gone, err := l.seen(ctx, ref); err != nil || gone != nil {
			return errors.Join(fmt.Errorf("it is %+v", gone), err)
		}
		return nil
	})
}

// TestRightsEndAtTheBorderOfTheNamespace: bound in one namespace, the role is none in the others.
func TestRightsEndAtTheBorderOfTheNamespace(t *testing.T) {
	l := granted(t)
	for namespace, want := range map[string]string{
		l.Name:    "",
		"default": "the bot cannot get jobs.batch in namespace default; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account",
		"":        "the bot cannot get jobs.batch in all namespaces; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account",
	} {
		if lacks, err := l.bot().LacksJobs(t.Context(), namespace); err != nil || lacks != want {
			t.Errorf("%s: got  %q, %v\nwant %q", namespace, lacks, err, want)
		}
	}
	for _, namespace := range []string{"default", l.Name} {
		if lacks, err := l.bot().LacksEvents(t.Context(), namespace); err != nil || !strings.Contains(lacks, "cannot create events in namespace "+namespace) {
			t.Errorf("%s: %q, %v", namespace, lacks, err)
		}
	}
	err := l.bot().DeleteJob(t.Context(), evidence.Ref{Group: "batch", Kind: "Job", Namespace: "default", Name: "any"}, "u1")
	if err == nil || !strings.Contains(err.Error(), "cannot delete jobs.batch in namespace default") {
		t.Errorf("got %v", err)
	}
}

func TestAnEventStandsOnTheApplicationOnce(t *testing.T) {
	l := granted(t)
	e := action.Event{Record: l.Name, Reason: "ArgoWhyDeleteHookJob", Message: "dana (U0123) deleted Job db-migrate", At: time.Now()}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
		defer cancel()
		if err := l.At(events, argoNamespace).Delete(ctx, "argo-why."+l.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	for range 2 {
		if err := l.bot().Announce(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	// As `kubectl get events --for` and Argo CD's page ask.
	list, err := l.At(events, argoNamespace).List(t.Context(), metav1.ListOptions{
		FieldSelector: "involvedObject.kind=Application,involvedObject.uid=" + l.uid + ",reason=" + e.Reason,
	})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%d events, %v", len(list.Items), err)
	}
	event := evidence.Object(list.Items[0].Object)
	for _, x := range []struct{ got, want string }{
		{event.Text("message"), e.Message}, {event.Text("type"), "Normal"}, {event.Text("source", "component"), "argo-why"},
		{event.Text("involvedObject", "name"), l.Name}, {event.Text("involvedObject", "apiVersion"), "argoproj.io/v1alpha1"},
		{event.Text("lastTimestamp"), e.At.UTC().Format(time.RFC3339)}, {event.Text("reportingComponent"), "argo-why"},
	} {
		if x.got != x.want {
			t.Errorf("%q, want %q", x.got, x.want)
		}
	}
}
