package kube_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/action/journaltest"
	"github.com/argo-why/argo-why/internal/kube"
)

const (
	actionsPath = "/apis/argo-why.dev/v1alpha1/namespaces/bot/actionlogs"
	logName     = "web-b322e7e9da9ed7c8"
	logPath     = actionsPath + "/" + logName
)

var webApp = action.App{Namespace: "argocd", Name: "web"}

// actionJournal is in front of a server that says this, and nothing else.
func actionJournal(t *testing.T, answers ...answer) (*kube.ActionJournal, *scripted) {
	t.Helper()
	j, s := journal(t, answers...)
	return j.Actions(), s
}

// storedLog is an object as the API server gives it.
func storedLog(version string) object {
	return object{
		"apiVersion": "argo-why.dev/v1alpha1", "kind": "ActionLog", "metadata": object{"name": logName, "namespace": "bot", "resourceVersion": version},
		"app": object{"instance": "", "namespace": "argocd", "name": "web"}, "records": []any{object{"id": "a-1", "state": "Waiting"}},
	}
}

func logFailure(request, reason, message string, code int) answer {
	s := status(reason, message, code)
	s["details"] = object{"group": "argo-why.dev", "kind": "actionlogs", "name": logName}
	return answer{request, code, s}
}

// oldLog is one that was read as version 7.
func oldLog() *action.Log {
	l := journaltest.Small(webApp)
	l.Version = "7"
	return l
}

func TestWhatKeepsTheActionsFromTheClusterIsOneLine(t *testing.T) {
	const who = `actionlogs.argo-why.dev "web" is forbidden: User "system:serviceaccount:bot:argo-why" cannot %s resource "actionlogs" in API group "argo-why.dev" in the namespace "bot"`
	ctx := t.Context()
	foreign := storedLog("7")
	foreign["app"] = object{"instance": "prod", "namespace": "team", "name": "api"}
	tampered := storedLog("7")
	tampered["records"] = "none"
	nameless := storedLog("7")
	delete(nameless, "app")
	get := func(j *kube.ActionJournal) error { _, err := j.Get(ctx, webApp); return err }
	list := func(j *kube.ActionJournal) error { _, err := j.List(ctx); return err }
	for name, x := range map[string]struct {
		answers []answer
		do      func(j *kube.ActionJournal) error
		problem kube.Problem
		want    string
	}{
		"no definition, get": {[]answer{{"GET " + logPath, 404, unknownPath}},
			get, kube.Failed, "get the actions of web: the cluster does not know the kind ActionLog; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"no definition, create": {[]answer{{"POST " + actionsPath, 404, unknownPath}},
			func(j *kube.ActionJournal) error { return j.Put(ctx, journaltest.Small(webApp)) }, kube.Failed, "put the actions of web: the cluster does not know the kind ActionLog; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd"},
		"an older definition": {[]answer{{"PUT " + logPath, 400, status("BadRequest", `ActionLog in version "v1alpha1" cannot be handled as a ActionLog: strict decoding error: unknown field "records[0].click"`, 400)}},
			func(j *kube.ActionJournal) error { return j.Put(ctx, oldLog()) }, kube.Failed, "put the actions of web: the cluster has an older version of the kind ActionLog: "},
		"may not write": {[]answer{logFailure("PUT "+logPath, "Forbidden", fmt.Sprintf(who, "update"), 403)},
			func(j *kube.ActionJournal) error { return j.Put(ctx, oldLog()) }, kube.Forbidden, "put the actions of web: system:serviceaccount:bot:argo-why cannot update actionlogs.argo-why.dev in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it"},
		"may not list": {[]answer{logFailure("GET "+actionsPath, "Forbidden", fmt.Sprintf(who, "list"), 403)},
			list, kube.Forbidden, "list actions: system:serviceaccount:bot:argo-why cannot list actionlogs.argo-why.dev in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml"},
		"the connection breaks": {[]answer{{"PUT " + logPath, 0, nil}},
			func(j *kube.ActionJournal) error { return j.Put(ctx, oldLog()) }, kube.Unreachable, "put the actions of web: 127.0.0.1:"},
		"one of another application": {[]answer{{"GET " + logPath, 200, foreign}},
			get, kube.Failed, "get the actions of web: " + logName + " belongs to api in namespace team"},
		"one that was tampered with": {[]answer{{"GET " + logPath, 200, tampered}},
			get, kube.Failed, "get the actions of web: " + logName + " is damaged (it cannot be decoded); delete it: "},
		"one of nobody": {[]answer{{"GET " + actionsPath, 200, listOf("argo-why.dev/v1alpha1", "ActionLogList", nameless)}},
			list, kube.Failed, "list actions: " + logName + " is damaged (it names no application); delete it: kubectl -n bot delete actionlog " + logName},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := actionJournal(t, x.answers...)
			err := x.do(j)
			var e *kube.Error
			if !errors.As(err, &e) || e.Problem != x.problem || !strings.HasPrefix(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s: %s", err, x.problem, x.want)
			}
			if errors.Is(err, action.ErrConflict) {
				t.Errorf("%v says something about the log", err)
			}
		})
	}
}

// TestALogThatIsDamagedDoesNotHideTheOthers: it is named, and they are all there.
func TestALogThatIsDamagedDoesNotHideTheOthers(t *testing.T) {
	tampered := storedLog("6")
	tampered["records"] = "none"
	tampered["metadata"] = object{"name": "api-1", "namespace": "bot", "resourceVersion": "6"}
	j, _ := actionJournal(t, answer{"GET " + actionsPath, 200, listOf("argo-why.dev/v1alpha1", "ActionLogList", tampered, storedLog("7"))})
	all, err := j.List(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "list actions: api-1 is damaged (it cannot be decoded); delete it: ") {
		t.Errorf("got %v", err)
	}
	if len(all) != 1 || all[0].App != webApp || all[0].Version != "7" {
		t.Errorf("got %+v", all)
	}
}

func TestWhoeverWroteTheLogFirstIsAConflict(t *testing.T) {
	for name, x := range map[string]struct {
		answer answer
		log    *action.Log
	}{
		"replaced by another": {logFailure("PUT "+logPath, "Conflict", "the object has been modified", 409), oldLog()},
		"deleted by somebody": {logFailure("PUT "+logPath, "NotFound", "not found", 404), oldLog()},
		"created by another":  {logFailure("POST "+actionsPath, "AlreadyExists", "already exists", 409), journaltest.Small(webApp)},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := actionJournal(t, x.answer)
			before := x.log.Version
			if err := j.Put(t.Context(), x.log); !errors.Is(err, action.ErrConflict) || x.log.Version != before {
				t.Errorf("version %s, %v", x.log.Version, err)
			}
		})
	}
}

// TestALogIsOneRequest, which is bound to the version that was read.
func TestALogIsOneRequest(t *testing.T) {
	j, s := actionJournal(t,
		logFailure("GET "+logPath, "NotFound", "not found", 404),
		answer{"POST " + actionsPath, 201, storedLog("7")},
		answer{"PUT " + logPath, 200, storedLog("8")},
	)
	l, err := j.Get(t.Context(), webApp)
	if err != nil || l.App != webApp || l.Version != "" || len(l.Records) != 0 {
		t.Fatalf("%+v, %v", l, err)
	}
	l.Records = journaltest.Small(webApp).Records
	if err := j.Put(t.Context(), l); err != nil || l.Version != "7" || strings.Contains(s.sent[1], "resourceVersion") {
		t.Fatalf("version %s, %v: %s", l.Version, err, s.sent[1])
	}
	if err := j.Put(t.Context(), l); err != nil || l.Version != "8" || !strings.Contains(s.sent[2], `"resourceVersion":"7"`) {
		t.Errorf("version %s, %v: %s", l.Version, err, s.sent[2])
	}
}

// TestCheckAsksForAllKinds: a cluster that was set up for incidents alone is named as what it is.
func TestCheckAsksForAllKinds(t *testing.T) {
	review := func(allowed bool) answer {
		return answer{"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", 201, object{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "status": object{"allowed": allowed}}}
	}
	answers := []answer{{"GET " + incidentsPath, 200, listOf("argo-why.dev/v1alpha1", "IncidentList")}}
	for range 6 {
		answers = append(answers, review(true))
	}
	answers = append(answers, answer{"GET " + crdsPath + "incidentmembers", 200, listOf("argo-why.dev/v1alpha1", "IncidentMembersList")}, review(true), review(true), review(true))
	j, _ := journal(t, append(answers, answer{"GET " + actionsPath, 404, unknownPath}, review(true), review(true), review(true))...)
	if err := j.Check(t.Context()); err == nil || err.Error() != "check the journal of actions: the cluster does not know the kind ActionLog; set crds.install=true in the Helm chart, or kubectl apply -f deploy/crd" {
		t.Errorf("got %v", err)
	}
	answers = append(answers, answer{"GET " + actionsPath, 200, listOf("argo-why.dev/v1alpha1", "ActionLogList")})
	j, s := journal(t, append(answers, review(true), review(true), review(true), review(false), review(false), review(true), review(true), review(true), review(false))...)
	want := "check the journal of actions: the bot cannot create actionlogs.argo-why.dev in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account\n" +
		"check the journal of actions: the bot cannot update actionlogs.argo-why.dev in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account\n" +
		"check the election of a leader: the bot cannot update leases.coordination.k8s.io/argo-why in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account"
	if err := j.Check(t.Context()); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if last := s.sent[len(s.sent)-1]; !strings.Contains(last, `"resource":"leases"`) || !strings.Contains(last, `"verb":"update"`) {
		t.Errorf("asked for %s", last)
	}
}
