package main

import (
	"bytes"
	"log" //nolint:depguard // the test registry has no other logger
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// TestAPushedImageIsPulledByTagAndDigest, and its bills of materials are found from it.
func TestAPushedImageIsPulledByTagAndDigest(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(t.Output(), "", 0)), registry.WithReferrersSupport(true)))
	t.Cleanup(server.Close)
	repository := strings.TrimPrefix(server.URL, "http://") + "/argo-why/argo-why"
	dir, digest := built(t)

	var out bytes.Buffer
	if err := run(t.Context(), []string{"push", dir, repository, commit.version, "latest"}, &out); err != nil {
		t.Fatal(err)
	}
	if want := repository + "@" + digest.String() + "\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	for _, tag := range []string{commit.version, "latest"} {
		ref, err := name.ParseReference(repository + ":" + tag)
		if err != nil {
			t.Fatal(err)
		}
		image, err := remote.Index(ref)
		if err != nil {
			t.Fatalf("pull %s: %v", tag, err)
		}
		if got, err := image.Digest(); err != nil || got != digest {
			t.Errorf("%s is %v, %v", tag, got, err)
		}
		manifest, err := image.IndexManifest()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range manifest.Manifests {
			referrers, err := remote.Referrers(ref.Context().Digest(d.Digest.String()))
			if err != nil {
				t.Fatal(err)
			}
			if found, err := referrers.IndexManifest(); err != nil || len(found.Manifests) != 1 || found.Manifests[0].ArtifactType != string(bomType) {
				t.Errorf("%s: refer to it: %+v, %v", d.Platform, found, err)
			}
		}
	}
}

// TestAFailedUploadIsNamed: what could not be pushed, and why.
func TestAFailedUploadIsNamed(t *testing.T) {
	dir, _ := built(t)
	_, err := push(t.Context(), dir, "127.0.0.1:1/argo-why", []string{commit.version})
	if err == nil || !strings.HasPrefix(err.Error(), "push sha256:") {
		t.Errorf("the error is %v", err)
	}
}
