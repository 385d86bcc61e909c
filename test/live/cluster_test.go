//go:build live

package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/redact"
)

// The kinds that the tests create, by the path of their API.
var (
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	secrets    = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	events     = schema.GroupVersionResource{Version: "v1", Resource: "events"}
	accounts   = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	roles      = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}
	bindings   = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
	hpas       = schema.GroupVersionResource{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"}
	apps       = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}
)

// lab is the cluster of the Argo CD, with a namespace and an application for one test.
type lab struct {
	t      *testing.T
	config *rest.Config
	client dynamic.Interface
	// name is that of the namespace and of the application.
	name string
	argo *argo.App
}

// newLab wants KUBECONFIG to lead to the cluster that the Argo CD runs in, as somebody who may do everything. change makes
// another Application of the one that is never synced.
func newLab(t *testing.T, change ...func(name string, app map[string]any)) *lab {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatalf("set KUBECONFIG to the cluster of the Argo CD in ARGOCD_SERVER: %v", err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, config: config, client: client, name: "kube-live-" + rand.String(5)}
	l.create(namespaces, "", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": l.name}})
	app := l.application()
	for _, c := range change {
		c(l.name, app)
	}
	l.create(apps, "argocd", app)
	connection, err := argo.Connect(t.Context(), argo.Options{PlainText: os.Getenv("LIVE_TLS") == ""})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	l.argo = connection.App(l.name, "", "")
	l.argo.Record = &evidence.Recording{}
	// Argo CD sees it a moment later, and until it has compared it, it answers with the error of its repository to every question.
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		if _, err = l.argo.Subject(t.Context()); err == nil {
			if _, err = connection.App(l.name, "", "").Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Namespace: l.name, Name: "none"}}); errors.Is(err, evidence.ErrAbsent) {
				return l
			}
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// application is one that is never synced.
func (l *lab) application() map[string]any {
	return map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{"name": l.name, "namespace": "argocd"},
		"spec": map[string]any{
			"project": "default", "destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": l.name},
			"source": map[string]any{"repoURL": "http://127.0.0.1:9/none.git", "path": ".", "targetRevision": "main"},
		},
	}
}

// create makes an object that goes with the test.
func (l *lab) create(kind schema.GroupVersionResource, namespace string, o map[string]any) {
	l.t.Helper()
	var at dynamic.ResourceInterface = l.client.Resource(kind)
	if namespace != "" {
		at = l.client.Resource(kind).Namespace(namespace)
	}
	made, err := at.Create(l.t.Context(), &unstructured.Unstructured{Object: o}, metav1.CreateOptions{})
	if err != nil {
		l.t.Fatalf("create %v: %v", kind.Resource, err)
	}
	l.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(l.t.Context()), patience)
		defer cancel()
		if err := at.Delete(ctx, made.GetName(), metav1.DeleteOptions{}); err != nil {
			l.t.Errorf("delete %s/%s: %v", kind.Resource, made.GetName(), err)
		}
	})
}

// through is the application's evidence, from Argo CD and from the cluster.
func (l *lab) through(o kube.Options) evidence.Source {
	cluster := kube.Open(o).App(l.argo.Application)
	cluster.Record = l.argo.Record
	return evidence.WithCluster(l.argo, cluster, l.argo.Application)
}

// account is a kubeconfig with a token.
func (l *lab) account(token string) string {
	l.t.Helper()
	config := api.NewConfig()
	config.Clusters["lab"] = &api.Cluster{Server: l.config.Host, CertificateAuthorityData: l.config.CAData}
	config.AuthInfos["account"] = &api.AuthInfo{Token: token}
	config.Contexts["account"] = &api.Context{Cluster: "lab", AuthInfo: "account"}
	config.CurrentContext = "account"
	file := filepath.Join(l.t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		l.t.Fatal(err)
	}
	return file
}

// newAccount makes an account without rights.
func (l *lab) newAccount(name string) (kubeconfig string) {
	l.t.Helper()
	l.create(accounts, l.name, map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": name}})
	request := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "metadata": map[string]any{"name": name}, "spec": map[string]any{}}}
	answer, err := l.client.Resource(accounts).Namespace(l.name).Create(l.t.Context(), request, metav1.CreateOptions{}, "token")
	if err != nil {
		l.t.Fatal(err)
	}
	token, _, _ := unstructured.NestedString(answer.Object, "status", "token")
	return l.account(token)
}

// allow lets an account read a kind in a namespace.
func (l *lab) allow(account, namespace, group, resource string) {
	l.t.Helper()
	name := account + "-" + resource + "-" + l.name
	meta := map[string]any{"name": name}
	l.create(roles, namespace, map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": meta,
		"rules": []any{map[string]any{"apiGroups": []any{group}, "resources": []any{resource}, "verbs": []any{"get", "list"}}},
	})
	l.create(bindings, namespace, map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": meta,
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": account, "namespace": l.name}},
	})
}

func (l *lab) createHPA() {
	l.create(hpas, l.name, map[string]any{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": map[string]any{"name": "outside"},
		"spec": map[string]any{"maxReplicas": int64(5), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
	})
}

func TestClusterAnswersWhatArgoCDDoesNot(t *testing.T) {
	l := newLab(t)
	s := l.through(kube.Options{})
	found, err := s.Autoscalers(t.Context(), l.name)
	if err != nil || len(found) != 0 {
		t.Errorf("a namespace without autoscalers: %v, %v", found, err)
	}
	l.createHPA()
	found, err = s.Autoscalers(t.Context(), l.name)
	if err != nil || len(found) != 1 || found[0].Ref() != (evidence.Ref{Group: "autoscaling", Kind: "HorizontalPodAutoscaler", Namespace: l.name, Name: "outside"}) {
		t.Errorf("an HPA outside of the application: %v, %v", found, err)
	}

	l.create(secrets, l.name, map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{"password": "hunter2"}, "metadata": map[string]any{
		"name": "db", "annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": `{"stringData":{"password":"hunter2"}}`},
	}})
	q := evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Secret", Namespace: l.name, Name: "db"}}
	secret, err := s.Object(t.Context(), q)
	if text, _ := json.Marshal(secret); err != nil || secret.Text("data", "password") != "++++++++" || strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "aHVudGVyMg") {
		t.Errorf("a Secret outside of the application: %s, %v", text, err)
	}
	gone := evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Namespace: l.name, Name: "gone"}}
	if o, err := s.Object(t.Context(), gone); err != nil || o != nil {
		t.Errorf("an object that does not exist: %v, %v", o, err)
	}

	l.create(events, l.name, map[string]any{
		"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": "db.1"}, "reason": "Rotated", "type": "Normal",
		"lastTimestamp": "2026-01-01T00:00:00Z", "involvedObject": map[string]any{"apiVersion": "v1", "kind": "Secret", "namespace": l.name, "name": "db"},
	})
	told, err := s.Events(t.Context(), q)
	if err != nil || len(told) != 1 || told[0].Reason != "Rotated" {
		t.Errorf("events of an object outside of the application: %v, %v", told, err)
	}

	again := l.replayed()
	if o, err := again.Autoscalers(t.Context(), l.name); err != nil || !reflect.DeepEqual(o, found) {
		t.Errorf("replayed: %v, %v, want %v", o, err, found)
	}
	if o, err := again.Object(t.Context(), q); err != nil || o == nil {
		t.Errorf("replayed, an object that exists: %v, %v", o, err)
	}
	if o, err := again.Object(t.Context(), gone); err != nil || o != nil {
		t.Errorf("replayed, an object that does not exist: %v, %v", o, err)
	}
	if e, err := again.Events(t.Context(), q); err != nil || !reflect.DeepEqual(e, told) {
		t.Errorf("replayed: %v, %v, want %v", e, err, told)
	}
}

// replayed is what was recorded, as a case file would give it.
func (l *lab) replayed() evidence.Source {
	l.t.Helper()
	text, err := l.argo.Record.Encode(time.Now(), "a live test")
	if err != nil {
		l.t.Fatal(err)
	}
	if strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "aHVudGVyMg") {
		l.t.Error("the recording holds a secret before it is redacted")
	}
	if text, err = redact.JSON(text); err != nil {
		l.t.Fatal(err)
	}
	cases, err := evidence.DecodeCases(text, time.Now())
	if err != nil {
		l.t.Fatal(err)
	}
	return cases[0].Source()
}

func TestAnotherClusterIsRefused(t *testing.T) {
	l := newLab(t)
	l.createHPA()
	// An Argo CD elsewhere has an application of the same name, for a cluster of the same address: its own.
	elsewhere := l.application()
	elsewhere["metadata"] = map[string]any{"name": l.name, "namespace": "argocd", "uid": "0b5cbb2c-0000-0000-0000-000000000000"}
	text, err := json.Marshal(map[string]any{"case": evidence.CaseVersion, "application": elsewhere, "project": map[string]any{
		"metadata": map[string]any{"name": "default", "namespace": "argocd"},
		"spec":     map[string]any{"destinations": []any{map[string]any{"server": "*", "namespace": "*"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := argotest.NewServer(t, text)
	connection, err := argo.Connect(t.Context(), argo.Options{Server: server.Address, AuthToken: argotest.Token, PlainText: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	l.argo = connection.App(l.name, "", "")
	if _, err := l.argo.Subject(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, err := l.through(kube.Options{}).Autoscalers(t.Context(), l.name)
	if err == nil || !strings.Contains(err.Error(), "is another cluster (its Application argocd/"+l.name+" is another one)") {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestWhatAnAccountMayRead(t *testing.T) {
	l := newLab(t)
	l.createHPA()
	reads := func(what, kubeconfig, want string) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) { // the API server learns of a new right a moment later
			found, err := l.through(kube.Options{Kubeconfig: kubeconfig}).Autoscalers(t.Context(), l.name)
			if want == "" && err == nil && len(found) == 1 || want != "" && err != nil && strings.Contains(err.Error(), want) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %v, %v, want %s", what, found, err, want)
			}
		}
	}
	reader := l.newAccount("reader")
	who := "system:serviceaccount:" + l.name + ":reader"
	reads("nothing", reader, who+" cannot get applications.argoproj.io in namespace argocd, which is needed to identify the cluster of context account")
	l.allow("reader", "argocd", "argoproj.io", "applications")
	reads("the application", reader, who+" cannot list horizontalpodautoscalers.autoscaling in namespace "+l.name)
	l.allow("reader", l.name, "autoscaling", "horizontalpodautoscalers")
	reads("the HPAs; KEDA and VPA are not installed", reader, "")
	reads("a token that is not one", l.account("no-such-token"), "context account: the credentials are not accepted or have expired; log in to the cluster again")
}
