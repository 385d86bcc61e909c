package chart_test

import (
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"sigs.k8s.io/yaml"
)

// TestLint is `helm lint -f VALUES` with every set of values: nothing to complain about, and no icon.
func TestLint(t *testing.T) {
	for name, text := range valuesOf(t) {
		t.Run(name, func(t *testing.T) {
			var values map[string]any
			if err := yaml.Unmarshal([]byte(text), &values); err != nil {
				t.Fatal(err)
			}
			for _, m := range lint.All(path, values, "argo-why", true).Messages {
				if m.Severity > support.InfoSev {
					t.Error(m)
				}
			}
		})
	}
}

// TestWrongValuesAreRefused: what a person reads who mistypes a value or leaves one out.
func TestWrongValuesAreRefused(t *testing.T) {
	minimal := valuesOf(t)["minimal"]
	for name, x := range map[string]struct{ values, want string }{
		"nothing":                 {"{}", "at '/config': missing properties 'slack', 'argocd'"},
		"a misspelt value":        {minimal + "replica: 3\n", "additional properties 'replica' not allowed"},
		"a misspelt value below":  {minimal + "rbac: {action: {enabled: true}}\n", "at '/rbac': additional properties 'action' not allowed"},
		"a misspelt setting":      {strings.Replace(minimal, "channel:", "chanel:", 1), "at '/config/slack': missing property 'channel'"},
		"a token in the values":   {strings.Replace(minimal, "token: {file: /var/run/secrets/argo-why/argocd-token}", "token: xyz", 1), "at '/config/argocd/0/token'"},
		"too little time to end":  {minimal + "terminationGracePeriodSeconds: 30\n", "at '/terminationGracePeriodSeconds': minimum: got 30, want 45"},
		"a journal in a file":     {minimal + "  journal: {kind: file}\n", "config.journal.kind: file is for a process outside a cluster"},
		"an Ingress without host": {minimal + "ingress: {enabled: true}\n", "ingress.host is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := render(t, x.values)
			if err == nil {
				t.Fatal("taken")
			}
			if !strings.Contains(err.Error(), x.want) {
				t.Errorf("got  %v\nwant %s", err, x.want)
			}
		})
	}
}
