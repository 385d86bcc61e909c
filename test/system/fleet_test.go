//go:build system

package system_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// idle is how long the bot is watched while nothing fails: one list of all applications falls into it, and one sweep.
const idle = 6 * time.Minute

// TestFleet: many applications that are all well. Meanwhile Argo CD compares each of them every three minutes, as it does by default:
// that changes nothing but the time of its last look.
func TestFleet(t *testing.T) {
	for _, fleet := range []struct {
		what string
		size int
		text []byte
	}{
		{"10,000 healthy applications of 20 KB", 10_000, ofSize(t, 20<<10)},
		{"30,000 healthy applications of 5 KB", 30_000, ofSize(t, 5<<10)},
		{"10,000 healthy applications of 130 resources", 10_000, recorded(t, wellCase, 130)},
	} {
		t.Run(fleet.what, func(t *testing.T) {
			in := install(t)
			in.put(fleet.text, 0, fleet.size)
			in.run("1h")
			results.within(fleet.what, "from start to watching", time.Since(in.began), 0, in.spent().String())
			comparing := in.compare(fleet.size, 3*time.Minute, idle+2*time.Minute)
			time.Sleep(time.Minute) // until garbage is collected, and given back
			promised := 0
			if fleet.size == 10_000 {
				promised = 1
			}
			results.atMost(fleet.what, "memory after a minute", in.bot.memory(t, "VmRSS"), promised*150, "MB", "")
			before, read, from := in.spent(), in.bot.read(t), time.Now()
			time.Sleep(idle)
			minutes := time.Since(from).Minutes()
			read = int64(float64(in.bot.read(t)-read) / minutes)
			spent := in.spent().since(before)
			results.atMost(fleet.what, "memory, peak", in.bot.memory(t, "VmHWM"), promised*mostMemory, "MB", in.mapped())
			results.atMost(fleet.what, "memory at the end", in.bot.memory(t, "VmRSS"), promised*150, "MB", "")
			results.atMost(fleet.what, "read in a minute, while nothing fails", int(read>>10), 0, "KB",
				fmt.Sprintf("%s; Argo CD holds %d MB", spent, in.argoCD.memory(t, "VmRSS")))
			if n := len(in.messages()); n > 0 {
				t.Errorf("%d messages, although nothing fails", n)
			}
			select {
			case <-comparing:
				t.Error("Argo CD stopped comparing too early")
			default:
			}
		})
	}
}

// ofSize is a case whose application takes that many bytes as JSON, by as many resources as it takes.
func ofSize(t *testing.T, size int) []byte {
	t.Helper()
	for n := 1; ; n++ {
		document := recorded(t, wellCase, n)
		var parsed struct{ Application json.RawMessage }
		if err := json.Unmarshal(document, &parsed); err != nil {
			t.Fatal(err)
		}
		if len(parsed.Application) >= size {
			return document
		}
	}
}

// compare has Argo CD compare all applications, evenly over the time every, again and again. It is over when the channel is closed.
func (in *installation) compare(size int, every, until time.Duration) <-chan struct{} {
	const batch = 20 // as many as Argo CD's controller compares at once
	over := make(chan struct{})
	go func() {
		defer close(over)
		pause := time.NewTicker(every * batch / time.Duration(size))
		defer pause.Stop()
		for from, end := 0, time.After(until); ; from = (from + batch) % size {
			select {
			case <-end:
				return
			case <-in.bot.ended:
				return
			case <-pause.C:
			}
			if in.ask.argoCD.Call("ArgoCD.Compare", Fleet{From: from, To: from + batch}, new(none)) != nil {
				return
			}
		}
	}()
	return over
}

// read is how many bytes the process has read, from the network or elsewhere.
func (p *process) read(t *testing.T) int64 {
	t.Helper()
	lines, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		if value, ok := strings.CutPrefix(line, "rchar: "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no rchar: the kernel does not count what processes read")
	return 0
}
