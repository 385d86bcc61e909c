package planted_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/test/planted"
)

// cluster is a Kubernetes API server as far as the bot's journal and its Events need one. It notes what it is sent, allows everything, and
// knows neither versions nor definitions.
type cluster struct {
	table *planted.Table

	mu      sync.Mutex
	objects map[string]map[string]any // by path
	version int
}

// outputs are what is written there, by the end of the path of its kind.
var written = map[string]string{"incidents": "Incident", "actionlogs": "ActionLog", "events": "Event"}

func newCluster(t *testing.T, table *planted.Table) (kubeconfig string) {
	t.Helper()
	c := &cluster{table: table, objects: map[string]map[string]any{}}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"lab",
		"clusters":[{"name":"lab","cluster":{"server":%q}}],"users":[{"name":"lab","user":{}}],
		"contexts":[{"name":"lab","context":{"cluster":"lab","user":"lab","namespace":"bot"}}]}`, server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	where := strings.TrimSuffix(r.URL.Path, "/status")
	for kind, output := range written {
		if slices.Contains(strings.Split(where, "/"), kind) && r.Method != http.MethodGet {
			c.table.Look(output, string(body))
		}
	}
	code, answer := c.answer(r, where, body)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func (c *cluster) answer(r *http.Request, where string, body []byte) (int, any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sent map[string]any
	if len(body) > 0 && r.Method != http.MethodDelete {
		if err := json.Unmarshal(body, &sent); err != nil {
			return http.StatusBadRequest, failure("BadRequest", err.Error(), http.StatusBadRequest)
		}
	}
	switch {
	case strings.HasSuffix(where, "selfsubjectaccessreviews"):
		sent["status"] = map[string]any{"allowed": true}
		return http.StatusCreated, sent
	case strings.Contains(where, "/applications/"):
		return http.StatusOK, map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": map[string]any{
			"namespace": "argocd", "name": path.Base(where), "uid": planted.UID,
		}}
	case r.Method == http.MethodPost:
		metadata, _ := sent["metadata"].(map[string]any)
		return http.StatusCreated, c.keep(where+"/"+fmt.Sprint(metadata["name"]), sent)
	case r.Method == http.MethodPut:
		if was := c.objects[where]; was != nil && sent["spec"] == nil {
			sent["spec"] = was["spec"]
		}
		return http.StatusOK, c.keep(where, sent)
	case r.Method == http.MethodDelete:
		delete(c.objects, where)
		return http.StatusOK, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"}
	case c.objects[where] != nil:
		return http.StatusOK, c.objects[where]
	case written[path.Base(where)] != "":
		return http.StatusOK, map[string]any{"apiVersion": "argo-why.dev/v1alpha1", "kind": "List", "metadata": map[string]any{}, "items": c.under(where)}
	}
	answer := failure("NotFound", "not found", http.StatusNotFound)
	answer["details"] = map[string]any{"name": path.Base(where), "kind": path.Base(path.Dir(where))}
	return http.StatusNotFound, answer
}

func (c *cluster) keep(where string, o map[string]any) map[string]any {
	metadata, ok := o["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		o["metadata"] = metadata
	}
	c.version++
	metadata["resourceVersion"] = strconv.Itoa(c.version)
	c.objects[where] = o
	return o
}

func (c *cluster) under(where string) []any {
	out := []any{}
	for _, at := range slices.Sorted(maps.Keys(c.objects)) {
		if path.Dir(at) == where {
			out = append(out, c.objects[at])
		}
	}
	return out
}

func failure(reason, message string, code int) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message, "code": code}
}
