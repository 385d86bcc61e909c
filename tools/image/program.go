package main

import (
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// program is a binary and the platform that it runs on.
type program struct {
	platform v1.Platform
	file     string
	info     *buildinfo.BuildInfo
}

// parseProgram reads OS/ARCH=FILE and checks that the file is what it is called: a binary for another platform, or one that needs a
// C library, would start nowhere.
func parseProgram(arg string) (program, error) {
	platform, file, ok := strings.Cut(arg, "=")
	if !ok {
		return program{}, fmt.Errorf("%q is not OS/ARCH=BINARY", arg)
	}
	p, err := v1.ParsePlatform(platform)
	if err != nil {
		return program{}, fmt.Errorf("platform of %s: %w", file, err)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return program{}, fmt.Errorf("read what %s was built from: %w", file, err)
	}
	if built := setting(info, "GOOS") + "/" + setting(info, "GOARCH"); built != platform {
		return program{}, fmt.Errorf("%s was built for %s, not for %s", file, built, platform)
	}
	if err := checkStatic(file); err != nil {
		return program{}, err
	}
	return program{platform: *p, file: file, info: info}, nil
}

func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

func checkStatic(file string) error {
	binary, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	defer func() { _ = binary.Close() }()
	for _, p := range binary.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("%s is linked dynamically, and the image has no libraries: build it with CGO_ENABLED=0", file)
		}
	}
	return nil
}
