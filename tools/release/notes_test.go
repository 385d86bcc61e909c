package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const changelog = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-24

### Added

- Two.

## [0.1.0] - 2026-12-01

- One.

[0.1.0]: https://example.com
`

// TestTheNotesAreTheSectionOfTheVersion, and a release without one is not made.
func TestTheNotesAreTheSectionOfTheVersion(t *testing.T) {
	dir := t.TempDir()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"Makefile": string(makefile), "CHANGELOG.md": changelog} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for version, want := range map[string]string{"0.2.0": "### Added\n\n- Two.", "0.1.0": "- One."} {
		out, err := exec.CommandContext(t.Context(), "make", "-C", dir, "release-notes", "VERSION="+version).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", version, err, out)
		}
		notes, err := os.ReadFile(filepath.Join(dir, "bin", "release-notes.md"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(notes)); got != want {
			t.Errorf("%s: the notes are %q, want %q", version, got, want)
		}
	}
	for _, version := range []string{"Unreleased", "0.3.0", "0"} {
		out, err := exec.CommandContext(t.Context(), "make", "-C", dir, "release-notes", "VERSION="+version).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "CHANGELOG.md has no section ["+version+"]: see docs/release.md") {
			t.Errorf("%s: %v\n%s", version, err, out)
		}
	}
}
