//go:build unix

package world

import "syscall"

// Pause stops a replica where it is, as a node that has no time for it does, until it is resumed.
func (w *World) Pause(replica int) { w.signal(replica, syscall.SIGSTOP) }

// Resume lets a replica that was paused go on.
func (w *World) Resume(replica int) { w.signal(replica, syscall.SIGCONT) }

func (w *World) signal(replica int, s syscall.Signal) {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	for _, r := range w.bot.replicas {
		if r.n == replica && r.runs() {
			_ = r.process.cmd.Process.Signal(s) // it may end at this moment
		}
	}
}
