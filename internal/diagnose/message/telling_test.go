package message_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// verdict divides a file of testdata/logs: the log, then the line that decides.
var verdict = regexp.MustCompile(`\n---- (decides|names no error)\n`)

// Each file is what a tool, a language or a shell prints when a Job fails, in its own format.
func TestTellingLine(t *testing.T) {
	files, err := filepath.Glob("testdata/logs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no logs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			at := verdict.FindStringSubmatchIndex(string(content))
			if at == nil {
				t.Fatal("no verdict")
			}
			log, names := string(content[:at[0]]), string(content[at[2]:at[3]]) == "decides"
			want := strings.TrimSpace(string(content[at[1]:]))
			if got, named := message.Telling(log); got != want || named != names {
				t.Errorf("names an error: %v\ngot  %q\nwant %q", named, got, want)
			}
		})
	}
}
