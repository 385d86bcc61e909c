//go:build linux || darwin

package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/argo-why/argo-why/config"
)

func TestTheLogIsTextOnATerminalAndJSONElsewhere(t *testing.T) {
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = screen.Close(), terminal.Close() })
	t.Setenv("TERM", "xterm")
	for _, variable := range []string{"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"} {
		t.Setenv(variable, "")
	}
	shown := bufio.NewReader(screen)
	line := func(format string) string {
		t.Helper()
		log, err := newLog(terminal, config.Log{Level: "info", Format: format})
		if err != nil {
			t.Fatal(err)
		}
		log.Info("started", "shards", 1)
		text, err := shown.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if s := line(config.Default().Log.Format); !strings.Contains(s, "\x1b[92mINF\x1b[0m started \x1b[2mshards=\x1b[0m1") {
		t.Errorf("on a terminal: %q", s)
	}
	if s := line(config.LogJSON); !strings.HasPrefix(s, "{") {
		t.Errorf("asked for JSON, on a terminal: %q", s)
	}
	t.Setenv("NO_COLOR", "1")
	if s := line(config.LogAuto); !strings.Contains(s, " INF started shards=1") {
		t.Errorf("without color: %q", s)
	}
	var out bytes.Buffer
	log, err := newLog(&out, config.Default().Log)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("started")
	if !strings.HasPrefix(out.String(), "{") {
		t.Errorf("elsewhere: %s", out.String())
	}
}
