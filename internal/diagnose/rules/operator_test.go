package rules_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ownedByOperator is a case of the Argo CD of OpenShift GitOps.
func ownedByOperator(c *evidence.Case) *evidence.Case {
	out, app := *c, *c.Application
	app.Status.ControllerNamespace = "openshift-gitops"
	if app.Metadata.Namespace == "argocd" {
		app.Metadata.Namespace = "openshift-gitops"
	}
	out.Application = &app
	return &out
}

var (
	// undone are commands that change what an operator puts back.
	undone = regexp.MustCompile(`(patch|edit|replace|create|apply) (-n \S+ )?(cm|configmaps?)[ /](argocd-(cm|rbac-cm|cmd-params-cm)|openshift-gitops-\S+)\b|set (env|image|resources) (deploy|deployment|statefulset|sts)/openshift-gitops-\S+ [^-].*=`)
	// ofConfigMap is a step that tells people to change one of these.
	ofConfigMap = regexp.MustCompile(`\bin argocd-(cm|rbac-cm|cmd-params-cm)\b`)
)

// TestAnOperatorDoesNotUndoTheSteps: in each recorded case an operator owns Argo CD, so its settings are changed in the ArgoCD resource. The cause
// is the same.
func TestAnOperatorDoesNotUndoTheSteps(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil {
			continue
		}
		was, is := diagnosed(t, e, r.c), diagnosed(t, e, ownedByOperator(r.c))
		if a, b := was.Root(), is.Root(); a != nil && (b == nil || b.Rule != a.Rule) {
			t.Errorf("%s: the cause was %s, and is %q", r.name, a.Rule, is.Headline)
		}
		for _, f := range is.Findings {
			for _, step := range f.Fix {
				if strings.Contains(step.Text, "ArgoCD resource openshift-gitops") {
					n++
				}
				if undone.MatchString(step.Command) || ofConfigMap.MatchString(step.Text) || strings.HasPrefix(step.Patch, "data:\n") && strings.Contains(step.Text, "Argo CD") {
					t.Errorf("%s: %s advises what the operator undoes: %q %s\n%s", r.name, f.Rule, step.Text, step.Command, step.Patch)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d steps change the ArgoCD resource: not worth a test", n)
	}
}

// TestAnOperatorIsKnownByTheAccount: it names the application controller's account behind its ArgoCD resource, wherever that is.
func TestAnOperatorIsKnownByTheAccount(t *testing.T) {
	const denied = `failed to sync cluster https://10.96.0.1:443: failed to load initial state of resource Widget.example.com: widgets.example.com is forbidden: User "system:serviceaccount:gitops:%-application-controller" cannot list resource "widgets" in API group "example.com" at the cluster scope`
	for account, want := range map[string]string{
		"team-argocd": "spec.resourceExclusions of the ArgoCD resource team (its operator undoes changes elsewhere)",
		"argocd":      "in argocd-cm",
	} {
		app := &evidence.Application{Metadata: evidence.Metadata{Name: "web", Namespace: "gitops", UID: "1"}}
		app.Status.ControllerNamespace, app.Status.Sync.Status = "gitops", "Unknown"
		app.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: strings.Replace(denied, "%", account, 1)}}
		if got := steps(diagnosed(t, engine(t), &evidence.Case{Now: evidence.Time{Time: time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)}, Application: app})); !strings.Contains(got, want) {
			t.Errorf("%s: the steps do not name %q:\n%s", account, want, got)
		}
	}
}

func steps(r *diagnose.Report) string {
	var out []string
	for _, f := range r.Findings {
		for _, step := range f.Fix {
			out = append(out, step.Text, step.Command, step.Patch)
		}
	}
	return strings.Join(out, "\n")
}
