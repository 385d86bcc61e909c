package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/argo-why/argo-why/"
)

// TestTheMapIsComplete: a newcomer finds every package in CONTRIBUTING.md, and everything that it lists is there.
func TestTheMapIsComplete(t *testing.T) {
	listed := mapOf(t, read(t, "CONTRIBUTING.md"))
	for _, dir := range listed {
		if _, err := os.Stat(filepath.Join(root, dir)); err != nil {
			t.Errorf("the map in CONTRIBUTING.md lists %s: %v", dir, err)
		}
	}
	for dir := range packages(t) {
		if !slices.Contains(listed, dir) {
			t.Errorf("the map in CONTRIBUTING.md has no line for %s", dir)
		}
	}
}

// mapOf reads the first block of a page: one path a line, indented below its parent.
func mapOf(t *testing.T, page string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "```\n")
	block, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("CONTRIBUTING.md has no map")
	}
	var out, parents []string
	for line := range strings.Lines(block) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if indent > 4 {
			continue // the second line of a description
		}
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		parents = append(parents[:indent/2], strings.TrimSuffix(name, "/"))
		out = append(out, path.Join(parents...))
	}
	return out
}

var (
	// named is a path of this project in a page.
	named = regexp.MustCompile("`((?:cmd|config|internal|deploy|test|docs)/[\\w./-]+)`")
	// linked is where a link or a picture leads to, seen from its page.
	linked = regexp.MustCompile(`(?:\]\(|src=")([^)"#:\s]+)(?:#[\w-]+)?[)"]`)
)

// TestPagesNameWhatExists looks at all pages but the decisions, which are not edited when the choice changes.
func TestPagesNameWhatExists(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "SECURITY.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "NAME") || strings.Contains(m[1], "GROUP") {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s names `%s`: %v", filepath.Base(file), m[1], err)
			}
		}
		for _, m := range linked.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s leads to %s: %v", filepath.Base(file), m[1], err)
			}
		}
	}
	if found == 0 {
		t.Error("no page names any file: the test looks for the wrong thing")
	}
}

var (
	node = regexp.MustCompile(`(\w+)\["([\w/-]+)<br/>`)
	edge = regexp.MustCompile(`(?m)^\s*(\w+)(?:\[[^\]]*\])? --> (\w+)`)
)

// TestThePictureShowsTheImports: every arrow is an import, and every import between two boxes is an arrow or follows from arrows.
func TestThePictureShowsTheImports(t *testing.T) {
	page := read(t, "docs/architecture.md")
	boxes := map[string]string{}
	for _, m := range node.FindAllStringSubmatch(page, -1) {
		boxes[m[1]] = m[2]
	}
	arrows := map[[2]string]bool{}
	for _, m := range edge.FindAllStringSubmatch(page, -1) {
		arrows[[2]string{boxes[m[1]], boxes[m[2]]}] = true
	}
	imports := map[[2]string]bool{}
	for dir, all := range packages(t) {
		for _, imported := range all {
			from, to := boxOf(boxes, dir), boxOf(boxes, imported)
			if from != "" && to != "" && from != to {
				imports[[2]string{from, to}] = true
			}
		}
	}
	for a := range arrows {
		if !imports[a] {
			t.Errorf("the picture has an arrow from %q to %q, and there is no such import", a[0], a[1])
		}
	}
	for i := range imports {
		if !reaches(arrows, i[0], i[1]) {
			t.Errorf("%s imports %s, and the picture has no way from one to the other", i[0], i[1])
		}
	}
	if len(arrows) == 0 || len(imports) == 0 {
		t.Errorf("%d arrows, %d imports", len(arrows), len(imports))
	}
}

// boxOf is the box that a package lies in, "" where there is none. Packages for tests lie in none.
func boxOf(boxes map[string]string, dir string) string {
	if strings.HasSuffix(dir, "test") {
		return ""
	}
	for _, box := range boxes {
		if dir == box || strings.HasPrefix(dir, box+"/") {
			return box
		}
	}
	return ""
}

func reaches(arrows map[[2]string]bool, from, to string) bool {
	if from == to {
		return true
	}
	for a := range arrows {
		if a[0] == from && reaches(arrows, a[1], to) {
			return true
		}
	}
	return false
}

// packages are the folders of this module with Go files, each with what of the module its files import, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, isModule := os.Stat(filepath.Join(file, "go.mod"))
			if file != root && (isModule == nil || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		out[dir] = append(out[dir], imports(t, file)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func imports(t *testing.T, file string) (out []string) {
	t.Helper()
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range parsed.Imports {
		if own, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); ok {
			out = append(out, own)
		}
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryPageIsListed: a page that the table of contents does not have is not read. The site takes its navigation from there.
func TestEveryPageIsListed(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	contents := read(t, "docs/README.md")
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(contents, "]("+name+"): ") {
			t.Errorf("docs/README.md has no line for %s", name)
		}
	}
	for _, name := range []string{"docs/README.md", "SECURITY.md"} {
		if !strings.Contains(read(t, "README.md"), "]("+name+")") {
			t.Errorf("README.md does not link to %s", name)
		}
	}
}
