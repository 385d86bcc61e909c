// Command bot finds out why an Argo CD application fails.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // sync windows have time zones, and neither a container nor Windows has their rules

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/redact"
	_ "github.com/argo-why/argo-why/internal/startup"
	_ "github.com/argo-why/argo-why/internal/startup/untranslated"
)

// version and commit are set by the linker, see the Makefile.
var version, commit = "", ""

func main() {
	program.RunAs(os.Args[0])
	if log, err := newLog(os.Stderr, config.Log{Level: "info", Format: config.LogText}); err == nil { // until serve has a log of its own
		app.LogLibraries(log)
	}
	go redact.Prepare() // while the command line is read and Argo CD is connected
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		cancel(interruption{s})
		// A second signal kills the process, in case the first one finds it waiting for something that never ends. But some programs
		// send the first one twice, to the process and to its group: timeout, for example.
		time.Sleep(time.Second)
		signal.Stop(signals)
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// interruption is the cause of a context that a signal has ended.
type interruption struct{ os.Signal }

func (interruption) Error() string { return "interrupted" }

// exitCode is what a shell makes of a process that the signal ends: 130 after Ctrl-C.
func (i interruption) exitCode() int {
	const base = 128
	if s, ok := i.Signal.(syscall.Signal); ok {
		return base + int(s)
	}
	return exitFailed
}

// versionLine is what a bug report needs: the version, and what it was built from and with.
func versionLine() string {
	built := runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	if commit != "" {
		built = "commit " + commit + ", " + built
	}
	return program.Name() + " " + programVersion() + " (" + built + ")"
}

// programVersion is the linker's word, else that of `go install …@version`.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}
