//go:build e2e

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// bot is `bot serve` as a process of its own, which can be killed and started again with the same configuration and state.
type bot struct {
	t       *testing.T
	config  string
	log     *os.File
	process *exec.Cmd
	// ended is closed when the process is gone.
	ended chan struct{}
}

// newBot writes the configuration. The log of all its lives is shown when the test fails.
func newBot(t *testing.T, config string) *bot {
	t.Helper()
	dir := t.TempDir()
	b := &bot{t: t, config: filepath.Join(dir, "config.yaml")}
	if err := os.WriteFile(b.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if b.log, err = os.Create(filepath.Join(dir, "bot.log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.kill()
		if t.Failed() {
			b.showLog()
		}
		_ = b.log.Close()
	})
	return b
}

// check is what `bot check` says of the configuration.
func (b *bot) check(flags ...string) string {
	b.t.Helper()
	out, err := exec.CommandContext(b.t.Context(), command, append([]string{"check", "-c", b.config}, flags...)...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("bot check: %v", err)
	}
	return string(out)
}

// start returns when the bot is ready.
func (b *bot) start() {
	b.t.Helper()
	b.process = exec.Command(command, "serve", "-c", b.config) //nolint:noctx // it is ended by kill, which waits for its end
	b.process.Stdout, b.process.Stderr = b.log, b.log
	if err := b.process.Start(); err != nil {
		b.t.Fatalf("start the bot: %v", err)
	}
	b.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait() // how it ended stands in its log
		close(ended)
	}(b.process, b.ended)
	b.awaitReady()
}

func (b *bot) awaitReady() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	for again := time.NewTicker(100 * time.Millisecond); ; {
		err := ready(ctx)
		if err == nil {
			return
		}
		select {
		case <-b.ended:
			b.t.Fatalf("the bot has ended (%s), see its log", b.process.ProcessState)
		case <-ctx.Done():
			b.t.Fatalf("the bot does not become ready: %v", err)
		case <-again.C:
		}
	}
}

// ready is nil if the bot says that it is, else what it says.
func ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+os.Getenv("BOT_LISTEN")+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %s", answer.Status, text)
}

// kill gives the bot no time for anything (SIGKILL), and waits until it is gone.
func (b *bot) kill() {
	if b.process == nil || b.process.Process == nil {
		return
	}
	_ = b.process.Process.Kill() // it may be gone already
	<-b.ended
}

func (b *bot) showLog() {
	text, err := os.ReadFile(b.log.Name())
	if err != nil {
		b.t.Logf("read the log of the bot: %v", err)
		return
	}
	const end = 20_000
	if len(text) > end {
		text = text[len(text)-end:]
	}
	b.t.Logf("log of the bot, its end:\n%s", text)
}
