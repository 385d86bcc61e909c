//go:build image && linux

package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// bin is where make puts the image.
const bin = "../../bin/image"

// TestNothingElseIsInTheImage: the program, its licences and the root certificates, which only root could write.
func TestNothingElseIsInTheImage(t *testing.T) {
	var found []string
	err := fs.WalkDir(os.DirFS(unpacked(t)), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || path == "." {
			return err
		}
		found = append(found, info.Mode().String()+" "+path)
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 {
			t.Errorf("%s does not belong to root: %+v", path, info.Sys())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"-r--r--r-- THIRD-PARTY-LICENSES", "-r-xr-xr-x argo-why", "drwxr-xr-x etc", "drwxr-xr-x etc/ssl", "drwxr-xr-x etc/ssl/certs",
		"-r--r--r-- etc/ssl/certs/ca-certificates.crt",
	}
	if !slices.Equal(found, want) {
		t.Errorf("the image contains\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheProgramStartsWithNothingElse: no libraries, no shell, no /proc, no home, and not as root.
func TestTheProgramStartsWithNothingElse(t *testing.T) {
	root := unpacked(t)
	code, out := runIn(t, root, "version")
	if !regexp.MustCompile(`^argo-why \S+ \(commit [0-9a-f]{40}, go1\.\S+, linux/`+runtime.GOARCH+`\)\n$`).MatchString(out) || code != 0 {
		t.Errorf("version: exit code %d: %s", code, out)
	}
	code, out = runIn(t, root, "check", "-c", "/etc/argo-why/config.yaml")
	if code != 1 || out != "argo-why: configuration /etc/argo-why/config.yaml not found: looked for /etc/argo-why/config.yaml; the directory /etc/argo-why does not exist either\n" {
		t.Errorf("without a configuration: exit code %d: %s", code, out)
	}
	put(t, root, "etc/argo-why/config.yaml", "slack: {teem: T0}\n")
	code, out = runIn(t, root, "check", "-c", "/etc/argo-why/config.yaml")
	if code != 1 || !strings.Contains(out, "✗ /etc/argo-why/config.yaml:1: slack.teem: unknown key: did you mean team?\n") {
		t.Errorf("with a wrong configuration: exit code %d: %s", code, out)
	}
}

// TestTheRootCertificatesAreRead: what they sign is trusted, and nothing else is.
func TestTheRootCertificatesAreRead(t *testing.T) {
	argocd := httptest.NewUnstartedServer(http.NotFoundHandler())
	argocd.EnableHTTP2 = true
	argocd.StartTLS()
	t.Cleanup(argocd.Close)
	root := unpacked(t)
	put(t, root, "etc/argo-why/config.yaml", fmt.Sprintf(`slack: {team: T0123456789, channel: alerts, botToken: {env: TOKEN}, appToken: {env: TOKEN}, apiURL: "http://127.0.0.1:1/"}
argocd: [{name: prod, server: %q, token: {env: TOKEN}}]
`, argocd.Listener.Addr()))

	const refused = "is signed by an unknown authority"
	if _, out := runIn(t, root, "check", "-c", "/etc/argo-why/config.yaml"); !strings.Contains(out, refused) {
		t.Errorf("a certificate that nobody signed is trusted:\n%s", out)
	}
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: argocd.Certificate().Raw})
	put(t, root, "etc/ssl/certs/company.crt", string(own))
	if _, out := runIn(t, root, "check", "-c", "/etc/argo-why/config.yaml"); strings.Contains(out, refused) || !strings.Contains(out, "argocd prod") {
		t.Errorf("a company's certificate beside the others is not read:\n%s", out)
	}
	all, err := os.ReadFile(filepath.Join(root, rootsFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "etc/ssl/certs/company.crt")); err != nil {
		t.Fatal(err)
	}
	put(t, root, rootsFile, string(all)+string(own))
	if _, out := runIn(t, root, "check", "-c", "/etc/argo-why/config.yaml"); strings.Contains(out, refused) || !strings.Contains(out, "argocd prod") {
		t.Errorf("%s is not read:\n%s", rootsFile, out)
	}
}

// TestTimeZonesAreKnown: a sync window in one says when it ends.
func TestTimeZonesAreKnown(t *testing.T) {
	root := unpacked(t)
	window, err := os.ReadFile("../../internal/diagnose/rules/testdata/cases/operation/sync-window/time-zone.json")
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, "case.json", string(window))
	code, inside := runIn(t, root, "why", "-f", "/case.json")
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "argo-why"), "why", "-f", filepath.Join(root, "case.json"))
	cmd.Env = []string{"NO_COLOR=1"}
	outside, err := cmd.CombinedOutput()
	if err != nil || code != 0 {
		t.Fatalf("outside: %v, inside: exit code %d\n%s\n%s", err, code, outside, inside)
	}
	if inside != string(outside) || !strings.Contains(inside, "until") {
		t.Errorf("in the image:\n%s\noutside:\n%s", inside, outside)
	}
}

// TestTwoBuildsHaveOneDigest: this checkout, and a copy elsewhere.
func TestTwoBuildsHaveOneDigest(t *testing.T) {
	here, err := layout.ImageIndexFromPath(bin)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := here.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	platform := "linux/" + runtime.GOARCH
	again := filepath.Join(t.TempDir(), "elsewhere")
	shell(t, `mkdir "$1" && cd ../.. && git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do test ! -e "$f" || printf "%s\\0" "$f"; done' sh | tar --null -T - -c | tar -x -C "$1" &&
		make -s image -C "$1" PLATFORMS="$2" VERSION="$(bin/linux/$(go env GOARCH)/argo-why version | cut -d ' ' -f 2)" COMMIT="$(git rev-parse HEAD)" COMMITTED="$(git log -1 --format=%ct)"`,
		again, platform)
	there, err := layout.ImageIndexFromPath(filepath.Join(again, "bin", "image"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := there.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for i := range manifest.Manifests {
		if got, want := other.Manifests[i].Digest, manifest.Manifests[i].Digest; got != want {
			t.Errorf("manifest %d: %s, elsewhere %s", i, want, got)
		}
	}
}

func shell(t *testing.T, script string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-ec", script, "bash"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// unpacked is the file system of the image for this machine.
func unpacked(t *testing.T) string {
	t.Helper()
	index, err := layout.ImageIndexFromPath(bin)
	if err != nil {
		t.Fatalf("%v: run make image-test", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	platforms, err := images.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range platforms.Manifests {
		if d.Platform.Architecture != runtime.GOARCH {
			continue
		}
		image, err := images.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		root, content := t.TempDir(), mutate.Extract(image)
		if err := errors.Join(untar(root, content), content.Close()); err != nil {
			t.Fatal(err)
		}
		return root
	}
	t.Fatalf("the image has no platform %s", runtime.GOARCH)
	return ""
}

func untar(root string, r io.Reader) error {
	for content := tar.NewReader(r); ; {
		header, err := content.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		file, mode := filepath.Join(root, header.Name), header.FileInfo().Mode()
		if mode.IsDir() {
			if err := os.MkdirAll(file, mode.Perm()); err != nil {
				return err
			}
			continue
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(content); err != nil {
			return err
		}
		if err := os.WriteFile(file, b.Bytes(), mode.Perm()); err != nil {
			return err
		}
	}
}

// put adds what is mounted into a container.
func put(t *testing.T, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runIn runs the program as a container runtime does: with the image as its root, and as the user of the image. It needs root.
func runIn(t *testing.T, root string, args ...string) (code int, out string) {
	t.Helper()
	const nonroot = 65532
	cmd := exec.CommandContext(t.Context(), "/argo-why", args...)
	cmd.Dir, cmd.Env = "/", []string{"TOKEN=t", "NO_COLOR=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nonroot, Gid: nonroot}}
	output, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("run %v in the image: %v", args, err)
	}
	return cmd.ProcessState.ExitCode(), string(output)
}
