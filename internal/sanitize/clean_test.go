package sanitize_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"
)

func TestASentenceQuotesOthersHarmlessly(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	bad := "a\x1b[31m\u202e\u200b token " + secret + "\nnext line"
	type name string
	const good = "a� token [redacted] next line"
	for what, arg := range map[string]any{"a text": bad, "a text of another type": name(bad), "an error": errors.New(bad), "a pointer to one": &fs.PathError{Op: bad, Path: bad, Err: errors.New(bad)}, "a list": []string{bad}, "a struct": struct{ Text string }{bad}} {
		if got := string(sanitize.Sprintf("It failed: %s", arg)); strings.Contains(got, secret[8:]) || strings.ContainsAny(got, "\x1b\u202e\u200b\n") || !strings.Contains(got, good) {
			t.Errorf("%s: %q", what, got)
		}
	}
	if got := sanitize.Sprintf("%[2]s after %[1]s, %[3]d of %.1[4]f, %[5]v, %[6]s", time.Minute, sanitize.Clean("Terminated"), 3, 4.5, true, error(nil)); got != "Terminated after 1m0s, 3 of 4.5, true, <nil>" {
		t.Error(got)
	}
	if got := sanitize.Sprintf("%s", strings.Repeat("very long ", 200)); len(got) > 310 {
		t.Errorf("a quotation of %d bytes", len(got))
	}
	if got := sanitize.Sprintf("%s: %s", sanitize.Sprintf("%s", strings.Repeat("long ", 50)), strings.Repeat("long ", 50)); len(got) < 490 {
		t.Errorf("what is clean was cut: %d bytes", len(got))
	}
}

// TestNobodyElseCallsATextClean: a conversion would make a text from outside pass for one of ours.
func TestNobodyElseCallsATextClean(t *testing.T) {
	conversion := regexp.MustCompile(`\bsanitize\.Clean\(`)
	files := 0
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			if conversion.Match(source) {
				t.Errorf("%s converts to sanitize.Clean: use sanitize.Sprintf or sanitize.Excerpt", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("only %d files were looked at", files)
	}
}
