package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// child is an application of a project whose name and whose error are nobody else's business.
const child = `{"application": {
	"metadata": {"name": "vault-core", "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "vault"},
	"status": {"sync": {"status": "Unknown"}, "health": {"status": "Degraded", "message": "unseal key 3 is wrong"},
	 "conditions": [{"type": "ComparisonError", "message": "Failed to load target state: rpc error: code = Unknown desc = authentication required: vault-repo"}]}}}`

// parents are app of apps that fail in all the ways in which a child makes them fail.
var parents = map[string]string{
	"health": `"sync": {"status": "Synced"}, "health": {"status": "Degraded"},
	 "resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "Synced", "health": {"status": "Degraded", "message": "unseal key 3 is wrong"}}]`,
	"unassessed": `"sync": {"status": "Synced"}, "health": {"status": "Healthy"},
	 "resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "Synced"}]`,
	"wave": `"sync": {"status": "OutOfSync"}, "health": {"status": "Progressing"},
	 "resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "Synced", "health": {"status": "Degraded", "message": "unseal key 3 is wrong"}, "syncWave": 1}],
	 "operationState": {"phase": "Running", "startedAt": "2000-01-01T00:00:00Z", "message": "waiting for healthy state of argoproj.io/Application/vault-core", "operation": {"sync": {}}}`,
	"sync": `"sync": {"status": "OutOfSync"}, "health": {"status": "Healthy"},
	 "conditions": [{"type": "SyncError", "message": "Failed last sync attempt: one or more objects failed to apply, reason: Application.argoproj.io \"vault-core\" is invalid: spec.source.repoURL: vault-repo is not permitted"}],
	 "resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "OutOfSync"}],
	 "operationState": {"phase": "Failed", "startedAt": "2000-01-01T00:00:00Z", "finishedAt": "2000-01-01T00:01:00Z", "message": "one or more objects failed to apply, reason: Application.argoproj.io \"vault-core\" is invalid: spec.source.repoURL: vault-repo is not permitted", "operation": {"sync": {}},
	  "syncResult": {"resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "SyncFailed", "syncPhase": "Sync", "message": "Application.argoproj.io \"vault-core\" is invalid: spec.source.repoURL: vault-repo is not permitted"}]}}`,
	"shared": `"sync": {"status": "OutOfSync"}, "health": {"status": "Healthy"},
	 "conditions": [{"type": "SharedResourceWarning", "message": "ConfigMap/limits is part of applications argocd/vault-core and platform"}],
	 "resources": [{"kind": "ConfigMap", "version": "v1", "namespace": "shop", "name": "limits", "status": "OutOfSync"}]`,
	"deletion": `"sync": {"status": "Synced"}, "health": {"status": "Progressing", "message": "Pending deletion"},
	 "resources": [{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": "vault-core", "status": "Synced", "health": {"status": "Progressing", "message": "Pending deletion"}}]`,
}

// TestAReportNamesNoApplicationThatItsReaderMayNotSee goes through Argo CD, the gateway and all rules.
func TestAReportNamesNoApplicationThatItsReaderMayNotSee(t *testing.T) {
	projects := map[string]string{"platform": "default", "vault-core": "vault"}
	project := func(app audience.App) string { return projects[app.Name] }
	outsider := audience.New(func(_ audience.App, project string) bool { return project == "default" }, project)
	for name, status := range parents {
		t.Run(name, func(t *testing.T) {
			deleted := ""
			if name == "deletion" {
				deleted = `, "deletionTimestamp": "2000-01-01T00:00:00Z", "finalizers": ["resources-finalizer.argocd.argoproj.io"]`
			}
			s := argotest.NewServer(t, []byte(child), fmt.Appendf(nil, `{"application": {
				"metadata": {"name": "platform", "namespace": "argocd", "resourceVersion": "1"%s}, "spec": {"project": "default", "destination": {"namespace": "argocd"}}, "status": {%s}}}`, deleted, status))
			in := watching(t, s)
			for app, p := range projects {
				in.Directory.put(named(app), Entry{Project: p})
			}
			whole, err := in.Examine(t.Context(), named("platform"), audience.All())
			if err != nil {
				t.Fatal(err)
			}
			if text := shown(t, whole); !strings.Contains(text, "vault-core") || !slices.Contains(whole.Mentions, named("vault-core")) {
				t.Errorf("the report does not reach a reader who may see it: %s", text)
			}
			for how, read := range map[string]func() (*diagnose.Report, error){
				"in the background": func() (*diagnose.Report, error) { return in.Read(t.Context(), named("platform"), outsider) },
				"asked":             func() (*diagnose.Report, error) { return in.Examine(t.Context(), named("platform"), outsider) },
			} {
				r, err := read()
				if err != nil {
					t.Fatal(err)
				}
				text := shown(t, r)
				for _, secret := range []string{"vault", "unseal", "key 3"} {
					if strings.Contains(text, secret) {
						t.Errorf("%s: %q in %s", how, secret, text)
					}
				}
				t.Logf("%s: %s", how, r.Headline)
				for _, f := range r.Findings {
					for _, step := range f.Fix {
						if strings.Contains(step.Command+step.Patch, "(private") {
							t.Errorf("%s: a command with what stands for a name: %+v", how, step)
						}
					}
				}
			}
		})
	}
}

// nobody is Slack that knows a channel and no people of others in it.
type nobody struct{}

func (nobody) Channel(_ context.Context, c string) (audience.Channel, error) {
	return audience.Channel{ID: c, Name: c}, nil
}

// TestAChildThatIsNotListedIsPrivate: of one that was just created nobody knows the project, and so the route would be the default one.
func TestAChildThatIsNotListedIsPrivate(t *testing.T) {
	owner := audience.Rule{Projects: []string{"vault"}, Users: []string{"U1"}}
	for name, status := range parents {
		for which, s := range map[string]struct {
			rules  []audience.Rule
			listed bool // the parent is
			sees   bool
		}{
			"private":            {[]audience.Rule{owner, {Projects: []string{"default"}}}, true, false},
			"private by route":   {[]audience.Rule{owner}, true, false},
			"an empty directory": {[]audience.Rule{owner}, false, false},
			"no rules":           {nil, true, true},
			"all projects":       {[]audience.Rule{{Projects: []string{"*"}}}, true, true},
		} {
			t.Run(name+" "+which, func(t *testing.T) {
				deleted := ""
				if name == "deletion" {
					deleted = `, "deletionTimestamp": "2000-01-01T00:00:00Z", "finalizers": ["resources-finalizer.argocd.argoproj.io"]`
				}
				in := watching(t, argotest.NewServer(t, []byte(child), fmt.Appendf(nil, `{"application": {
					"metadata": {"name": "platform", "namespace": "argocd", "resourceVersion": "1"%s}, "spec": {"project": "default", "destination": {"namespace": "argocd"}}, "status": {%s}}}`, deleted, status)))
				if s.listed {
					in.Directory.put(named("platform"), Entry{Project: "default"})
				}
				places := &audience.Places{Policy: audience.NewPolicy(s.rules, nil, nil), Channels: nobody{}, Project: in.Project, Route: func(_ audience.App, project string) string {
					if project == "vault" {
						return "#vault"
					}
					return "#ops"
				}}
				r, err := in.Examine(t.Context(), named("platform"), places.InChannel(t.Context(), "#ops"))
				if err != nil {
					t.Fatal(err)
				}
				text := shown(t, r)
				if s.sees != strings.Contains(text, "vault-core") {
					t.Errorf("seen must be %t: %s", s.sees, text)
				}
				for _, secret := range []string{"unseal key 3", "vault-repo"} {
					if !s.sees && strings.Contains(text, secret) {
						t.Errorf("%q in %s", secret, text)
					}
				}
			})
		}
	}
}

func shown(t *testing.T, r *diagnose.Report) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
