package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// foreign are texts on the page that others print, each with who.
var foreign = map[string]string{
	`/argo failed with the error "dispatch_failed"`:         "Slack",
	`/argo failed with the error "operation_timeout"`:       "Slack",
	"/argo is not a valid command":                          "Slack",
	"permission denied: applications, get, …":               "Argo CD",
	"x509: certificate signed by unknown authority":         "Go",
	"x509: certificate is valid for":                        "Go",
	"OOMKilled":                                             "Kubernetes",
	"the environment variable SLACK_BOT_TOKEN is not set":   "config, with the variable's name",
	"this is an app-level token":                            "internal/slack/probe, with the kind of the token",
	"the app token is a bot token":                          "internal/slack/probe, with the kind of the token",
	"is missing (to post and update incidents and answers)": "internal/slack/probe, with what the scope is for",
	"Slack rejects it (invalid_auth)":                       "internal/slack/probe, with Slack's code",
	"slack.channel":                                         "a key",
	"journal.path":                                          "a key",
	"routes":                                                "a key",
	"argo_why_hooks_received_total":                         "a metric, without its prefix in the code",
}

var code = regexp.MustCompile("`([^`]+)`")

// TestTroubleshootingQuotesWhatIsSaid: people search the page for the text on their screen, so the first column of its tables has exactly
// what the program says.
func TestTroubleshootingQuotesWhatIsSaid(t *testing.T) {
	said := strings.Join(stringLiterals(t), "\x00")
	quotes, used := 0, map[string]bool{}
	for line := range strings.Lines(read(t, "docs/troubleshooting.md")) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(strings.Split(line, " | ")[0], -1) {
			quotes++
			used[m[1]] = true
			if foreign[m[1]] == "" && !strings.Contains(said, m[1]) {
				t.Errorf("the page quotes %q, which no string of the program contains", m[1])
			}
		}
	}
	for text := range foreign {
		if !used[text] {
			t.Errorf("%q is not on the page any more: remove it from the list", text)
		}
	}
	if quotes < 30 {
		t.Errorf("only %d quotes were found: the test looks for the wrong thing", quotes)
	}
}

// stringLiterals are all strings in the code of the program, tests left out.
func stringLiterals(t *testing.T) (out []string) {
	t.Helper()
	for _, dir := range []string{"cmd", "config", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, raw, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						out = append(out, text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
