package conceal_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/conceal"
)

// apps are all applications by namespace and name: true for one that the reader may not see.
type apps map[[2]string]bool

func (a apps) Hidden(namespace, name string) (hidden, listed bool) {
	if namespace != "" {
		hidden, listed = a[[2]string{namespace, name}]
		return hidden || !listed, listed
	}
	for key, is := range a {
		if key[1] == name {
			hidden, listed = hidden || is, true
		}
	}
	return hidden, listed
}

// HiddenProject: the reader sees no project whose name begins with vault.
func (a apps) HiddenProject(name string) (hidden, listed bool) {
	return strings.HasPrefix(name, "vault"), strings.HasPrefix(name, "vault") || name == "default"
}

var known = apps{
	{"argocd", "platform"}: false, {"argocd", "shop"}: false, {"argocd", "web"}: false,
	{"argocd", "vault-core"}: true, {"team-x", "ledger"}: true, {"argocd", "redis"}: true, {"argocd", "zeus"}: true,
}

// source has one fact of each kind.
type source struct {
	evidence.Source
	app     *evidence.Application
	tree    *evidence.Tree
	managed []evidence.ResourceDiff
	object  evidence.Object
	events  []evidence.Event
	log     evidence.Log
	read    []string
}

func (s *source) Subject(context.Context) (evidence.Subject, error) {
	return evidence.Subject{Application: s.app}, nil
}
func (s *source) Tree(context.Context) (*evidence.Tree, error) { return s.tree, nil }
func (s *source) ManagedResources(context.Context) ([]evidence.ResourceDiff, error) {
	return s.managed, nil
}

func (s *source) Object(_ context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	s.read = append(s.read, q.Name)
	return s.object, nil
}

func (s *source) Events(_ context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	s.read = append(s.read, q.Name)
	return s.events, nil
}
func (s *source) Log(context.Context, evidence.LogQuery) (evidence.Log, error) { return s.log, nil }
func (s *source) Child(_ context.Context, ref evidence.Ref) (*evidence.Application, error) {
	s.read = append(s.read, ref.Name)
	return s.app, nil
}

const errorText = "container vaultd exits 1: cannot unseal with key share 3"

// parent is an app of apps with two children that the reader may not see, one that he may, and a Deployment.
func parent(t *testing.T) *source {
	t.Helper()
	s := &source{}
	decode(t, &s.app, `{
	 "metadata": {"name": "platform", "namespace": "argocd", "annotations": {"argocd.argoproj.io/tracking-id": "zeus:argoproj.io/Application:argocd/platform"}},
	 "spec": {"project": "default", "destination": {"namespace": "argocd"}},
	 "status": {
	  "health": {"status": "Degraded", "message": "`+errorText+`"},
	  "conditions": [
	   {"type": "SharedResourceWarning", "message": "ConfigMap/limits is part of applications argocd/zeus and platform"},
	   {"type": "SyncError", "message": "Failed sync attempt: one or more objects failed to apply, reason: Application.argoproj.io \"vault-core\" is invalid: spec.project: vault-prod is not permitted (retried 5 times)."}],
	  "resources": [
	   {"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "Synced", "health": {"status": "Degraded", "message": "`+errorText+`"}},
	   {"group": "argoproj.io", "kind": "Application", "namespace": "team-x", "name": "ledger", "status": "OutOfSync", "health": {"status": "Healthy"}},
	   {"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "shop", "status": "Synced", "health": {"status": "Degraded", "message": "no replicas"}},
	   {"group": "apps", "kind": "Deployment", "namespace": "redis", "name": "redis", "status": "Synced", "health": {"status": "Healthy"}}],
	  "operationState": {"phase": "Running", "message": "waiting for healthy state of argoproj.io/Application/vault-core and 1 more resources",
	   "operation": {"sync": {"resources": [{"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core"}]}},
	   "syncResult": {"resources": [{"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "SyncFailed", "message": "spec.project: vault-prod is not permitted"}]}}
	 }}`)
	decode(t, &s.tree, `{"nodes": [
	  {"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core", "uid": "1", "health": {"status": "Degraded", "message": "`+errorText+`"}, "info": [{"name": "Revision", "value": "vault-core@1"}]},
	  {"kind": "ConfigMap", "name": "x", "parentRefs": [{"group": "argoproj.io", "kind": "Application", "namespace": "team-x", "name": "ledger"}]}]}`)
	decode(t, &s.managed, `[
	  {"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core", "liveState": "{\"spec\":{\"project\":\"vault-prod\"}}"},
	  {"kind": "ConfigMap", "name": "limits", "liveState": "{\"metadata\":{\"labels\":{\"app.kubernetes.io/instance\":\"zeus\"},\"annotations\":{\"argocd.argoproj.io/tracking-id\":\"zeus:/ConfigMap:argocd/limits\"}}}"}]`)
	decode(t, &s.object, `{"kind": "ConfigMap", "metadata": {"name": "limits", "labels": {"app.kubernetes.io/instance": "zeus", "app": "redis"}, "annotations": {"note": "see https://argocd.example.com/applications/argocd/zeus?view=tree"}}}`)
	decode(t, &s.events, `[{"message": "application zeus took Deployment redis"}]`)
	s.log = evidence.Log{Text: "waiting for apps zeus, redis\nredis: connected\nvault-core says no"}
	return s
}

func decode(t *testing.T, to any, raw string) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), to); err != nil {
		t.Fatal(err)
	}
}

func shown(t *testing.T, facts ...any) string {
	t.Helper()
	raw, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestNoFactNamesWhatTheReaderMayNotSee(t *testing.T) {
	inner, ctx := parent(t), t.Context()
	before := shown(t, inner.app, inner.tree, inner.managed, inner.object, inner.events)
	s := conceal.New(inner, "argocd", "platform", known)
	subject, err1 := s.Subject(ctx)
	tree, err2 := s.Tree(ctx)
	managed, err3 := s.ManagedResources(ctx)
	object, err4 := s.Object(ctx, evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Name: "limits"}})
	events, err5 := s.Events(ctx, evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Name: "limits"}})
	log, err6 := s.Log(ctx, evidence.LogQuery{})
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Fatal(err)
	}
	facts := shown(t, subject, tree, managed, object, events, log)
	for _, secret := range []string{"vault-core", "ledger", "team-x", "zeus", "vaultd", "unseal", "vault-prod"} {
		if at := strings.Index(facts, secret); at >= 0 {
			t.Errorf("%q in …%s…", secret, facts[max(0, at-80):min(len(facts), at+80)])
		}
	}
	for _, stays := range []string{`"name":"shop"`, "no replicas", `"name":"redis"`, "redis: connected", "Deployment redis", `"app":"redis"`, "(private-1)", "(private-2)", "ConfigMap/limits is part of applications (private) and platform"} {
		if !strings.Contains(facts, stays) {
			t.Errorf("%q is missing in %s", stays, facts)
		}
	}
	if r := subject.Application.Status.Resources; r[0].Name != "(private-1)" || r[0].Health.Status != "Degraded" || r[1].Name != "(private-2)" || r[1].Status != "OutOfSync" {
		t.Errorf("%+v", r)
	}
	if got := subject.Application.Status.OperationState.Message; got != "waiting for healthy state of argoproj.io/Application/(private-1) and 1 more resources" {
		t.Errorf("the operation says %q", got)
	}
	if after := shown(t, inner.app, inner.tree, inner.managed, inner.object, inner.events); after != before {
		t.Error("the original was changed")
	}
}

func TestNothingIsReadOfWhatTheReaderMayNotSee(t *testing.T) {
	inner, ctx := parent(t), t.Context()
	s := conceal.New(inner, "argocd", "platform", known)
	if _, err := s.Subject(ctx); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vault-core", "(private-1)", "nobody-lists-it"} {
		ref := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: name}
		_, err1 := s.Child(ctx, ref)
		_, err2 := s.Object(ctx, evidence.ObjectQuery{Ref: ref})
		_, err3 := s.Events(ctx, evidence.ObjectQuery{Ref: ref})
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, evidence.ErrAbsent) || strings.Contains(err.Error(), "vault-core") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if len(inner.read) > 0 {
		t.Errorf("read %v", inner.read)
	}
	for _, name := range []string{"shop", "platform"} {
		if _, err := s.Child(ctx, evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: name}); err != nil {
			t.Error(err)
		}
	}
}

// Two private children have one name: a text that says no namespace means the one beside the application itself.
func TestATextMeansTheChildBesideTheApplication(t *testing.T) {
	for _, namespace := range []string{"aaa", "team-x"} {
		inner := &source{}
		decode(t, &inner.app, `{"metadata": {"name": "platform", "namespace": "argocd"}, "status": {
		 "resources": [{"group": "argoproj.io", "kind": "Application", "namespace": "argocd", "name": "vault-core"}],
		 "operationState": {"message": "waiting for healthy state of argoproj.io/Application/vault-core",
		  "syncResult": {"resources": [{"group": "argoproj.io", "kind": "Application", "namespace": "`+namespace+`", "name": "vault-core"}]}}}}`)
		all := apps{{"argocd", "vault-core"}: true, {namespace, "vault-core"}: true}
		subject, err := conceal.New(inner, "argocd", "platform", all).Subject(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		status := subject.Application.Status
		if want := "waiting for healthy state of argoproj.io/Application/" + status.Resources[0].Name; status.OperationState.Message != want {
			t.Errorf("beside %s: %q instead of %q", namespace, status.OperationState.Message, want)
		}
	}
}

func TestEvidenceThatNamesNobodyIsNotCopied(t *testing.T) {
	inner := &source{app: &evidence.Application{}}
	inner.app.Metadata.Name, inner.app.Metadata.Namespace = "web", "argocd"
	inner.object = evidence.Object{"kind": "Pod", "status": map[string]any{"message": "application controller: back-off of redis"}}
	s := conceal.New(inner, "argocd", "web", known)
	object, err := s.Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Pod", Name: "web"}})
	if err != nil || shown(t, object) != shown(t, inner.object) {
		t.Error(shown(t, object), err)
	}
}

// TestANameIsConcealedAsItIsShown: what hides it in the text is removed later.
func TestANameIsConcealedAsItIsShown(t *testing.T) {
	for said, want := range map[string]string{
		"\x1b[36mvault-core\x1b[0m refused":                           "(private) refused",
		"vault-\u200bcore refused":                                    "(private) refused",
		"\x1b[31mERROR\x1b[0m web refused":                            "\x1b[31mERROR\x1b[0m web refused", // nothing to conceal
		"Job/migrate belongs to application team-x_ledger":            "Job/migrate belongs to application (private)",
		"team-x_ledger:batch/Job:shop/migrate":                        "(private):batch/Job:shop/migrate",
		"permission denied: applications, sync, vault/zeus, sub: ci":  "permission denied: applications, sync, (private), sub: ci",
		"permission denied: applications, sync, default/web, sub: ci": "permission denied: applications, sync, default/web, sub: ci",
		`app.kubernetes.io/instance: team-x_ledger`:                   "app.kubernetes.io/instance: (private)",
	} {
		s := conceal.New(&source{events: []evidence.Event{{Message: said}}}, "argocd", "platform", known)
		events, err := s.Events(t.Context(), evidence.ObjectQuery{})
		if err != nil || events[0].Message != want {
			t.Errorf("%q becomes %q, want %q (%v)", said, events[0].Message, want, err)
		}
	}
}
