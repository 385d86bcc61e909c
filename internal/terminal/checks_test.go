package terminal_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/terminal"
)

// copied is what a person copies from the findings.
var copied = []string{
	"argocd account generate-token --account argo-why", "kubectl apply -f deploy/rbac/journal.yaml", "argo-why generate kubernetes-rbac",
	"p, argo-why, logs, get, */*, allow", "/etc/argo-why/a-directory-with-a-long-name/config.yaml:12:",
}

var findings = []preflight.Finding{
	{What: "configuration", Detail: "config.yaml"},
	{What: "/etc/argo-why/a-directory-with-a-long-name/config.yaml:12", Detail: "argocd[1].server", Problem: "argocd[0] (prod) is the same Argo CD, so each failure would be posted twice: remove one of the two"},
	{What: "argocd prod", Problem: "the token has expired", Remedy: "create a token with argocd account generate-token --account argo-why, and put it where token points"},
	{What: "journal", Problem: "the account may not write incidents", Remedy: "set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account"},
	{What: "argocd prod right", Problem: "get logs is missing in project default", Remedy: "add to policy.argo-why.csv in argocd-rbac-cm: p, argo-why, logs, get, */*, allow"},
	{What: "argocd prod kubernetes reading", Problem: "reports leave out what Argo CD does not show", Remedy: "grant it with argo-why generate kubernetes-rbac", Optional: true},
}

func TestChecksBreakNoWordAndNoCommand(t *testing.T) {
	for width := 40; width <= 120; width++ {
		got := checks(t, findings, terminal.Options{Width: width})
		for _, whole := range copied {
			if !strings.Contains(got, whole) {
				t.Errorf("width %d: %q is not whole in\n%s", width, whole, got)
			}
		}
		for line := range strings.Lines(got) {
			if words := len(strings.Fields(line)); len([]rune(line)) > width+1 && words > 2 && !strings.Contains(line, copied[0]) && !strings.Contains(line, copied[1]) {
				t.Errorf("width %d: too wide: %s", width, line)
			}
		}
	}
}

func TestChecksAreCountedAndColored(t *testing.T) {
	golden(t, "checks.txt", checks(t, findings, terminal.Options{}))
	golden(t, "checks-narrow.txt", checks(t, findings, terminal.Options{Width: 60}))
	colored := checks(t, findings, terminal.Options{Color: true})
	if !strings.Contains(colored, "\x1b[32m✓\x1b[0m configuration") || !strings.HasSuffix(colored, "\n\x1b[32m1 ok\x1b[0m, \x1b[33m1 warning\x1b[0m, \x1b[31m4 problems\x1b[0m\n") {
		t.Errorf("%q", colored)
	}
	if plain := checks(t, findings, terminal.Options{}); sanitize.Text(colored) != plain {
		t.Errorf("without its colors it is another:\n%s", sanitize.Text(colored))
	}
}

func checks(t *testing.T, findings []preflight.Finding, opt terminal.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := terminal.Checks(&b, findings, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
