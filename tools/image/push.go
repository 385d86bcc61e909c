package main

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/authn/github"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// push uploads the image of a layout with its SBOMs and returns its name with the digest. The tags come last: a tag names nothing
// that is incomplete.
func push(ctx context.Context, dir, repository string, tags []string) (string, error) {
	repo, err := name.NewRepository(repository)
	if err != nil {
		return "", fmt.Errorf("read the repository: %w", err)
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return "", fmt.Errorf("read the image: %w", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return "", fmt.Errorf("read the image: %w", err)
	}
	pusher, err := remote.NewPusher(remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.NewMultiKeychain(authn.DefaultKeychain, github.Keychain)))
	if err != nil {
		return "", fmt.Errorf("prepare the upload: %w", err)
	}
	var image remote.Taggable
	var digest v1.Hash
	for _, d := range manifest.Manifests {
		var content remote.Taggable
		if d.MediaType.IsIndex() {
			content, err = index.ImageIndex(d.Digest)
			image, digest = content, d.Digest
		} else {
			content, err = index.Image(d.Digest)
		}
		if err != nil {
			return "", fmt.Errorf("read %s: %w", d.Digest, err)
		}
		if err := pusher.Push(ctx, repo.Digest(d.Digest.String()), content); err != nil {
			return "", fmt.Errorf("push %s: %w", d.Digest, err)
		}
	}
	if image == nil {
		return "", fmt.Errorf("%s contains no image", dir)
	}
	for _, tag := range tags {
		if err := pusher.Push(ctx, repo.Tag(tag), image); err != nil {
			return "", fmt.Errorf("push tag %s: %w", tag, err)
		}
	}
	return repo.Digest(digest.String()).String(), nil
}
