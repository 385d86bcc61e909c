package world

import (
	"fmt"
	"os/exec"
	"runtime"
)

// process is one run of the bot: a child process, because only a process can be killed as a node that dies kills it.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed once it has
	err   error         // how it ended; read it after ended
}

// launch starts a process. It ends with this one.
func launch(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.ended)
		// Linux ends a child with the thread that started it, see endWithParent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		endWithParent(cmd)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start the bot: %w", err)
	}
	return p, nil
}

// kill ends the process at once, as kill -9 does, and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it has ended by itself, or does so now
	<-p.ended
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}
