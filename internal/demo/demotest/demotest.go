// Package demotest builds the bot for tests that run it as a process, and finds addresses for it to listen on.
package demotest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// WithBot builds the bot into a temporary folder and runs something with it, for TestMain. It returns that one's exit code, or 1
// where the bot cannot be built, and says why on standard error.
func WithBot(run func(bot string) (code int)) (code int) {
	dir, err := os.MkdirTemp("", "bot-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bot := filepath.Join(dir, "bot")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", bot, "github.com/argo-why/argo-why/cmd/bot")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the bot:", err)
		return 1
	}
	return run(bot)
}

// FreeAddress is one of this machine that nobody listens on at the moment.
func FreeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
