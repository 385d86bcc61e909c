package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// TestFind: what the tests below rest on.
func TestFind(t *testing.T) {
	for content, want := range map[string]bool{
		"Have Argo CD render anew":                   true,
		"the cluster has it no more":                 true,
		"no more than 50 blocks":                     false,
		"it is not in Git any more":                  true,
		"Who may approve until 08:33":                true,
		"Refresh the application":                    false,
		"hook/job-failed · certain · 4 facts":        true,
		"deploys whatever is well-known or farewell": false,
	} {
		if _, _, got := find(content); got != want {
			t.Errorf("%q: found %v, want %v", content, got, want)
		}
	}
}

// TestStrings reads every string of the program.
func TestStrings(t *testing.T) {
	n := 0
	for _, path := range files(t, []string{"internal", "cmd", "config"}, func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "internal/workspace/") // that is Slack's voice
	}) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, lit := range literals(file) {
			n++
			content, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(content, " ") { // else it is a name
				check(t, path+":"+strconv.Itoa(fset.Position(lit.Pos()).Line), content)
			}
		}
	}
	if n < 5000 {
		t.Errorf("read %d strings: some are missing", n)
	}
}

// literals are the strings of a file that are words of ours: no imports, no tags, and not what recognises the words of others.
func literals(file *ast.File) []*ast.BasicLit {
	var out []*ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Example" { // of what a tool says
				return false
			}
		case *ast.CallExpr:
			if name := called(n); slices.Contains(recognising, name) {
				return false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

// recognising are functions whose strings are looked for in texts of others.
var recognising = []string{
	"MustCompile", "Has", "HasAll", "HasAny", "Mentions", "Contains", "HasPrefix", "HasSuffix", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "between",
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// TestGoldens reads what people would have read: reports, messages, dialogs, stories, pictures. Those beside the recorded cases are read
// by TestReports, which knows what in them is quoted.
func TestGoldens(t *testing.T) {
	list := files(t, []string{"internal", "cmd", "test", "docs/images"}, func(path string) bool {
		switch filepath.Ext(path) {
		case ".json":
			return strings.HasPrefix(path, "internal/slack/")
		case ".html":
			return strings.HasPrefix(path, "internal/demo/")
		case ".txt", ".golden", ".txtar":
			return !strings.Contains(path, "node_modules") && !strings.Contains(path, "/fuzz/") && !strings.HasPrefix(path, "internal/diagnose/rules/")
		}
		return false
	})
	if len(list) < 100 {
		t.Errorf("found %d goldens: some are missing", len(list))
	}
	for _, path := range list {
		checkFile(t, path)
	}
}

// TestDocs reads the pages, and the comments of what people install and configure.
func TestDocs(t *testing.T) {
	list := files(t, []string{"README.md", "CONTRIBUTING.md", "docs", "deploy", "config"}, func(path string) bool {
		return slices.Contains([]string{".md", ".yaml", ".yml", ".json"}, filepath.Ext(path))
	})
	if len(list) < 30 {
		t.Errorf("found %d pages: some are missing", len(list))
	}
	for _, path := range list {
		checkFile(t, path)
	}
}

// address is where words are names: of pages, and of what a template fills in.
var address = regexp.MustCompile(`https?://\S+|\]\([^)]*\)|\{\{.*?\}\}|value="[a-z-]+"`)

func checkFile(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(raw), "\n") {
		check(t, path+":"+strconv.Itoa(i+1), address.ReplaceAllString(line, ""))
	}
}

func check(t *testing.T, where, content string) {
	t.Helper()
	if found, instead, ok := find(content); ok {
		t.Errorf("%s: %q; we write: %s", where, found, instead)
	}
}

// files are the files below some folders that are wanted, relative to the root.
func files(t *testing.T, folders []string, wanted func(path string) bool) []string {
	t.Helper()
	var out []string
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path, _ = filepath.Rel(root, path); !d.IsDir() && wanted(path) {
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
