package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	programFile  = "argo-why"
	licensesFile = "THIRD-PARTY-LICENSES"
	source       = "https://github.com/argo-why/argo-why"
	// nobody is the user that distroless images call nonroot. A number, so that Kubernetes can tell that it is not root.
	nobody = "65532:65532"
)

// release is what the programs were built from.
type release struct {
	version, revision string
	created           time.Time // of the commit, not of the build, which would give each build another digest
}

// annotations are what registries and scanners show of an image.
func (r release) annotations() map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":         "argo-why",
		"org.opencontainers.image.description":   "Tells you why an Argo CD application is failing",
		"org.opencontainers.image.source":        source,
		"org.opencontainers.image.url":           source,
		"org.opencontainers.image.documentation": source + "#readme",
		"org.opencontainers.image.licenses":      "Apache-2.0",
		"org.opencontainers.image.version":       r.version,
		"org.opencontainers.image.revision":      r.revision,
		"org.opencontainers.image.created":       r.created.Format(time.RFC3339),
	}
}

// build writes the image for all platforms, each with its SBOM, and returns its digest.
func build(dir string, r release, licenses []byte, programs []program) (v1.Hash, error) {
	certificates, err := roots()
	if err != nil {
		return v1.Hash{}, err
	}
	shared, err := newLayer(rootsFile, certificates, 0o444)
	if err != nil {
		return v1.Hash{}, err
	}
	notices, err := newLayer(licensesFile, licenses, 0o444)
	if err != nil {
		return v1.Hash{}, err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var boms []v1.Image
	for _, p := range programs {
		if err := licensed(p, licenses); err != nil {
			return v1.Hash{}, err
		}
		image, err := newImage(r, p, shared, notices)
		if err != nil {
			return v1.Hash{}, fmt.Errorf("image for %s: %w", p.platform, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &p.platform}})
		bom, err := newBOM(r, p, image)
		if err != nil {
			return v1.Hash{}, fmt.Errorf("SBOM for %s: %w", p.platform, err)
		}
		boms = append(boms, bom)
	}
	if index, err = annotate(index, r.annotations()); err != nil {
		return v1.Hash{}, err
	}
	if err := write(dir, r, index, boms); err != nil {
		return v1.Hash{}, err
	}
	return index.Digest()
}

// licensed reports a module of the program without a licence: the file is of another build.
func licensed(p program, licenses []byte) error {
	for _, m := range p.info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if !bytes.Contains(licenses, []byte("\n"+m.Path+" "+m.Version+", ")) {
			return fmt.Errorf("the licences do not have that of %s %s, which is part of %s: run make licenses", m.Path, m.Version, p.file)
		}
	}
	return nil
}

func newImage(r release, p program, shared, notices v1.Layer) (v1.Image, error) {
	binary, err := os.ReadFile(p.file)
	if err != nil {
		return nil, fmt.Errorf("read the binary: %w", err)
	}
	own, err := newLayer(programFile, binary, 0o555)
	if err != nil {
		return nil, err
	}
	at := v1.Time{Time: r.created}
	image, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON),
		mutate.Addendum{Layer: shared, History: v1.History{Created: at, CreatedBy: "root certificates of " + rootsModule + " " + rootsVersion()}},
		mutate.Addendum{Layer: notices, History: v1.History{Created: at, CreatedBy: licensesFile}},
		mutate.Addendum{Layer: own, History: v1.History{Created: at, CreatedBy: programFile + " " + r.version}})
	if err != nil {
		return nil, fmt.Errorf("put the layers together: %w", err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	config = config.DeepCopy()
	config.Created = at
	config.OS, config.Architecture, config.Variant = p.platform.OS, p.platform.Architecture, p.platform.Variant
	config.Config = v1.Config{
		Entrypoint: []string{"/" + programFile},
		User:       nobody,
		WorkingDir: "/",
		Labels:     r.annotations(),
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return nil, fmt.Errorf("set the configuration: %w", err)
	}
	return annotate(image, r.annotations())
}

// annotate keeps the type, which the library loses.
func annotate[T partial.WithRawManifest](manifest T, annotations map[string]string) (T, error) {
	annotated, ok := mutate.Annotations(manifest, annotations).(T)
	if !ok {
		return annotated, fmt.Errorf("annotate %T: it became something else", manifest)
	}
	return annotated, nil
}

// write replaces the directory by a layout of the image, named by its version, and its SBOMs.
func write(dir string, r release, index v1.ImageIndex, boms []v1.Image) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the former image: %w", err)
	}
	to, err := layout.Write(dir, empty.Index)
	if err != nil {
		return fmt.Errorf("write layout: %w", err)
	}
	name := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version})
	if err := to.AppendIndex(index, name); err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	for _, bom := range boms {
		if err := to.AppendImage(bom); err != nil {
			return fmt.Errorf("write SBOM: %w", err)
		}
	}
	return nil
}
