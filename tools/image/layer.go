package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// newLayer is a layer with one file. Everything in it belongs to root and nobody else can write it. Its time is 1970: a file that has not
// changed gives the same layer in every release, so it is stored and pulled once.
func newLayer(name string, content []byte, mode int64) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, dir := range parents(name) {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755}); err != nil {
			return nil, fmt.Errorf("write directory %s: %w", dir, err)
		}
	}
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(content))}); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	if _, err := w.Write(content); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// parents are the directories above a file, from the top: etc, etc/ssl.
func parents(name string) []string {
	var dirs []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		dirs = append([]string{strings.TrimPrefix(dir, "/")}, dirs...)
	}
	return dirs
}
