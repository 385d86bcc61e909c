package kube_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
	"github.com/argo-why/argo-why/internal/kube"
)

const (
	incidentsPath = "/apis/argo-why.dev/v1alpha1/namespaces/bot/incidents"
	webPath       = incidentsPath + "/web-1"
)

// answer is what an API server said to one request. Code 0 is none: the connection breaks.
type answer struct {
	request string // "PUT /apis/…"
	code    int
	body    any
}

// scripted gives recorded answers in their order, and keeps what it was sent.
type scripted struct {
	t       *testing.T
	mu      sync.Mutex
	answers []answer
	sent    []string
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.sent = append(s.sent, string(body))
	request := r.Method + " " + r.URL.Path
	if len(s.answers) == 0 || s.answers[0].request != request {
		s.t.Errorf("it was asked %s, want %+v", request, s.answers)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	if a.code == 0 {
		panic(http.ErrAbortHandler)
	}
	if text, ok := a.body.(string); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(a.code)
		_, _ = io.WriteString(w, text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.code)
	if err := json.NewEncoder(w).Encode(a.body); err != nil {
		s.t.Error(err)
	}
}

// journal is in front of a server that says this, and nothing else.
func journal(t *testing.T, answers ...answer) (*kube.Journal, *scripted) {
	t.Helper()
	s := &scripted{t: t, answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		if len(s.answers) > 0 {
			t.Errorf("it was not asked %+v", s.answers)
		}
	})
	j, err := kube.OpenJournal(kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": {server: server.URL}})}, "bot")
	if err != nil {
		t.Fatal(err)
	}
	return j, s
}

// stored is an object as the API server gives it; without a phase it has no status.
func stored(name, version, phase string) object {
	o := object{"apiVersion": "argo-why.dev/v1alpha1", "kind": "Incident", "metadata": object{
		"name": name, "namespace": "bot", "resourceVersion": version, "creationTimestamp": time.Now().UTC().Format(time.RFC3339),
	}, "spec": object{"rule": "hook/job-failed"}}
	if phase != "" {
		o["status"] = object{"id": name, "phase": phase}
	}
	return o
}

// failure is an error answer about an incident.
func failure(request, reason, message string, code int) answer {
	s := status(reason, message, code)
	s["details"] = object{"group": "argo-why.dev", "kind": "incidents", "name": "web-1"}
	return answer{request, code, s}
}

const unknownPath = "404 page not found\n"

func TestWhatKeepsTheJournalFromTheClusterIsOneLine(t *testing.T) {
	const who = `incidents.argo-why.dev "web-1" is forbidden: User "system:serviceaccount:bot:argo-why" cannot %s resource "%s" in API group "argo-why.dev" in the namespace "bot"`
	old := journaltest.Small("web-1")
	old.Version = "7"
	tampered := stored("web-1", "7", "Open")
	tampered["status"] = object{"phase": "Open", "packedMembers": "AAAA"}
	ctx := t.Context()
	for name, x := range map[string]struct {
		answers []answer
		do      func(j *kube.Journal) error
		problem kube.Problem
		want    string
	}{
		"no definition, list": {[]answer{{"GET " + incidentsPath, 404, unknownPath}},
			func(j *kube.Journal) error { _, err := j.List(ctx); return err }, kube.Failed, "list incidents: the cluster does not know the kind Incident; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"no definition, get": {[]answer{{"GET " + webPath, 404, unknownPath}},
			func(j *kube.Journal) error { _, err := j.Get(ctx, "web-1"); return err }, kube.Failed, "get incident web-1: the cluster does not know the kind Incident; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"no definition, replace": {[]answer{{"PUT " + webPath + "/status", 404, unknownPath}},
			func(j *kube.Journal) error { return j.Put(ctx, old) }, kube.Failed, "put incident web-1: the cluster does not know the kind Incident; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"no definition, delete": {[]answer{{"DELETE " + webPath, 404, unknownPath}},
			func(j *kube.Journal) error { return j.Delete(ctx, old) }, kube.Failed, "delete incident web-1: the cluster does not know the kind Incident; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"may not replace": {[]answer{failure("PUT "+webPath+"/status", "Forbidden", fmt.Sprintf(who, "update", "incidents/status"), 403)},
			func(j *kube.Journal) error { return j.Put(ctx, old) }, kube.Forbidden, "put incident web-1: system:serviceaccount:bot:argo-why cannot update incidents.argo-why.dev/status in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account"},
		"may not delete": {[]answer{failure("DELETE "+webPath, "Forbidden", fmt.Sprintf(who, "delete", "incidents"), 403)},
			func(j *kube.Journal) error { return j.Delete(ctx, old) }, kube.Forbidden, "delete incident web-1: system:serviceaccount:bot:argo-why cannot delete incidents.argo-why.dev in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f"},
		"not logged in": {[]answer{{"GET " + incidentsPath, 401, status("Unauthorized", "Unauthorized", 401)}},
			func(j *kube.Journal) error { _, err := j.List(ctx); return err }, kube.NotLoggedIn, "list incidents: context lab: the credentials are not accepted or have expired; log in to the cluster again"},
		"etcd is down": {[]answer{{"GET " + webPath, 500, status("InternalError", "etcdserver: leader changed\n", 500)}},
			func(j *kube.Journal) error { _, err := j.Get(ctx, "web-1"); return err }, kube.Failed, "get incident web-1: etcdserver: leader changed"},
		"the connection breaks": {[]answer{{"PUT " + webPath + "/status", 0, nil}},
			func(j *kube.Journal) error { return j.Put(ctx, old) }, kube.Unreachable, "put incident web-1: 127.0.0.1:"},
		"an entry that was tampered with": {[]answer{{"GET " + webPath, 200, tampered}},
			func(j *kube.Journal) error { _, err := j.Get(ctx, "web-1"); return err }, kube.Failed, "get incident web-1: web-1 is damaged (unpack its members: unexpected EOF); delete it: kubectl -n bot delete incident web-1"},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := journal(t, x.answers...)
			err := x.do(j)
			var e *kube.Error
			if !errors.As(err, &e) || e.Problem != x.problem || !strings.HasPrefix(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s: %s", err, x.problem, x.want)
			}
			if errors.Is(err, incident.ErrNotFound) || errors.Is(err, incident.ErrConflict) {
				t.Errorf("%v says something about the entry", err)
			}
		})
	}
}

// TestACrashBetweenTheTwoStepsOfANewEntry leaves no entry, and the next attempt makes it whole.
func TestACrashBetweenTheTwoStepsOfANewEntry(t *testing.T) {
	j, s := journal(t,
		answer{"POST " + incidentsPath, 201, stored("web-1", "7", "")},
		answer{"PUT " + webPath + "/status", 0, nil},
		answer{"GET " + webPath, 200, stored("web-1", "7", "")},
		failure("POST "+incidentsPath, "AlreadyExists", `incidents.argo-why.dev "web-1" already exists`, 409),
		answer{"GET " + webPath, 200, stored("web-1", "7", "")},
		answer{"PUT " + webPath + "/status", 200, stored("web-1", "8", "Pending")},
	)
	i := journaltest.Small("web-1")
	if err := j.Put(t.Context(), i); err == nil || i.Version != "" {
		t.Fatalf("version %s, %v", i.Version, err)
	}
	if _, err := j.Get(t.Context(), "web-1"); !errors.Is(err, incident.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if err := j.Put(t.Context(), i); err != nil || i.Version != "8" {
		t.Errorf("version %s, %v", i.Version, err)
	}
	if last := s.sent[len(s.sent)-1]; !strings.Contains(last, `"resourceVersion":"7"`) {
		t.Errorf("the second step is not bound to what was found: %s", last)
	}
}

func TestWhoeverWasFasterIsAConflict(t *testing.T) {
	old := journaltest.Small("web-1")
	old.Version = "7"
	for name, x := range map[string]struct {
		answers []answer
		do      func(j *kube.Journal) error
	}{
		"replaced by another": {
			[]answer{failure("PUT "+webPath+"/status", "Conflict", "the object has been modified", 409)},
			func(j *kube.Journal) error { return j.Put(t.Context(), old) },
		},
		"deleted by another": {
			[]answer{failure("PUT "+webPath+"/status", "NotFound", `incidents.argo-why.dev "web-1" not found`, 404)},
			func(j *kube.Journal) error { return j.Put(t.Context(), old) },
		},
		"created by another": {
			[]answer{
				failure("POST "+incidentsPath, "AlreadyExists", "already exists", 409),
				{"GET " + webPath, 200, stored("web-1", "7", "Open")},
			},
			func(j *kube.Journal) error { return j.Put(t.Context(), journaltest.Small("web-1")) },
		},
		"created and deleted by another": {
			[]answer{
				failure("POST "+incidentsPath, "AlreadyExists", "already exists", 409),
				failure("GET "+webPath, "NotFound", "not found", 404),
			},
			func(j *kube.Journal) error { return j.Put(t.Context(), journaltest.Small("web-1")) },
		},
		"completed by another": {
			[]answer{
				failure("POST "+incidentsPath, "AlreadyExists", "already exists", 409),
				{"GET " + webPath, 200, stored("web-1", "7", "")},
				failure("PUT "+webPath+"/status", "Conflict", "the object has been modified", 409),
			},
			func(j *kube.Journal) error { return j.Put(t.Context(), journaltest.Small("web-1")) },
		},
		"not the one to delete": {
			[]answer{failure("DELETE "+webPath, "Conflict", "the ResourceVersion in the precondition does not match", 409)},
			func(j *kube.Journal) error { return j.Delete(t.Context(), old) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := journal(t, x.answers...)
			if err := x.do(j); !errors.Is(err, incident.ErrConflict) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestListRemovesWhatWasNeverCompleted, and only when nobody can be about to complete it.
func TestListRemovesWhatWasNeverCompleted(t *testing.T) {
	left := stored("a-1", "5", "")
	left["metadata"] = object{"name": "a-1", "namespace": "bot", "resourceVersion": "5", "creationTimestamp": "2026-01-01T00:00:00Z"}
	j, s := journal(t,
		answer{"GET " + incidentsPath, 200, listOf("argo-why.dev/v1alpha1", "IncidentList", left, stored("b-1", "6", ""), stored("web-1", "7", "Open"))},
		answer{"DELETE " + incidentsPath + "/a-1", 200, object{"kind": "Status", "apiVersion": "v1", "status": "Success"}},
		noMembers,
	)
	all, err := j.List(t.Context())
	if err != nil || len(all) != 1 || all[0].ID != "web-1" || all[0].Version != "7" {
		t.Errorf("got %+v, %v", all, err)
	}
	if last := s.sent[len(s.sent)-2]; !strings.Contains(last, `"preconditions":{"resourceVersion":"5"}`) {
		t.Errorf("deleted whatever it is now: %s", last)
	}
}

// noMembers is a cluster whose definitions are older than large incidents in parts: nobody needs them yet.
var noMembers = answer{"GET " + crdsPath + "incidentmembers", 404, "404 page not found"}

func TestAListOfManyPages(t *testing.T) {
	page := func(next string, items ...any) object {
		list := listOf("argo-why.dev/v1alpha1", "IncidentList", items...)
		list["metadata"] = object{"continue": next}
		return list
	}
	j, _ := journal(t,
		answer{"GET " + incidentsPath, 200, page("more", stored("a-1", "1", "Open"))},
		answer{"GET " + incidentsPath, 200, page("even-more", stored("b-1", "2", "Open"))},
		answer{"GET " + incidentsPath, 410, status("Expired", "The provided continue parameter is too old", 410)},
		answer{"GET " + incidentsPath, 200, page("", stored("a-1", "1", "Open"), stored("b-1", "2", "Open"), stored("c-1", "3", "Open"))},
		noMembers,
	)
	all, err := j.List(t.Context())
	if err != nil || len(all) != 3 || all[2].ID != "c-1" {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestTheCallersDeadlineIsTheirs(t *testing.T) {
	j, _ := journal(t)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	_, err := j.Get(ctx, "web-1")
	var e *kube.Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &e) || e.Problem != kube.TooSlow {
		t.Errorf("got %v", err)
	}
}
