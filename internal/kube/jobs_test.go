package kube_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
)

const (
	appPath    = "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web"
	jobPath    = "/apis/batch/v1/namespaces/shop/jobs/db-migrate"
	eventsPath = "/api/v1/namespaces/argocd/events"
	reviewPath = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
)

var (
	migrate = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate"}
	// proof shows that it is the cluster of Argo CD.
	proof = answer{"GET " + appPath, 200, named("argoproj.io/v1alpha1", "Application", "argocd", "web", "uid-of-web")}
	done  = object{"apiVersion": "v1", "kind": "Status", "status": "Success"}
)

// scriptedCluster is the application's, in front of a server that says this, and nothing else.
func scriptedCluster(t *testing.T, answers ...answer) (*kube.App, *scripted) {
	t.Helper()
	s := &scripted{t: t, answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		if len(s.answers) > 0 {
			t.Errorf("it was not asked %+v", s.answers)
		}
	})
	o := kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": {server: server.URL}})}
	return kube.Open(o).App(web), s
}

// about is an error answer about an object of a kind.
func about(request, kind, reason, message string, code int) answer {
	s := status(reason, message, code)
	s["details"] = object{"kind": kind, "name": "db-migrate"}
	return answer{request, code, s}
}

func TestAJobIsDeletedByItsUIDAndWithItsPods(t *testing.T) {
	cluster, s := scriptedCluster(t, proof, answer{"DELETE " + jobPath, 200, done})
	if err := cluster.DeleteJob(t.Context(), migrate, "u1"); err != nil {
		t.Fatal(err)
	}
	var asked map[string]any
	if err := json.Unmarshal([]byte(s.sent[1]), &asked); err != nil {
		t.Fatal(err)
	}
	conditions, _ := asked["preconditions"].(map[string]any)
	if conditions["uid"] != "u1" || asked["propagationPolicy"] != "Background" {
		t.Errorf("asked %s", s.sent[1])
	}
}

func TestAJobIsNotDeleted(t *testing.T) {
	const who = `jobs.batch "db-migrate" is forbidden: User "system:serviceaccount:bot:argo-why" cannot delete resource "jobs" in API group "batch" in the namespace "shop"`
	const request = "DELETE " + jobPath
	pod, nowhere := migrate, migrate
	pod.Group, pod.Kind, nowhere.Namespace = "", "Pod", ""
	other := proof
	other.body = named("argoproj.io/v1alpha1", "Application", "argocd", "web", "another")
	for name, x := range map[string]struct {
		answers []answer
		ref     evidence.Ref
		uid     string
		changed bool
		want    string
		// touched: the cluster may have done something, or says that there is nothing to do.
		touched bool
	}{
		"another one has its name": {[]answer{proof, about(request, "jobs", "Conflict", "Precondition failed: UID in precondition: u1, UID in object meta: u2", 409)}, migrate, "u1", true,
			"delete Job/db-migrate: it has changed in the meantime", true},
		"it is gone": {[]answer{proof, about(request, "jobs", "NotFound", `jobs.batch "db-migrate" not found`, 404)}, migrate, "u1", true,
			"delete Job/db-migrate: it has changed in the meantime", true},
		"the UID is not known": {nil, migrate, "", false, "delete Job/db-migrate: the UID of the Job is not known", true},
		"it is not a Job":      {nil, pod, "u1", false, "delete Pod/db-migrate: it is not a Job", true},
		"of no namespace":      {nil, nowhere, "u1", false, "delete Job/db-migrate: the namespace is not known", true},
		"the right is missing": {[]answer{proof, about(request, "jobs", "Forbidden", who, 403)}, migrate, "u1", false,
			"delete Job/db-migrate: system:serviceaccount:bot:argo-why cannot delete jobs.batch in namespace shop; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account", false},
		"a server that has no Jobs": {[]answer{proof, {request, 404, unknownPath}}, migrate, "u1", false, "delete Job/db-migrate: ", true},
		"a webhook refuses it": {[]answer{proof, about(request, "", "", `admission webhook "keep.example.com" denied the request: keep it`, 400)}, migrate, "u1", false,
			`delete Job/db-migrate: admission webhook "keep.example.com" denied the request: keep it`, true},
		"another cluster":                     {[]answer{other}, migrate, "u1", false, "delete Job/db-migrate: context lab is another cluster (its Application argocd/web is another one); use --kube-context NAME", false},
		"nobody knows whether it was deleted": {[]answer{proof, {request, 0, nil}}, migrate, "u1", false, "delete Job/db-migrate: 127.0.0.1:", true},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, _ := scriptedCluster(t, x.answers...)
			err := cluster.DeleteJob(t.Context(), x.ref, x.uid)
			if err == nil || !strings.HasPrefix(err.Error(), x.want) || strings.Contains(err.Error(), "\n") || errors.Is(err, action.ErrChanged) != x.changed {
				t.Errorf("got  %v\nwant %s", err, x.want)
			}
			if kube.Untouched(err) == x.touched {
				t.Errorf("untouched %v: %v", kube.Untouched(err), err)
			}
		})
	}
}

// TestAJobOfAClusterThatIsAway: there is another way to delete it.
func TestAJobOfAClusterThatIsAway(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	cluster := kube.Open(kube.Options{Kubeconfig: kubeconfig(t, map[string]kubeContext{"lab": {server: server.URL}})}).App(web)
	if err := cluster.DeleteJob(t.Context(), migrate, "u1"); !kube.Untouched(err) || !strings.HasSuffix(err.Error(), " does not answer (connection refused); check the address in the kubeconfig, the network and the VPN") {
		t.Errorf("got %v", err)
	}
}

// told is what happened, for an event.
func told() action.Event {
	return action.Event{Record: "web-k3v9q2mz", Reason: "ArgoWhyDeleteHookJob", Message: "dana deleted Job db-migrate", At: time.Date(2026, 11, 21, 10, 0, 0, 5, time.FixedZone("", 3600))}
}

func TestAnEventStandsOnTheApplicationOnce(t *testing.T) {
	cluster, s := scriptedCluster(t,
		proof, answer{"POST " + eventsPath, 201, object{"apiVersion": "v1", "kind": "Event"}},
		proof, about("POST "+eventsPath, "events", "AlreadyExists", `events "argo-why.web-k3v9q2mz" already exists`, 409),
	)
	for range 2 {
		if err := cluster.Announce(t.Context(), told()); err != nil {
			t.Fatal(err)
		}
	}
	if s.sent[1] != s.sent[3] {
		t.Errorf("the second time it is another event:\n%s\n%s", s.sent[1], s.sent[3])
	}
	var event map[string]any
	if err := json.Unmarshal([]byte(s.sent[1]), &event); err != nil {
		t.Fatal(err)
	}
	delete(event, "reportingInstance") // the machine
	got, err := json.Marshal(event)
	want := `{"action":"ArgoWhyDeleteHookJob","apiVersion":"v1","count":1,"firstTimestamp":"2026-11-21T09:00:00Z",` +
		`"involvedObject":{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","name":"web","namespace":"argocd","uid":"uid-of-web"},` +
		`"kind":"Event","lastTimestamp":"2026-11-21T09:00:00Z","message":"dana deleted Job db-migrate","metadata":{"name":"argo-why.web-k3v9q2mz","namespace":"argocd"},` +
		`"reason":"ArgoWhyDeleteHookJob","reportingComponent":"argo-why","source":{"component":"argo-why"},"type":"Normal"}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestALongMessageIsCut(t *testing.T) {
	cluster, s := scriptedCluster(t, proof, answer{"POST " + eventsPath, 201, object{"apiVersion": "v1", "kind": "Event"}})
	e := told()
	e.Warning, e.Message = true, strings.Repeat("größer ", 200)
	if err := cluster.Announce(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	var event struct{ Type, Message string }
	if err := json.Unmarshal([]byte(s.sent[1]), &event); err != nil {
		t.Fatal(err)
	}
	cut, marked := strings.CutSuffix(event.Message, "…")
	if !marked || len(event.Message) > 1024 || len(event.Message) < 1020 || !strings.HasPrefix(e.Message, cut) || event.Type != "Warning" {
		t.Errorf("%s of %d bytes: %s", event.Type, len(event.Message), event.Message)
	}
}

func TestAnEventIsNotWritten(t *testing.T) {
	const who = `events is forbidden: User "system:serviceaccount:bot:argo-why" cannot create resource "events" in API group "" in the namespace "argocd"`
	none := about("GET "+appPath, "applications", "NotFound", "not found", 404)
	for name, x := range map[string]struct {
		answers []answer
		record  string
		want    string
	}{
		"the right is missing": {[]answer{proof, about("POST "+eventsPath, "events", "Forbidden", who, 403)}, "r1",
			"system:serviceaccount:bot:argo-why cannot create events in namespace argocd; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"},
		"another cluster":        {[]answer{none}, "r1", "context lab is another cluster (it has no Application argocd/web); use --kube-context NAME"},
		"a record without an ID": {nil, "", `"" cannot be a name: `},
		"a record with any ID":   {nil, "../pods", `"../pods" cannot be a name: `},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, _ := scriptedCluster(t, x.answers...)
			err := cluster.Announce(t.Context(), action.Event{Record: x.record, Reason: "R", Message: "m"})
			if err == nil || !strings.HasPrefix(err.Error(), "write an event on the Application: "+x.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, x.want)
			}
		})
	}
}

func TestWhichRightTheBotLacks(t *testing.T) {
	review := func(allowed bool) answer {
		return answer{"POST " + reviewPath, 201, object{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "status": object{"allowed": allowed}}}
	}
	jobs := func(namespace string) func(*kube.App) (string, error) {
		return func(a *kube.App) (string, error) { return a.LacksJobs(t.Context(), namespace) }
	}
	events := func(a *kube.App) (string, error) { return a.LacksEvents(t.Context(), "argocd") }
	const remedied = "; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"
	for name, x := range map[string]struct {
		answers []answer
		ask     func(*kube.App) (string, error)
		want    string
		err     string
	}{
		"none, of Jobs":   {[]answer{proof, review(true), review(true)}, jobs("shop"), "", ""},
		"to delete them":  {[]answer{proof, review(true), review(false)}, jobs("shop"), "the bot cannot delete jobs.batch in namespace shop" + remedied, ""},
		"everywhere":      {[]answer{proof, review(false)}, jobs(""), "the bot cannot get jobs.batch in all namespaces" + remedied, ""},
		"none, of events": {[]answer{proof, review(true)}, events, "", ""},
		"to write events": {[]answer{proof, review(false)}, events, "the bot cannot create events in namespace argocd" + remedied, ""},
		"to look at the Application": {[]answer{about("GET "+appPath, "applications", "Forbidden", `applications.argoproj.io "web" is forbidden: User "dana" cannot get resource "applications" in API group "argoproj.io" in the namespace "argocd"`, 403)}, events,
			"dana cannot get applications.argoproj.io in namespace argocd, which is needed to identify the cluster of context lab" + remedied, ""},
		"no answer is no yes": {[]answer{proof, {"POST " + reviewPath, 500, status("InternalError", "no", 500)}}, jobs("shop"), "", "read the bot's rights: no"},
		"of another cluster": {[]answer{about("GET "+appPath, "applications", "NotFound", "not found", 404)}, jobs("shop"), "",
			"read the bot's rights: context lab is another cluster (it has no Application argocd/web); use --kube-context NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, _ := scriptedCluster(t, x.answers...)
			lacks, err := x.ask(cluster)
			if lacks != x.want || err != nil && err.Error() != x.err || err == nil && x.err != "" {
				t.Errorf("got  %q, %v\nwant %q, %s", lacks, err, x.want, x.err)
			}
		})
	}
}
