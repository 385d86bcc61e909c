//go:build system

package system_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is one that was started for a scenario, and ends with it.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, ended: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.ended)
		// A child also ends when this process is killed: Linux sends the signal when the thread ends that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// kill ends it as a node that dies would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it has ended by itself
	<-p.ended
}

// played starts this binary again in another role. The client commands it over its standard input and output.
func played(t *testing.T, as string) (*process, *rpc.Client) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), self) //nolint:usetesting // it ends in a clean-up, after the bot
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, cmd)
	client := rpc.NewClient(duplex{out, in})
	t.Cleanup(func() { _ = client.Close() })
	return p, client
}

// duplex is what a process reads and writes, as one connection.
type duplex struct {
	io.Reader
	io.WriteCloser
}

// serve answers commands on standard input until it ends.
func serve(receiver any) (code int) {
	server := rpc.NewServer()
	if err := server.Register(receiver); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server.ServeConn(duplex{os.Stdin, os.Stdout})
	return 0
}

// call commands another process.
func call[R any](t *testing.T, client *rpc.Client, method string, args any) R {
	t.Helper()
	var reply R
	if err := client.Call(method, args, &reply); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return reply
}

// none is what a command takes, or answers, that has nothing to say. net/rpc wants an exported field or a basic type.
type none = int

// memory is a value of /proc/PID/status in MB: VmRSS, VmHWM.
func (p *process) memory(t *testing.T, field string) (megabytes int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return kb / 1024
		}
	}
	t.Fatal(errors.New("no " + field))
	return 0
}

// forgetPeak has VmHWM begin again at what the process holds now: see clear_refs in proc(5).
func (p *process) forgetPeak(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// processor is how much processor time it has used. /proc counts in hundredths of a second on every architecture that Go runs on.
func (p *process) processor(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may hold spaces
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
