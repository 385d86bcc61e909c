// Package release_test checks the configuration of a release without building what publishes one.
package release_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

// TestTheConfigurationOfAReleaseIsValid: GoReleaser knows each key, and builds what docs/release.md promises.
func TestTheConfigurationOfAReleaseIsValid(t *testing.T) {
	file, err := os.Open("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	project, err := config.LoadReader(file)
	if err != nil {
		t.Fatal(err)
	}
	build := project.Builds[0]
	if !slices.Equal(build.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(build.Goarch, []string{"amd64", "arm64"}) || build.Binary != "argo-why" {
		t.Errorf("built are %v %v as %s", build.Goos, build.Goarch, build.Binary)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	// What differs would give the image another program than the archives.
	as := strings.NewReplacer("{{.Version}}", "$(VERSION)", "{{.FullCommit}}", "$(COMMIT)").Replace(strings.Join(build.Ldflags, " "))
	if want := "\nLDFLAGS := " + as + "\n"; !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not contain%s", want)
	}
	if want := strings.Join(build.Flags, " "); !strings.Contains(string(makefile), "GOFLAGS     := $(strip $(GOFLAGS) "+want+")\n") {
		t.Errorf("the Makefile does not build with %s", want)
	}
	licenses := func(f config.File) bool { return f.Source == "bin/THIRD-PARTY-LICENSES" && f.StripParent }
	if !slices.ContainsFunc(project.Archives[0].Files, licenses) || !slices.Contains(project.Before.Hooks, "make licenses") {
		t.Error("the archives have no licences of third parties, or nothing makes them")
	}
	if len(project.SBOMs) == 0 || len(project.Signs) == 0 || len(project.Krews) == 0 || len(project.Casks) == 0 {
		t.Error("bills of materials, signatures, the krew plugin or the Homebrew cask are missing")
	}
}
