package kube_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
)

// apiServer answers under the paths of the Kubernetes API, in its words. What it does not hold is not found.
type apiServer struct {
	url string

	mu    sync.Mutex
	paths map[string]any
	// refused are paths that the account cannot read.
	refused map[string]bool
	expired bool // the credentials of everybody
	asked   []string
	agent   string
}

// object is a document of the API.
type object = map[string]any

const namespacedKinds = `{"kind":"APIResourceList","groupVersion":"v1","resources":[
	{"name":"secrets","kind":"Secret","namespaced":true},{"name":"configmaps","kind":"ConfigMap","namespaced":true},
	{"name":"services","kind":"Service","namespaced":true},{"name":"namespaces","kind":"Namespace","namespaced":false}]}`

func newAPIServer(t *testing.T) *apiServer {
	t.Helper()
	s := &apiServer{refused: map[string]bool{}, paths: map[string]any{
		"/api/v1":           json.RawMessage(namespacedKinds),
		"/apis/autoscaling": object{"kind": "APIGroup", "name": "autoscaling"},
		"/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers": listOf("autoscaling/v2", "HorizontalPodAutoscalerList"),
		"/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web": named("argoproj.io/v1alpha1", "Application", "argocd", "web", "uid-of-web"),
	}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// install has the server know one kind of a group.
func (s *apiServer) install(group, version, resource, kind string) {
	v := object{"groupVersion": group + "/" + version, "version": version}
	s.paths["/apis/"+group] = object{"kind": "APIGroup", "name": group, "versions": []any{v}, "preferredVersion": v}
	s.paths["/apis/"+group+"/"+version] = object{"kind": "APIResourceList", "groupVersion": group + "/" + version, "resources": []any{
		object{"name": resource, "kind": kind, "namespaced": true},
	}}
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.agent = append(s.asked, r.URL.Path), r.UserAgent()
	w.Header().Set("Content-Type", "application/json")
	answer, ok := s.paths[r.URL.Path]
	switch {
	case r.Method != http.MethodGet:
		w.WriteHeader(http.StatusTeapot) // nothing but reading
		return
	case s.expired:
		w.WriteHeader(http.StatusUnauthorized)
		answer = status("Unauthorized", "Unauthorized", http.StatusUnauthorized)
	case s.refused[r.URL.Path]:
		w.WriteHeader(http.StatusForbidden)
		what := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		answer = status("Forbidden", what+` is forbidden: User "dana" cannot list resource "`+what+`" in API group "g" in the namespace "shop"`, http.StatusForbidden)
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		answer = status("NotFound", "the server could not find the requested resource", http.StatusNotFound)
	case strings.HasSuffix(r.URL.Path, "/events"):
		answer = selected(answer, r.URL.Query().Get("fieldSelector"))
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// selected are the events that a field selector picks: the part of it that a fake clientset leaves out.
func selected(list any, selector string) any {
	wanted, err := fields.ParseSelector(selector)
	if err != nil {
		return status("BadRequest", err.Error(), http.StatusBadRequest)
	}
	all, _ := list.(object)
	items, _ := all["items"].([]any)
	var picked []any
	for _, event := range items {
		whole, _ := event.(object)
		involved, _ := whole["involvedObject"].(object)
		about := fields.Set{}
		for key, v := range involved {
			about["involvedObject."+key] = fmt.Sprint(v)
		}
		if wanted.Matches(about) {
			picked = append(picked, event)
		}
	}
	return listOf("v1", "EventList", picked...)
}

func (s *apiServer) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func status(reason, message string, code int) object {
	return object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message, "code": code}
}

func named(apiVersion, kind, namespace, name, uid string) object {
	return object{"apiVersion": apiVersion, "kind": kind, "metadata": object{"namespace": namespace, "name": name, "uid": uid}}
}

func listOf(apiVersion, kind string, items ...any) object {
	return object{"apiVersion": apiVersion, "kind": kind, "items": append([]any{}, items...)}
}

// context of a kubeconfig.
type kubeContext struct{ server, proxy, plugin string }

// kubeconfig writes one whose first context by name is the current one.
func kubeconfig(t *testing.T, contexts map[string]kubeContext) string {
	t.Helper()
	var clusters, users, all []any
	names := slices.Sorted(maps.Keys(contexts))
	for _, name := range names {
		c := contexts[name]
		cluster, user := object{"server": c.server}, object{}
		if c.proxy != "" {
			cluster["proxy-url"] = c.proxy
		}
		if c.plugin != "" {
			command := strings.Fields(c.plugin)
			user = object{"exec": object{"apiVersion": "client.authentication.k8s.io/v1", "command": command[0], "args": command[1:], "interactiveMode": "IfAvailable"}}
		}
		clusters = append(clusters, object{"name": name, "cluster": cluster})
		users = append(users, object{"name": name, "user": user})
		all = append(all, object{"name": name, "context": object{"cluster": name, "user": name}})
	}
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users, "contexts": all, "current-context": names[0]})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// web is the application of the tests: in the cluster of Argo CD, unless changed.
func web() *evidence.Application {
	app := &evidence.Application{}
	app.Metadata = evidence.Metadata{Namespace: "argocd", Name: "web", UID: "uid-of-web"}
	app.Spec.Destination = evidence.Destination{Server: "https://kubernetes.default.svc", Namespace: "shop"}
	return app
}

// clusterOf is the cluster of an application, through a kubeconfig.
func clusterOf(app *evidence.Application, o kube.Options) *kube.App {
	cluster := kube.Open(o).App(func() *evidence.Application { return app })
	cluster.Record = &evidence.Recording{}
	return cluster
}

// in is the cluster behind a server.
func (s *apiServer) in(t *testing.T) *kube.App {
	t.Helper()
	return clusterOf(web(), kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": {server: s.url}}), UserAgent: "argo-why/test"})
}
