package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// claim is a quote of a page, and the tests that prove it: "internal/webhook.TestHookAnswers".
type claim struct {
	quote string
	tests []string
}

// statement is a paragraph, an item or a row of a page, by its beginning. Without claims there is nothing to prove.
type statement struct {
	begins string
	claims []claim
}

// claimsOf reads the table of claims, by page.
func claimsOf(t *testing.T) map[string][]statement {
	t.Helper()
	raw, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	out, page := map[string][]statement{}, ""
	for line := range strings.Lines(string(raw)) {
		text := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "  ")
		switch {
		case text == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(text, "== "):
			page = strings.TrimPrefix(text, "== ")
		case !indented:
			out[page] = append(out[page], statement{begins: text})
		case strings.HasPrefix(text, "- "): // why there is nothing to prove
		default:
			quote, tests, ok := strings.Cut(text, " => ")
			if !ok || len(out[page]) == 0 {
				t.Fatalf("no claim with its tests: %s", line)
			}
			last := &out[page][len(out[page])-1]
			last.claims = append(last.claims, claim{quote, strings.Fields(tests)})
		}
	}
	return out
}

// statementsOf are the paragraphs, items and rows of a page, each on one line.
func statementsOf(page string) (out []string) {
	var now []string
	end := func() {
		if len(now) > 0 {
			out = append(out, strings.Trim(strings.Join(now, " "), "|- "))
		}
		now = nil
	}
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		row := strings.HasPrefix(line, "|")
		if row || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			end()
		}
		underHead := i+1 < len(lines) && strings.HasPrefix(strings.ReplaceAll(lines[i+1], " ", ""), "|---")
		if strings.HasPrefix(line, "#") || row && (underHead || strings.HasPrefix(strings.ReplaceAll(line, " ", ""), "|---")) || strings.TrimSpace(line) == "" {
			continue
		}
		now = append(now, strings.TrimSpace(line))
	}
	end()
	return out
}

// TestEveryClaimHasItsTest: what the pages on security say is proved by a test that exists, or said to be nothing that a test can prove. A new
// sentence needs its line, and a test that is renamed or removed takes its claim along.
func TestEveryClaimHasItsTest(t *testing.T) {
	known := map[string][]string{}
	for page, list := range claimsOf(t) {
		said := statementsOf(read(t, page))
		for _, s := range said {
			if !slices.ContainsFunc(list, func(l statement) bool { return strings.HasPrefix(s, l.begins) }) {
				t.Errorf("%s says something of which testdata/claims.txt knows no test:\n%s", page, s)
			}
		}
		for _, l := range list {
			at := slices.IndexFunc(said, func(s string) bool { return strings.HasPrefix(s, l.begins) })
			if at < 0 {
				t.Errorf("%s no longer says %q", page, l.begins)
				continue
			}
			for _, c := range l.claims {
				if !strings.Contains(said[at], c.quote) {
					t.Errorf("%s no longer claims %q in\n%s", page, c.quote, said[at])
				}
				for _, test := range c.tests {
					dir, name, ok := cutLast(test, ".")
					if !ok || !slices.Contains(testsOf(t, known, dir), name) {
						t.Errorf("%s claims %q, and there is no test %s", page, c.quote, test)
					}
				}
			}
		}
	}
}

func cutLast(s, separator string) (before, after string, ok bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}

// testsOf are the tests of a package, read from its sources once.
func testsOf(t *testing.T, known map[string][]string, dir string) []string {
	t.Helper()
	if list, ok := known[dir]; ok {
		return list
	}
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Errorf("%s has no tests: %v", dir, err)
	}
	list := []string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				list = append(list, f.Name.Name)
			}
		}
	}
	known[dir] = list
	return list
}
