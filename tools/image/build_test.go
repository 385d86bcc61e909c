package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

var commit = release{version: "1.2.3", revision: "0123456789abcdef", created: time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)}

// compile builds a small program for a platform and returns OS/ARCH=FILE.
func compile(t *testing.T, platform string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	goos, goarch, _ := strings.Cut(platform, "/")
	cmd := exec.CommandContext(t.Context(), "go", append(append([]string{"build", "-trimpath", "-o", binary}, flags...), source)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+goos, "GOARCH="+goarch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return platform + "=" + binary
}

// built is an image of a small program for both platforms, as a layout.
func built(t *testing.T) (dir string, digest v1.Hash) {
	t.Helper()
	var programs []program
	for _, platform := range []string{"linux/amd64", "linux/arm64"} {
		p, err := parseProgram(compile(t, platform))
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	dir = filepath.Join(t.TempDir(), "image")
	digest, err := build(dir, commit, []byte("licences\n"), programs)
	if err != nil {
		t.Fatal(err)
	}
	return dir, digest
}

// TestAnImageHasBothPlatforms, each with its binary, an ordinary user, and what registries and scanners show.
func TestAnImageHasBothPlatforms(t *testing.T) {
	dir, digest := built(t)
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	image, err := index.ImageIndex(digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := image.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if got := manifest.Annotations["org.opencontainers.image.revision"]; got != commit.revision {
		t.Errorf("the image is annotated with revision %q", got)
	}
	var platforms []string
	for _, d := range manifest.Manifests {
		platforms = append(platforms, d.Platform.String())
		one, err := image.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := one.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if config.Config.User != "65532:65532" || strings.Join(config.Config.Entrypoint, " ") != "/argo-why" || config.OS+"/"+config.Architecture != d.Platform.String() {
			t.Errorf("%s: configured as %+v", d.Platform, config)
		}
		if got := config.Config.Labels["org.opencontainers.image.version"]; got != commit.version {
			t.Errorf("%s: labelled with version %q", d.Platform, got)
		}
	}
	if got := strings.Join(platforms, " "); got != "linux/amd64 linux/arm64" {
		t.Errorf("the image is for %s", got)
	}
}

// TestEachImageHasABillOfMaterials: an artifact that refers to it, and lists Go and the root certificates.
func TestEachImageHasABillOfMaterials(t *testing.T) {
	dir, digest := built(t)
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	image, err := index.ImageIndex(digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := image.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	all, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range all.Manifests[1:] {
		bom, err := index.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		manifest, err := bom.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		if manifest.Subject == nil || manifest.Subject.Digest != images.Manifests[i].Digest {
			t.Errorf("bill %d is about %v", i, manifest.Subject)
		}
		if manifest.Config.MediaType != bomType {
			t.Errorf("bill %d is a %s", i, manifest.Config.MediaType)
		}
		document, err := os.ReadFile(filepath.Join(dir, "blobs", "sha256", manifest.Layers[0].Digest.Hex))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"specVersion": "1.6"`, `"pkg:golang/stdlib@1.`, `"pkg:golang/` + rootsModule + `@v0.`, commit.version} {
			if !bytes.Contains(document, []byte(want)) {
				t.Errorf("bill %d does not contain %s:\n%s", i, want, document)
			}
		}
	}
	if len(all.Manifests) != 1+len(images.Manifests) {
		t.Errorf("%d manifests for an image with %d platforms", len(all.Manifests), len(images.Manifests))
	}
}

// TestTheSameProgramGivesTheSameDigest: nothing but the programs and their commit goes into an image.
func TestTheSameProgramGivesTheSameDigest(t *testing.T) {
	_, one := built(t)
	_, two := built(t)
	if one != two {
		t.Errorf("built twice: %s and %s", one, two)
	}
}

// TestAnImageThatWouldNotStartIsNotBuilt names what is wrong with the binary.
func TestAnImageThatWouldNotStartIsNotBuilt(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, arm, _ := strings.Cut(compile(t, "linux/arm64"), "=")
	for want, arg := range map[string]string{
		"was built for linux/arm64, not for linux/amd64": "linux/amd64=" + arm,
		// Go links such a program without a C compiler, and it still asks for one library: the loader.
		"is linked dynamically": compile(t, "linux/amd64", "-buildmode=pie"),
		"unrecognized file":     "linux/amd64=" + text,
		"is not OS/ARCH=BINARY": text,
		"no such file":          "linux/amd64=" + text + "s",
	} {
		if _, err := parseProgram(arg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}

// TestEachModuleHasItsLicence: licences of another build are refused.
func TestEachModuleHasItsLicence(t *testing.T) {
	p := program{file: "argo-why", info: &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0", Replace: &debug.Module{Path: "c", Version: "v2.0.0"}},
	}}}
	const all = "\na v1.0.0, LICENSE\nc v2.0.0, LICENSE\n"
	if err := licensed(p, []byte(all)); err != nil {
		t.Error(err)
	}
	err := licensed(p, []byte(strings.Replace(all, "v2.0.0", "v2.0.0-rc.1", 1)))
	if want := "the licences do not have that of c v2.0.0, which is part of argo-why: run make licenses"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
