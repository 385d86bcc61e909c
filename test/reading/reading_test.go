//go:build live

// Package reading_test reads a real API server as an account with only the rights that `argo-why generate kubernetes-rbac` prints.
//
// It needs a KUBECONFIG for the cluster of an Argo CD, with the right to create namespaces, accounts, roles and Applications. Without
// one it fails and does not skip: `go test -tags live -count=1 ./test/reading`.
package reading_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/rights"
	"github.com/argo-why/argo-why/test/cluster"
)

var (
	applications = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}
	secrets      = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	reviews      = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "subjectaccessreviews"}
)

const argoNamespace = "argocd"

// lab is an application with a namespace of its own, and the bot's account, which may do nothing yet.
type lab struct {
	*cluster.Cluster
	uid string // of the Application
	// applied are the roles and bindings that are there.
	applied []func(context.Context) error
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{Cluster: cluster.New(t, "reading")}
	app := l.Create(t, applications, argoNamespace, map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": l.Name, "namespace": argoNamespace},
		"spec": map[string]any{ // never synced
			"project": "default", "destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": l.Name},
			"source": map[string]any{"repoURL": "http://127.0.0.1:9/none.git", "path": ".", "targetRevision": "main"},
		},
	})
	l.uid = string(app.GetUID())
	return l
}

// bot is the application's cluster as the bot reaches it, from the beginning.
func (l *lab) bot() *kube.App {
	app := &evidence.Application{Metadata: evidence.Metadata{Namespace: argoNamespace, Name: l.Name, UID: l.uid}}
	app.Spec.Destination = evidence.Destination{Server: "https://kubernetes.default.svc", Namespace: l.Name}
	return kube.Open(kube.Options{Kubeconfig: l.Kubeconfig, UserAgent: "argo-why/test"}).App(func() *evidence.Application { return app })
}

func (l *lab) options(namespaces ...string) rights.Options {
	return rights.Options{Account: rights.Account{Namespace: l.Name, Name: l.Name}, Namespaces: namespaces, Applications: []string{argoNamespace}}
}

// kinds are where roles and bindings are kept.
var kinds = map[string]string{"Role": "roles", "ClusterRole": "clusterroles", "RoleBinding": "rolebindings", "ClusterRoleBinding": "clusterrolebindings"}

// remove removes the roles that were applied.
func (l *lab) remove(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, remove := range l.applied {
		if err := remove(ctx); err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("remove a role: %v", err)
		}
	}
	l.applied = nil
}

// apply gives the account the roles, and none that it had before. Their names are those that users get.
func (l *lab) apply(t *testing.T, text string) {
	t.Helper()
	l.remove(t.Context(), t)
	t.Cleanup(func() { l.remove(context.WithoutCancel(t.Context()), t) })
	for decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), len(text)); ; {
		o := &unstructured.Unstructured{}
		switch err := decoder.Decode(&o.Object); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatal(err)
		}
		at := l.At(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: kinds[o.GetKind()]}, o.GetNamespace())
		if _, err := at.Apply(t.Context(), o.GetName(), o, metav1.ApplyOptions{FieldManager: "argo-why-test", Force: true}); err != nil {
			t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
		l.applied = append(l.applied, func(ctx context.Context) error { return at.Delete(ctx, o.GetName(), metav1.DeleteOptions{}) })
	}
}

// read reads what a rule that declares the kind reads. The object does not exist: an account that may read it is told so.
func (l *lab) read(ctx context.Context, kind evidence.Outside) error {
	q := evidence.ObjectQuery{Ref: evidence.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: l.Name, Name: "none"}}
	if kind.ClusterScoped {
		q.Namespace = ""
	}
	if kind.Only != "" {
		q.Name = kind.Only
	}
	var err error
	switch {
	case kind.Kind == "Event":
		_, err = l.bot().Events(ctx, evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Pod", Namespace: l.Name, Name: "none"}})
	case kind.All && kind.ClusterScoped:
		_, err = l.bot().All(ctx, kind)
	case kind.All:
		_, err = l.bot().Autoscalers(ctx, l.Name)
	default:
		_, err = l.bot().Object(ctx, q)
	}
	return err
}

// lacks is what the account is told in bot check.
func (l *lab) lacks(ctx context.Context, kind evidence.Outside) (string, error) {
	reader, err := l.bot().Reader(ctx)
	if err != nil {
		return "", err
	}
	return reader.Lacks(ctx, kind, l.Name)
}

// until waits until everything that rules read can be read, except for some kinds.
func (l *lab) until(t *testing.T, except ...evidence.Outside) {
	t.Helper()
	cluster.Until(t, "the account has its rights", func(ctx context.Context) error {
		for _, r := range rights.Reading(rules.All()) {
			if slices.Contains(except, r.Outside) {
				continue
			}
			switch lacking, err := l.lacks(ctx, r.Outside); {
			case err != nil:
				return err
			case lacking != "":
				return errors.New(lacking)
			}
			if err := l.read(ctx, r.Outside); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestTheGeneratedRolesAreEnough, in the whole cluster and in one namespace: each kind is read, and Secrets are not.
func TestTheGeneratedRolesAreEnough(t *testing.T) {
	for name, namespaces := range map[string]func(*lab) []string{
		"everywhere":       func(*lab) []string { return nil },
		"in one namespace": func(l *lab) []string { return []string{l.Name} },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			if _, err := l.bot().Reader(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot get applications.argoproj.io in namespace argocd") {
				t.Fatalf("without rights: %v", err)
			}
			o := l.options(namespaces(l)...)
			l.apply(t, rights.Roles(rights.Reading(rules.All()), o))
			off := []evidence.Outside{evidence.OutsideSecret}
			if len(o.Namespaces) == 0 {
				off = append(off, evidence.OutsideConfigMap)
			}
			l.until(t, off...)
			l.refusesSecrets(t)

			l.Create(t, secrets, l.Name, map[string]any{
				"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "db"}, "stringData": map[string]any{"password": "not-for-the-bot"},
			})
			o.SecretKeys, o.ConfigMaps = true, []string{l.Name}
			l.apply(t, rights.Roles(rights.Reading(rules.All()), o))
			l.until(t)
			secret, err := l.bot().Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Secret", Namespace: l.Name, Name: "db"}})
			if err != nil || secret.Text("data", "password") != "++++++++" {
				t.Errorf("the keys of a Secret: %v, %v", secret, err)
			}
			l.mayDoNothingElse(t, namespaces(l))
		})
	}
}

// refusesSecrets: the key read is refused, and the report says what it lacks.
func (l *lab) refusesSecrets(t *testing.T) {
	t.Helper()
	want := fmt.Sprintf("read Secret/none: system:serviceaccount:%s:%s cannot get secrets in namespace %s; so reports do not say %s; grant it with argo-why generate kubernetes-rbac --secret-keys, or do without",
		l.Name, l.Name, l.Name, evidence.OutsideSecret.Unknown)
	if err := l.read(t.Context(), evidence.OutsideSecret); err == nil || err.Error() != want || !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if lacking, err := l.lacks(t.Context(), evidence.OutsideSecret); err != nil || lacking != "the bot cannot get secrets in namespace "+l.Name {
		t.Errorf("bot check says %q, %v", lacking, err)
	}
}

// mayDoNothingElse asks the API server about the account: it may not change what it reads, and not read anything else.
func (l *lab) mayDoNothingElse(t *testing.T, namespaces []string) {
	t.Helper()
	refused := func(verb, group, resource, namespace, name string) {
		t.Helper()
		review, err := l.Admin.Resource(reviews).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
			"spec": map[string]any{
				"user":               "system:serviceaccount:" + l.Name + ":" + l.Name,
				"groups":             []any{"system:serviceaccounts", "system:serviceaccounts:" + l.Name, "system:authenticated"},
				"resourceAttributes": map[string]any{"verb": verb, "group": group, "resource": resource, "namespace": namespace, "name": name},
			},
		}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if allowed, _, _ := unstructured.NestedBool(review.Object, "status", "allowed"); allowed {
			t.Errorf("the account may %s %s.%s/%s in %q", verb, resource, group, name, namespace)
		}
	}
	for _, kind := range evidence.AllOutside {
		for _, verb := range []string{"create", "update", "patch", "delete", "deletecollection", "watch", "get", "list"} {
			if verb != kind.Verb() {
				refused(verb, kind.Group, kind.Resource, l.Name, "")
			}
		}
		if !kind.ClusterScoped && (len(namespaces) > 0 || kind.Kind == evidence.OutsideConfigMap.Kind) {
			refused(kind.Verb(), kind.Group, kind.Resource, "kube-system", "")
		}
	}
	refused("get", "", "pods", l.Name, "")
	refused("get", "apps", "deployments", l.Name, "")
	refused("get", "rbac.authorization.k8s.io", "clusterrolebindings", "", "cluster-admin")
	refused("list", "argoproj.io", "applications", argoNamespace, "")
	if len(namespaces) > 0 { // an account that may read the keys of all Secrets may read those of Argo CD, too
		refused("get", "", "secrets", argoNamespace, "argocd-secret")
	}
}

// TestEachRightIsNeeded takes away one right after the other: then the kind is not read, and bot check says so.
func TestEachRightIsNeeded(t *testing.T) {
	l := newLab(t)
	all := rights.Reading(rules.All())
	o := l.options(l.Name)
	o.SecretKeys = true
	for i, right := range all {
		without := slices.Delete(slices.Clone(all), i, i+1)
		l.apply(t, rights.Roles(without, o))
		cluster.Until(t, "without "+right.Name()+" it is refused", func(ctx context.Context) error {
			lacking, err := l.lacks(ctx, right.Outside)
			if err != nil {
				return err
			}
			refused := l.read(ctx, right.Outside)
			if installed := l.isInstalled(ctx, right.Outside); installed && (lacking == "" || refused == nil) { // of what is not installed there is nothing to refuse
				return fmt.Errorf("installed: %t; bot check says %q; reading it: %w", installed, lacking, refused)
			}
			return nil
		})
	}
}

// isInstalled: of an operator that is not here, the cluster has nothing to read.
func (l *lab) isInstalled(ctx context.Context, kind evidence.Outside) bool {
	for _, version := range []string{"v1", "v2", "v1beta1", "v1alpha1"} {
		_, err := l.Admin.Resource(schema.GroupVersionResource{Group: kind.Group, Version: version, Resource: kind.Resource}).List(ctx, metav1.ListOptions{Limit: 1})
		if err == nil {
			return true
		}
	}
	return false
}
