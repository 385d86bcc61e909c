package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cache is a module cache with files, and the packages of a program in it.
func cache(t *testing.T, files map[string]string, packages ...string) []linkedPackage {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var all []linkedPackage
	for _, path := range packages {
		module, _, _ := strings.Cut(path, "/")
		p := linkedPackage{ImportPath: path, Dir: filepath.Join(dir, filepath.FromSlash(path))}
		if err := os.MkdirAll(p.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		p.Module = &struct {
			Path, Version, Dir string
			Main               bool
			Replace            *struct{ Path, Version string }
		}{Path: module, Version: "v1.0.0", Dir: filepath.Join(dir, module)}
		all = append(all, p)
	}
	return all
}

// TestLicences: those of a module and of the parts of it that are linked, each text once, and no others.
func TestLicences(t *testing.T) {
	linked := cache(t, map[string]string{
		"a/LICENSE": "the same\n", "b/LICENSE.txt": "the same\r\n", "b/NOTICE": "b is by B\n", "b/part/COPYING": "another\n",
		"b/unused/LICENSE": "not linked\n", "b/license.go": "package b\n", "b/part/licenses_test.go": "package part\n",
	}, "b/part/deep", "a", "b")
	got, err := collect(linked)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("=", 100) + "\n"
	want := head + "\n" + line + "a v1.0.0, LICENSE\nb v1.0.0, LICENSE.txt\n\nthe same\n\n" +
		line + "b v1.0.0, NOTICE\n\nb is by B\n\n" + line + "b v1.0.0, part/COPYING\n\nanother\n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAModuleWithoutALicenceIsRefused: nobody may distribute it.
func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	_, err := collect(cache(t, map[string]string{"a/LICENSE": "x", "b/README": "x"}, "a", "b", "b/c"))
	if err == nil || err.Error() != "b v1.0.0 has no licence" {
		t.Errorf("got %v", err)
	}
}
