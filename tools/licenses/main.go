// Command licenses writes the licences and notices of everything that is linked into a program, for all platforms it is released for. They come from
// the module cache: the repository stores none, and a module without a licence fails the build.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("licenses", flag.ContinueOnError)
	out := flags.String("o", "", "write to this `file`")
	dir := flags.String("C", ".", "the `directory` of the program's module")
	pkg := flags.String("package", "", "the `package` of the program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *pkg == "" || flags.NArg() == 0 {
		return errors.New("use it as licenses -o FILE -C DIR -package PACKAGE and one or more OS/ARCH")
	}
	var linked []linkedPackage
	for _, platform := range flags.Args() {
		more, err := linkedInto(ctx, *dir, *pkg, platform)
		if err != nil {
			return err
		}
		linked = append(linked, more...)
	}
	goroot, err := output(ctx, *dir, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	version, err := output(ctx, *dir, nil, "go", "env", "GOVERSION")
	if err != nil {
		return err
	}
	notices, err := collect(linked)
	if err != nil {
		return err
	}
	own, err := filesIn(strings.TrimSpace(string(goroot)))
	if err != nil || len(own) == 0 {
		return errors.Join(fmt.Errorf("find the licence of Go in %s", goroot), err)
	}
	for name, text := range own {
		notices.add("Go "+strings.TrimPrefix(strings.TrimSpace(string(version)), "go"), name, text)
	}
	return os.WriteFile(*out, []byte(notices.String()), 0o644)
}

// linkedPackage is a package that a program consists of.
type linkedPackage struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version string }
	}
}

// linkedInto are the packages of a program on a platform. The linker leaves some out, so these are rather too many.
func linkedInto(ctx context.Context, dir, pkg, platform string) ([]linkedPackage, error) {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, fmt.Errorf("%q is not OS/ARCH", platform)
	}
	raw, err := output(ctx, dir, []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + goarch}, "go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", pkg)
	if err != nil {
		return nil, err
	}
	var all []linkedPackage
	for in := json.NewDecoder(bytes.NewReader(raw)); ; {
		var p linkedPackage
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list prints: %w", err)
		}
		if !p.Standard && p.Module != nil && !p.Module.Main {
			all = append(all, p)
		}
	}
}

func output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}
