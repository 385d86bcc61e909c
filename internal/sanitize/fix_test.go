package sanitize_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// A patch is to be pasted: one that would write a placeholder in place of a secret does harm.
func TestAPatchWithASecretIsNotShown(t *testing.T) {
	secret := strings.Repeat("hK7x", 4)
	tests := []struct {
		story     string
		step      diagnose.Fix
		wantText  string
		wantPatch bool
	}{
		{"a password by its name", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  auth:\n    adminPassword: " + secret + "\n"},
			"Set the value in Git (set spec.auth.adminPassword; the patch is not shown, because it has a secret in it)", false},
		{"a variable", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  containers:\n  - name: web\n    env:\n    - name: REDIS_AUTH\n      value: " + secret + "\n"},
			"Set the value in Git (set spec.containers[0].env[0].value; the patch is not shown, because it has a secret in it)", false},
		{"a password in a URL", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  url: https://ci:" + secret + "@git.example.com/x\n"},
			"Set the value in Git (set spec.url; the patch is not shown, because it has a secret in it)", false},
		{"one that was redacted before", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  url: https://ci:[redacted]@git.example.com/x\n"},
			"Set the value in Git (set spec.url; the patch is not shown, because it has a secret in it)", false},
		{"many of them", diagnose.Fix{Text: "Set the values", Patch: "a:\n  apiKey: " + secret + "\n  password: " + secret + "\n  signingKey: " + secret + "\n  smtpPass: " + secret + "\n"},
			"Set the values (set a.apiKey, a.password, a.signingKey and 1 more field; the patch is not shown, because it has a secret in it)", false},
		{"in a command", diagnose.Fix{Text: "Set the value", Command: `kubectl -n shop patch deployment web --type merge -p '{"spec":{"auth":{"password":"` + secret + `"}}}'`},
			"Set the value (the command is not shown, because it has a secret in it)", false},
		{"no secret", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  replicas: 3\n  existingSecret: shop-db\n"}, "Set the value in Git", true},
		{"a placeholder", diagnose.Fix{Text: "Set the value in Git", Patch: "spec:\n  password: <password>\n"}, "Set the value in Git", true},
	}
	for _, tt := range tests {
		t.Run(tt.story, func(t *testing.T) {
			r := sanitize.Report(&diagnose.Report{Findings: []diagnose.Finding{{Fix: []diagnose.Fix{tt.step}}}})
			got := r.Findings[0].Fix[0]
			if got.Text != tt.wantText {
				t.Errorf("\n got %s\nwant %s", got.Text, tt.wantText)
			}
			if shown := got.Patch+got.Command != ""; shown != tt.wantPatch {
				t.Errorf("shown: %q", got.Patch+got.Command)
			}
			if strings.Contains(got.Text+got.Patch+got.Command, secret) {
				t.Errorf("the secret is there: %+v", got)
			}
		})
	}
}
