package supplychain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCIOnVulnerabilities: CI fails on a known vulnerability and on every error, except that it cannot look. Then it says so.
func TestCIOnVulnerabilities(t *testing.T) {
	for name, c := range map[string]struct {
		says    string // what govulncheck prints and how it ends
		status  string
		fails   bool
		skipped bool
	}{
		"nothing known": {says: "No vulnerabilities found.", status: "0"},
		"known and reached": {
			says: "Vulnerability #1: GO-2026-6090", status: "3", fails: true,
		},
		"no network": {
			says: `govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/index/modules.json.gz": dial tcp: ` +
				`lookup vuln.go.dev on 10.0.0.53:53: no such host`,
			status: "1", skipped: true,
		},
		"the database is broken": {
			says: "govulncheck: fetching vulnerabilities: unexpected end of JSON input", status: "1", fails: true,
		},
		"does not compile": {says: "govulncheck: loading packages: undefined: x", status: "1", fails: true},
		"a vulnerability that quotes the error": {
			says: "Vulnerability #1: x\n  More info: dial tcp: lookup vuln.go.dev", status: "3", fails: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			says := filepath.Join(t.TempDir(), "says")
			if err := os.WriteFile(says, []byte(c.says+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			checker := filepath.Join(t.TempDir(), "govulncheck")
			script := "#!/bin/sh\ncat " + says + " >&2\nexit " + c.status + "\n"
			if err := os.WriteFile(checker, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(root, ".ci", "vulnerabilities"))
			cmd.Env = append(os.Environ(), "GOVULNCHECK="+checker)
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails {
				t.Errorf("fails: %v, want %v\n%s", err, c.fails, out)
			}
			if got := strings.Contains(string(out), "SKIPPED"); got != c.skipped {
				t.Errorf("says that it was skipped: %v, want %v\n%s", got, c.skipped, out)
			}
			if !strings.Contains(string(out), c.says) {
				t.Errorf("does not show what govulncheck says:\n%s", out)
			}
		})
	}
}
