package supplychain_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const root = "../.."

// TestNoModuleIsOlderThanAllowed reads the build list from go.mod: since Go 1.17 it names every module that a package of the bot
// comes from, with the version that is built.
func TestNoModuleIsOlderThanAllowed(t *testing.T) {
	built := modulesOf(t, "go.mod")
	oldest := floors(t)
	for _, module := range []string{
		"go", "golang.org/x/crypto", "golang.org/x/oauth2", "golang.org/x/net", "google.golang.org/grpc",
		"github.com/go-jose/go-jose/v4", "github.com/cloudflare/circl", "github.com/go-git/go-git/v5",
	} {
		if oldest[module] == "" {
			t.Errorf("docs/supply-chain.md has no line for %s, which argo-cd pins at a vulnerable version", module)
		}
	}
	for module, floor := range oldest {
		version := built[module]
		switch {
		case version == "":
			t.Errorf("docs/supply-chain.md has a line for %s, which the bot no longer contains: remove the line", module)
		case semver.Compare(version, floor) < 0:
			t.Errorf("%s is at %s: go get %s@%s or later, the oldest version without known vulnerabilities (docs/supply-chain.md)",
				module, version, module, floor)
		}
	}
}

// TestOlderThanAllowedIsFound: the versions that argo-cd 2.14 names would fail.
func TestOlderThanAllowedIsFound(t *testing.T) {
	oldest := floors(t)
	for module, version := range map[string]string{
		"golang.org/x/crypto":           "v0.37.0",
		"golang.org/x/net":              "v0.39.0",
		"golang.org/x/oauth2":           "v0.25.0",
		"google.golang.org/grpc":        "v1.68.1",
		"github.com/go-jose/go-jose/v4": "v4.0.2",
		"github.com/cloudflare/circl":   "v1.3.7",
		"github.com/go-git/go-git/v5":   "v5.13.2",
	} {
		if semver.Compare(version, oldest[module]) >= 0 {
			t.Errorf("%s %s would be allowed: docs/supply-chain.md says at least %s", module, version, oldest[module])
		}
	}
}

// modulesOf lists the modules of a go.mod with the versions that are built, replacements included, and the version of Go.
func modulesOf(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(name, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"go": "v" + file.Go.Version}
	if file.Toolchain != nil { // what Go downloads and builds with where an older one is installed
		out["go"] = "v" + strings.TrimPrefix(file.Toolchain.Name, "go")
	}
	for _, r := range file.Require {
		out[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range file.Replace {
		if _, used := out[r.Old.Path]; used {
			out[r.Old.Path] = r.New.Version
		}
	}
	return out
}

// row is a line of the table: a module, and the oldest version allowed.
var row = regexp.MustCompile(`(?m)^\| ([\w./-]+) \| (\d[\w.-]*) \|`)

func floors(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "supply-chain.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		if out[m[1]] = "v" + m[2]; !semver.IsValid("v" + m[2]) {
			t.Errorf("docs/supply-chain.md: %s: %q is not a version", m[1], strings.TrimPrefix(m[2], "v"))
		}
	}
	return out
}
