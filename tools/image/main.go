// Command image puts built binaries into a container image, as an OCI layout in a directory, and pushes such a layout to a registry.
// It needs no Docker and no base image: an image contains the binary, the licences of what is in it, Mozilla's root
// certificates, and nothing else. The same binaries give
// the same digest, on every machine.
//
// It is a module of its own, so that its dependencies never take part in choosing those of the bot.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

var errUsage = errors.New(strings.TrimSpace(`use it as
  image build -o DIR -version VERSION -revision COMMIT -created UNIX-TIME -licenses FILE OS/ARCH=BINARY...
  image push DIR REPOSITORY TAG...

push logs in as Docker does, or to ghcr.io with GITHUB_TOKEN, and prints REPOSITORY@DIGEST
`))

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	switch args[0] {
	case "build":
		return runBuild(args[1:], out)
	case "push":
		if len(args) < 4 {
			return errUsage
		}
		pushed, err := push(ctx, args[1], args[2], args[3:])
		if err != nil {
			return err
		}
		fmt.Fprintln(out, pushed)
		return nil
	}
	return errUsage
}

func runBuild(args []string, out io.Writer) error {
	var dir, licenses string
	var r release
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.StringVar(&dir, "o", "", "write the OCI layout to this `directory`, which is replaced")
	flags.StringVar(&r.version, "version", "", "`version` of the program")
	flags.StringVar(&r.revision, "revision", "", "`commit` that the program was built from")
	flags.StringVar(&licenses, "licenses", "", "`file` with the licences of what the program contains")
	flags.Func("created", "time of that commit in `seconds` since 1970", func(s string) error {
		seconds, err := strconv.ParseInt(s, 10, 64)
		r.created = time.Unix(seconds, 0).UTC()
		return err
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if dir == "" || r.version == "" || r.revision == "" || r.created.IsZero() || licenses == "" || flags.NArg() == 0 {
		return errUsage
	}
	var programs []program
	for _, arg := range flags.Args() {
		p, err := parseProgram(arg)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	text, err := os.ReadFile(licenses)
	if err != nil {
		return fmt.Errorf("read the licences: %w", err)
	}
	digest, err := build(dir, r, text, programs)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, digest)
	return nil
}
