package states_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/argo-why/argo-why/test/states"
)

const root = "../.."

// load type-checks packages of the repository, with files beside those that there are.
func load(t *testing.T, overlay map[string][]byte, patterns ...string) []*packages.Package {
	t.Helper()
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax,
		Dir:  root, Overlay: overlay, Context: t.Context(),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range all {
		for _, err := range pkg.Errors {
			t.Fatalf("%s: %v", pkg.PkgPath, err)
		}
	}
	return all
}

// TestNoStateBecomesAText: a rule that quotes a manifest or a live object has to read it with clean.State.
func TestNoStateBecomesAText(t *testing.T) {
	readers := []string{
		"internal/evidence",       // State itself; case files are redacted when they are written
		"internal/evidence/clean", // removes the secrets
		"internal/diagnose/drift", // compares the originals where two values look the same without their secrets, and shows the others
		"internal/action",         // makes a digest of them: a new password has to be confirmed again
	}
	checked := 0
	for _, pkg := range load(t, nil, "./internal/...", "./cmd/...") {
		at := strings.TrimPrefix(pkg.PkgPath, "github.com/argo-why/argo-why/")
		if slices.Contains(readers, at) {
			continue
		}
		checked++
		for _, leak := range states.Leaks(pkg) {
			t.Errorf("%s: read it with clean.State, which removes secrets", leak)
		}
	}
	if checked < 50 {
		t.Errorf("only %d packages were checked", checked)
	}
}

// TestEachWayToALeakIsSeen puts a file into a package of rules that leaks in each way, one to a line.
func TestEachWayToALeakIsSeen(t *testing.T) {
	leaks, err := os.ReadFile("testdata/leaks.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(root + "/internal/diagnose/rules/apply/leaks.go")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, pkg := range load(t, map[string][]byte{path: leaks}, "./internal/diagnose/rules/apply") {
		for _, leak := range states.Leaks(pkg) {
			_, place, _ := strings.Cut(leak, "leaks.go:")
			got = append(got, place)
		}
	}
	for i, line := range strings.Split(string(leaks), "\n") {
		if _, how, ok := strings.Cut(line, "// leak: "); ok {
			want = append(want, fmt.Sprintf("%d: %s", i+1, how))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
