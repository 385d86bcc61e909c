//go:build live

package journal_test

import (
	"context"
	"errors"
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
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
)

// The kinds that the tests make.
var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	accounts    = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	roles       = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}
	bindings    = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
	incidents   = schema.GroupVersionResource{Group: "argo-why.dev", Version: "v1alpha1", Resource: "incidents"}
)

// patience is for what a cluster needs a moment for.
const patience = 30 * time.Second

// cluster is one with the definition of incidents, and a namespace whose account has the rights of deploy/rbac.
type cluster struct {
	config *rest.Config
	admin  dynamic.Interface
	// name is that of the namespace and of the account.
	name string
	// kubeconfig is the account's.
	kubeconfig string
}

// newCluster wants KUBECONFIG to lead to a cluster, as somebody who may do everything.
func newCluster(t *testing.T) *cluster {
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
	c := &cluster{config: config, admin: admin, name: "journal-live-" + rand.String(5)}
	c.define(t)
	c.create(t, namespaces, "", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": c.name}})
	c.create(t, accounts, c.name, map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": c.name}})
	role := &unstructured.Unstructured{Object: deployed(t, "rbac/journal.yaml")}
	c.create(t, roles, c.name, role.Object)
	c.create(t, bindings, c.name, map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": map[string]any{"name": c.name},
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role.GetName()},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": c.name, "namespace": c.name}},
	})
	c.kubeconfig = c.account(t)
	until(t, "the account has its rights", func(ctx context.Context) error { return c.journal(t).Check(ctx) })
	return c
}

// deployed is what users apply.
func deployed(t *testing.T, path string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy", path))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// define makes the definition, or brings the one that is there up to date; that one stays.
func (c *cluster) define(t *testing.T) {
	t.Helper()
	wanted := &unstructured.Unstructured{Object: deployed(t, "crd/incidents.yaml")}
	until(t, "the definition is this one", func(ctx context.Context) error {
		there, err := c.admin.Resource(definitions).Get(ctx, wanted.GetName(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			c.create(t, definitions, "", wanted.Object)
			return nil
		case err != nil:
			return err
		case there.GetDeletionTimestamp() != nil: // by the test before
			return errors.New("it is being deleted")
		}
		there.Object["spec"] = wanted.Object["spec"]
		_, err = c.admin.Resource(definitions).Update(ctx, there, metav1.UpdateOptions{})
		return err // a conflict with the API server, which notes its progress there
	})
	until(t, "the definition is served", func(ctx context.Context) error {
		_, err := c.admin.Resource(incidents).List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})
}

// until waits for something that happens a moment after it was asked for.
func until(t *testing.T, what string, done func(context.Context) error) {
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

// create makes an object that goes with the test.
func (c *cluster) create(t *testing.T, kind schema.GroupVersionResource, namespace string, o map[string]any) {
	t.Helper()
	at := c.at(kind, namespace)
	made, err := at.Create(t.Context(), &unstructured.Unstructured{Object: o}, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		t.Fatalf("create %s: %v", kind.Resource, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		if err := at.Delete(ctx, made.GetName(), metav1.DeleteOptions{}); err != nil {
			t.Errorf("delete %s/%s: %v", kind.Resource, made.GetName(), err)
		}
	})
}

func (c *cluster) at(kind schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return c.admin.Resource(kind)
	}
	return c.admin.Resource(kind).Namespace(namespace)
}

// account writes the kubeconfig of the account, whose context names the namespace.
func (c *cluster) account(t *testing.T) string {
	t.Helper()
	request := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "metadata": map[string]any{"name": c.name}, "spec": map[string]any{}}}
	answer, err := c.at(accounts, c.name).Create(t.Context(), request, metav1.CreateOptions{}, "token")
	if err != nil {
		t.Fatal(err)
	}
	token, _, _ := unstructured.NestedString(answer.Object, "status", "token")
	config := api.NewConfig()
	config.Clusters["c"] = &api.Cluster{Server: c.config.Host, CertificateAuthority: c.config.CAFile, CertificateAuthorityData: c.config.CAData}
	config.AuthInfos["a"] = &api.AuthInfo{Token: token}
	config.Contexts["account"] = &api.Context{Cluster: "c", AuthInfo: "a", Namespace: c.name}
	config.CurrentContext = "account"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// journal is the account's, in the namespace of its context.
func (c *cluster) journal(t *testing.T) *kube.Journal {
	t.Helper()
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: c.kubeconfig, UserAgent: "argo-why/test"}, "")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// emptied is the journal without the entries of the test before.
func (c *cluster) emptied(t *testing.T) incident.Journal {
	t.Helper()
	if err := c.at(incidents, c.name).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	return c.journal(t)
}
