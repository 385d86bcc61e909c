//go:build live

// Package cluster lets tests use a real API server as an account with only the rights of a role in deploy/.
//
// It needs a KUBECONFIG for a cluster (1.31 or later), with the right to create definitions, namespaces, accounts and roles.
// Without one, tests fail and do not skip.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// The kinds that an account and its rights are made of.
var (
	Definitions  = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	Namespaces   = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	Accounts     = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	Roles        = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}
	ClusterRoles = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}
	Bindings     = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
)

// patience is for what a cluster needs a moment for.
const patience = 30 * time.Second

// Cluster is one with a namespace that goes with the test, and an account in it that may do nothing yet.
type Cluster struct {
	Config *rest.Config
	// Admin may do everything.
	Admin dynamic.Interface
	// Name is that of the namespace and of the account.
	Name string
	// Kubeconfig is the account's; its context names the namespace.
	Kubeconfig string
}

// New makes the namespace and the account.
func New(t *testing.T, prefix string) *Cluster {
	t.Helper()
	if os.Getenv("KUBECONFIG") == "" {
		t.Fatal("set KUBECONFIG to a cluster that may be written to")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = 100, 100
	admin, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{Config: config, Admin: admin, Name: prefix + "-live-" + rand.String(5)}
	c.Create(t, Namespaces, "", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": c.Name}})
	c.Create(t, Accounts, c.Name, map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": c.Name}})
	c.Kubeconfig = c.KubeconfigOf(t, c.Name, c.Name)
	return c
}

// Deployed are the objects of a file that users apply.
func Deployed(t *testing.T, path string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy", path))
	if err != nil {
		t.Fatal(err)
	}
	var all []*unstructured.Unstructured
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), len(text)); ; {
		o := &unstructured.Unstructured{}
		switch err := decoder.Decode(&o.Object); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, o)
	}
}

// Define makes the definition in a file, or brings the one that is there up to date; that one stays.
func (c *Cluster) Define(t *testing.T, path string, served schema.GroupVersionResource) {
	t.Helper()
	wanted := Deployed(t, path)[0]
	Until(t, "the definition is this one", func(ctx context.Context) error {
		there, err := c.Admin.Resource(Definitions).Get(ctx, wanted.GetName(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			c.Create(t, Definitions, "", wanted.Object)
			return nil
		case err != nil:
			return err
		case there.GetDeletionTimestamp() != nil: // by the test before
			return errors.New("it is being deleted")
		}
		there.Object["spec"] = wanted.Object["spec"]
		_, err = c.Admin.Resource(Definitions).Update(ctx, there, metav1.UpdateOptions{})
		return err // a conflict with the API server, which notes its progress there
	})
	Until(t, "the definition is served", func(ctx context.Context) error {
		_, err := c.Admin.Resource(served).List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})
}

// Grant gives a role to the account, in a namespace.
func (c *Cluster) Grant(t *testing.T, namespace, kind, role string) {
	t.Helper()
	c.Create(t, Bindings, namespace, map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": map[string]any{"name": c.Name + "-" + role},
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": c.Name, "namespace": c.Name}},
	})
}

// Until waits for something that happens a moment after it was asked for.
func Until(t *testing.T, what string, done func(context.Context) error) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		last = done(ctx)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("%s: %v", what, errors.Join(err, last))
	}
}

// Create makes an object that goes with the test, if it is still there then.
func (c *Cluster) Create(t *testing.T, kind schema.GroupVersionResource, namespace string, o map[string]any) *unstructured.Unstructured {
	t.Helper()
	at := c.At(kind, namespace)
	made, err := at.Create(t.Context(), &unstructured.Unstructured{Object: o}, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		t.Fatalf("create %s: %v", kind.Resource, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		if err := at.Delete(ctx, made.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("delete %s/%s: %v", kind.Resource, made.GetName(), err)
		}
	})
	return made
}

// At are the objects of a kind as the admin sees them, in a namespace where there is one.
func (c *Cluster) At(kind schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return c.Admin.Resource(kind)
	}
	return c.Admin.Resource(kind).Namespace(namespace)
}

// KubeconfigOf is one of an account; its context names the namespace of the account.
func (c *Cluster) KubeconfigOf(t *testing.T, namespace, account string) string {
	t.Helper()
	request := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "metadata": map[string]any{"name": account}, "spec": map[string]any{}}}
	answer, err := c.At(Accounts, namespace).Create(t.Context(), request, metav1.CreateOptions{}, "token")
	if err != nil {
		t.Fatal(err)
	}
	token, _, _ := unstructured.NestedString(answer.Object, "status", "token")
	config := api.NewConfig()
	config.Clusters["c"] = &api.Cluster{Server: c.Config.Host, CertificateAuthority: c.Config.CAFile, CertificateAuthorityData: c.Config.CAData}
	config.AuthInfos["a"] = &api.AuthInfo{Token: token}
	config.Contexts["account"] = &api.Context{Cluster: "c", AuthInfo: "a", Namespace: namespace}
	config.CurrentContext = "account"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}
