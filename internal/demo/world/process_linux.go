package world

import (
	"os/exec"
	"syscall"
)

// endWithParent keeps Ctrl-C from the child, which the demo ends itself, and ends it also where the demo is killed.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
