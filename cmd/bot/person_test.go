//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// person runs argo-why init at a terminal.
type person struct {
	t        *testing.T
	dir      string
	cmd      *exec.Cmd
	terminal *os.File
	ended    chan struct{}

	mu    sync.Mutex
	shown bytes.Buffer
	read  int // what of it was looked at
}

// longWait is for a machine that is busy: nothing here waits for a time.
const longWait = 2 * time.Minute

// sitDown starts the program in a terminal, in an empty directory.
func sitDown(t *testing.T, args ...string) *person {
	t.Helper()
	p := &person{t: t, dir: t.TempDir(), ended: make(chan struct{})}
	p.start(args...)
	return p
}

func (p *person) start(args ...string) {
	p.t.Helper()
	program, err := exec.LookPath("argo-why") // made by TestMain
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.CommandContext(p.t.Context(), program, append([]string{"init"}, args...)...)
	p.cmd.Dir = p.dir
	p.cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm"}
	if p.terminal, err = pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 50, Cols: 100}); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = p.terminal.Close() })
	p.ended = make(chan struct{})
	go func(terminal *os.File, ended chan struct{}) {
		defer close(ended)
		piece := make([]byte, 4096)
		for {
			n, err := terminal.Read(piece)
			p.mu.Lock()
			p.shown.Write(piece[:n])
			p.mu.Unlock()
			if err != nil { // the program has ended
				return
			}
		}
	}(p.terminal, p.ended)
}

// all is everything that was shown.
func (p *person) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ReplaceAll(p.shown.String(), "\r\n", "\n")
}

// sees waits for a text behind everything that was seen before.
func (p *person) sees(text string) {
	p.t.Helper()
	for end := time.Now().Add(longWait); ; time.Sleep(5 * time.Millisecond) {
		all := p.all()
		if i := strings.Index(all[p.read:], text); i >= 0 {
			p.read += i + len(text)
			return
		}
		select {
		case <-p.ended:
			if strings.Contains(p.all()[p.read:], text) {
				continue
			}
		default:
			if time.Now().Before(end) {
				continue
			}
		}
		p.t.Fatalf("never shown: %q; shown:\n%s", text, p.all())
	}
}

// types types an answer.
func (p *person) types(answer string) {
	p.t.Helper()
	if _, err := p.terminal.WriteString(answer); err != nil {
		p.t.Fatal(err)
	}
}

// answers waits for a question and answers it.
func (p *person) answers(question, answer string) {
	p.t.Helper()
	p.sees(question)
	p.types(answer + "\n")
}

// answersHidden does so when the terminal no longer shows what is typed.
func (p *person) answersHidden(question, answer string) {
	p.t.Helper()
	p.sees(question)
	for end := time.Now().Add(longWait); p.echoes(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: what is typed is shown", question)
		}
	}
	p.types(answer + "\n")
}

// echoes reports whether the terminal shows what is typed.
func (p *person) echoes() bool {
	p.t.Helper()
	settings, err := unix.IoctlGetTermios(int(p.terminal.Fd()), getTermios)
	if err != nil {
		p.t.Fatal(err)
	}
	return settings.Lflag&unix.ECHO != 0
}

// leaves waits for the end and returns the exit code.
func (p *person) leaves() int {
	p.t.Helper()
	<-p.ended
	_ = p.cmd.Wait() // the exit code says it
	return p.cmd.ProcessState.ExitCode()
}

// file is one that was written.
func (p *person) file(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "argo-why-install", name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}
