package kube_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/kube"
)

// crds is what the journal needs of an API server: custom resources of one namespace with resource versions, a status subresource,
// pages and preconditions. test/journal runs the same suite against a real one; this one counts what is written, and refuses what etcd
// would.
type crds struct {
	url string

	mu      sync.Mutex
	objects map[string]object // by path
	version int
	// written are the bytes of all requests that wrote, writes how many they were, largest the largest of them.
	written, writes, largest int
	// reads are the requests for parts, read the parts in the answers.
	reads, read int
	// meddle is called before the parts are listed the next time.
	meddle func()
	// events are what happened, for watches; happened is closed with the next one.
	events   []event
	happened chan struct{}
}

// event is what a watch sends.
type event struct {
	Type    string `json:"type"`
	Object  object `json:"object"`
	plural  string
	version int
}

// etcdLimit is the largest request that etcd takes.
const etcdLimit = 1.5 * 1024 * 1024

const crdsPath = "/apis/argo-why.dev/v1alpha1/namespaces/bot/"

func newCRDs(t *testing.T) *crds {
	t.Helper()
	s := &crds{objects: map[string]object{}, happened: make(chan struct{})}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// journal is a process in front of it.
func (s *crds) journal(t *testing.T) *kube.Journal {
	t.Helper()
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": {server: s.url}})}, "bot")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// reset begins to count anew.
func (s *crds) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written, s.writes, s.largest, s.reads, s.read = 0, 0, 0, 0, 0
}

// meta are the metadata of an object; nil where it has none.
func meta(o object) object {
	m, _ := o["metadata"].(object)
	return m
}

// parts are the names of all parts.
func (s *crds) parts() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range s.objects {
		if name, ok := strings.CutPrefix(path, "incidentmembers/"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *crds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, crdsPath)
	plural, name, _ := strings.Cut(path, "/")
	body, err := io.ReadAll(r.Body)
	if !ok || err != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if r.URL.Query().Has("watch") {
		s.watch(w, r, plural)
		return
	}
	if meddle := s.before(r.Method, plural, name); meddle != nil {
		meddle()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	code, answer := s.serve(r, plural, name, body)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *crds) before(method, plural, name string) (meddle func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == http.MethodGet && plural == "incidentmembers" && name == "" {
		meddle, s.meddle = s.meddle, nil
	}
	return meddle
}

func (s *crds) serve(r *http.Request, plural, name string, body []byte) (code int, answer object) {
	refused := func(reason string, code int) (int, object) {
		st := status(reason, fmt.Sprintf("%s %q: %s", plural, name, reason), code)
		st["details"] = object{"group": "argo-why.dev", "kind": plural, "name": name}
		return code, st
	}
	name, subresource, _ := strings.Cut(name, "/")
	path := plural + "/" + name
	var sent object
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&sent); len(body) > 0 && err != nil {
		return refused("BadRequest", http.StatusBadRequest)
	}
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		s.written, s.writes, s.largest = s.written+len(body), s.writes+1, max(s.largest, len(body))
		if len(body) > etcdLimit {
			return refused("RequestEntityTooLarge", http.StatusRequestEntityTooLarge)
		}
	}
	held := s.objects[path]
	switch {
	case r.Method == http.MethodGet && name == "":
		return http.StatusOK, s.page(r, plural)
	case r.Method == http.MethodPost:
		path = plural + "/" + fmt.Sprint(meta(sent)["name"])
		if s.objects[path] != nil {
			return refused("AlreadyExists", http.StatusConflict)
		}
		if name := meta(sent)["name"]; name == nil || name == "" {
			return refused("Invalid", http.StatusUnprocessableEntity)
		}
		delete(sent, "status")
		meta(sent)["uid"] = "uid-" + strconv.Itoa(s.version)
		meta(sent)["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339)
		return http.StatusCreated, s.put(path, sent)
	case held == nil:
		return refused("NotFound", http.StatusNotFound)
	case r.Method == http.MethodGet:
		return http.StatusOK, held
	case r.Method == http.MethodPut:
		if meta(sent)["resourceVersion"] != meta(held)["resourceVersion"] {
			return refused("Conflict", http.StatusConflict)
		}
		changed := maps.Clone(held)
		changed["metadata"] = maps.Clone(meta(held))
		switch subresource {
		case "status":
			changed["status"] = sent["status"]
		default:
			sent["metadata"] = changed["metadata"]
			changed = sent
		}
		return http.StatusOK, s.put(path, changed)
	case r.Method == http.MethodDelete:
		if conditions, ok := sent["preconditions"].(object); ok {
			for key, want := range conditions {
				if meta(held)[key] != want {
					return refused("Conflict", http.StatusConflict)
				}
			}
		}
		delete(s.objects, path)
		s.version++
		s.tell("DELETED", path, held)
		return http.StatusOK, object{"kind": "Status", "apiVersion": "v1", "status": "Success"}
	}
	return refused("MethodNotAllowed", http.StatusMethodNotAllowed)
}

// put keeps an object under its next version.
func (s *crds) put(path string, o object) object {
	s.version++
	meta(o)["resourceVersion"] = strconv.Itoa(s.version)
	kind := "MODIFIED"
	if s.objects[path] == nil {
		kind = "ADDED"
	}
	s.objects[path] = o
	s.tell(kind, path, o)
	return o
}

// tell sends an event to the watches.
func (s *crds) tell(kind, path string, o object) {
	plural, _, _ := strings.Cut(path, "/")
	s.events = append(s.events, event{kind, o, plural, s.version})
	close(s.happened)
	s.happened = make(chan struct{})
}

// watch sends what happens after a version, until the client has enough.
func (s *crds) watch(w http.ResponseWriter, r *http.Request, plural string) {
	since, err := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	for {
		s.mu.Lock()
		for _, e := range s.events {
			if e.plural == plural && e.version > since {
				_ = json.NewEncoder(w).Encode(e)
			}
		}
		since = s.version
		happened := s.happened
		s.mu.Unlock()
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-happened:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *crds) page(r *http.Request, plural string) object {
	var items []any
	_, label, _ := strings.Cut(r.URL.Query().Get("labelSelector"), "=")
	_, only, _ := strings.Cut(r.URL.Query().Get("fieldSelector"), "metadata.name=")
	paths := slices.Sorted(maps.Keys(s.objects))
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil {
		limit = len(paths)
	}
	next, last := "", ""
	for _, path := range paths {
		labels, _ := meta(s.objects[path])["labels"].(object)
		switch {
		case !strings.HasPrefix(path, plural+"/"), path <= r.URL.Query().Get("continue"), label != "" && labels["argo-why.dev/incident"] != label, only != "" && path != plural+"/"+only:
			continue
		case len(items) == limit:
			next = last
		default:
			items, last = append(items, s.objects[path]), path
			continue
		}
		break
	}
	if plural == "incidentmembers" {
		s.reads, s.read = s.reads+1, s.read+len(items)
	}
	list := listOf("argo-why.dev/v1alpha1", map[string]string{"incidents": "IncidentList", "incidentmembers": "IncidentMembersList", "actionlogs": "ActionLogList"}[plural], items...)
	list["metadata"] = object{"continue": next, "resourceVersion": strconv.Itoa(s.version)}
	return list
}
