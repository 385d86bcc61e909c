package main

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// bomType is what scanners look for among the artifacts that refer to an image.
const bomType types.MediaType = "application/vnd.cyclonedx+json"

// newBOM is the software bill of materials of an image, as an artifact that refers to it.
func newBOM(r release, p program, image v1.Image) (v1.Image, error) {
	document, err := encodeBOM(r, p)
	if err != nil {
		return nil, err
	}
	subject, err := partial.Descriptor(image)
	if err != nil {
		return nil, fmt.Errorf("describe the image: %w", err)
	}
	artifact := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), bomType)
	if artifact, err = mutate.AppendLayers(artifact, static.NewLayer(document, bomType)); err != nil {
		return nil, fmt.Errorf("put it into a layer: %w", err)
	}
	artifact, err = annotate(artifact, map[string]string{"org.opencontainers.image.created": r.created.Format(time.RFC3339)})
	if err != nil {
		return nil, err
	}
	about, ok := mutate.Subject(artifact, *subject).(v1.Image)
	if !ok {
		return nil, fmt.Errorf("refer to image %s: the library returned no image", subject.Digest)
	}
	return about, nil
}

// encodeBOM lists what the binary itself says it was built from, Go, and the root certificates.
func encodeBOM(r release, p program) ([]byte, error) {
	components := []cdx.Component{
		component("stdlib", strings.TrimPrefix(p.info.GoVersion, "go")),
		component(rootsModule, rootsVersion()),
	}
	for _, m := range p.info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, component(m.Path, m.Version))
	}
	bom := cdx.NewBOM()
	main := component(p.info.Main.Path, r.version)
	main.Type = cdx.ComponentTypeApplication
	bom.Metadata = &cdx.Metadata{Timestamp: r.created.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	var b bytes.Buffer
	encoder := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	// Not the newest version of the format: scanners take a year to read it.
	if err := encoder.EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return b.Bytes(), nil
}

// component is a Go module. Its package URL is what databases of vulnerabilities are searched by.
func component(path, version string) cdx.Component {
	url := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: url, Name: path, Version: version, PackageURL: url}
}

// rootsVersion is the version of the root certificates that this program was built with.
func rootsVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == rootsModule {
				return m.Version
			}
		}
	}
	return ""
}
