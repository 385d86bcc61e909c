package planted_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/test/planted"
)

// harmlessLines is how many are made up; the recorded failures come on top.
const harmlessLines = 1200

// TestNothingHarmlessIsHidden, neither in a report nor in a case file.
func TestNothingHarmlessIsHidden(t *testing.T) {
	t.Parallel()
	lines := planted.Harmless(planted.Seed(t), harmlessLines)
	var args []string
	var cases []json.RawMessage
	for _, c := range planted.HarmlessCases(lines) {
		args, cases = append(args, "-f", file(t, c)), append(cases, c)
	}
	shown, err := why(t, append(args, "-o", "json")...)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := save(t, pack(t, cases))
	if err != nil {
		t.Fatal(err)
	}
	atMost(t, planted.MostHiddenLines, shown+saved)
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(saved, strings.ReplaceAll(string(text[1:len(text)-1]), `\u003e`, ">")) {
			t.Errorf("the case file lacks %s", line)
		}
	}
}

// TestNothingIsHiddenOfRecordedFailures: there are no secrets in them.
func TestNothingIsHiddenOfRecordedFailures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../internal/diagnose/rules/testdata/cases/*/*/*.json")
	if err != nil || len(files) < 500 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	var args []string
	for _, f := range files {
		args = append(args, "-f", f)
	}
	shown, err := why(t, append(args, "-o", "json")...)
	if err != nil {
		t.Fatal(err)
	}
	atMost(t, planted.MostHiddenRecorded, shown)
}

// atMost fails a test if more lines of an output have something hidden.
func atMost(t *testing.T, most int, output string) {
	t.Helper()
	var hidden []string
	for line := range strings.Lines(output) {
		if strings.Contains(line, redact.Replacement) {
			hidden = append(hidden, strings.TrimSpace(line))
		}
	}
	if len(hidden) > most {
		t.Errorf("%d lines have something hidden, at most %d are known:\n%.4000s", len(hidden), most, strings.Join(hidden, "\n"))
	}
}
