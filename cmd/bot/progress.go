package main

import (
	"fmt"
	"io"
	"time"
)

// progress shows on a terminal what the command is waiting for, if that takes longer than a second. The returned function
// stops and erases it.
func progress(w io.Writer, what string) (stop func()) {
	if !isTerminal(w) {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for seconds := 1; ; seconds++ {
			select {
			case <-ticker.C:
				fmt.Fprintf(w, "\r%s … %d s", what, seconds)
			case <-quit:
				if seconds > 1 {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() { close(quit); <-ended }
}
