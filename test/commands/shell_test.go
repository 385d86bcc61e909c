package commands

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell runs a command as a terminal does. With until, it is interrupted as by Ctrl-C once it has printed that.
func (p *place) shell(text, until string) (out string, code int) {
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", text)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	printed, err := os.Create(filepath.Join(p.TempDir(), "out"))
	if err != nil {
		p.Fatal(err)
	}
	defer func() { _ = printed.Close() }()
	cmd.Stdout, cmd.Stderr = printed, printed
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stopped := false
	for until != "" && !stopped {
		select {
		case err = <-ended:
			raw, _ := os.ReadFile(printed.Name())
			p.Fatalf("%s ended (%v) before it printed %q:\n%s", text, err, until, raw)
		case <-time.After(50 * time.Millisecond):
			if raw, _ := os.ReadFile(printed.Name()); bytes.Contains(raw, []byte(until)) {
				stopped = true
				if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
					p.Fatal(err)
				}
			}
		}
	}
	err = <-ended
	raw, readErr := os.ReadFile(printed.Name())
	if readErr != nil {
		p.Fatal(readErr)
	}
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && stopped: // by Ctrl-C
		return string(raw), 0
	case errors.As(err, &failed):
		return string(raw), failed.ExitCode()
	case err != nil:
		p.Fatal(err)
	}
	return string(raw), 0
}

func (p *place) read(name string) string {
	p.Helper()
	raw, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	return string(raw)
}

func (p *place) write(name, text string) {
	p.Helper()
	file := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
