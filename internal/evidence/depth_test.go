package evidence_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

const deepApplication = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"shop"},"spec":{"project":"default"},"status":{},"x":`

func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// TestDeepInputIsRefusedInOneLine: a file that somebody sends may be made to exhaust the reader.
func TestDeepInputIsRefusedInOneLine(t *testing.T) {
	const want = "is too large to read: nested more than 1,000 levels deep; no application is: give one alone"
	asText, err := json.Marshal(strings.Repeat("[", 5000))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		good bool
	}{
		"as deep as allowed":           {deepApplication + nested(999) + "}", true},
		"one deeper":                   {deepApplication + nested(1000) + "}", false},
		"deeper than the decoder goes": {deepApplication + nested(10_001) + "}", false},
		"five million":                 {deepApplication + nested(5_000_000) + "}", false},
		"objects":                      {deepApplication + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000) + "}", false},
		"brackets in a text":           {deepApplication + string(asText) + "}", true},
		"an escaped quote in a text":   {deepApplication + `"\"` + strings.Repeat("[", 2000) + `"}`, true},
		"YAML":                         {"kind: Application\nx: " + nested(5000), false},
		"YAML, two hundred thousand":   {"kind: Application\nx: " + nested(200_000), false},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			started := time.Now()
			_, err := evidence.DecodeCases([]byte(c.text), time.Now())
			took := time.Since(started)
			runtime.ReadMemStats(&after)
			switch {
			case c.good && err != nil:
				t.Errorf("refused: %v", err)
			case !c.good && (err == nil || err.Error() != want):
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 || took > 5*time.Second {
				t.Errorf("it took %s and %d MiB", took, used>>20)
			}
		})
	}
}

// TestYAMLBombsAreRefused: a few hundred bytes of aliases stand for gigabytes.
func TestYAMLBombsAreRefused(t *testing.T) {
	bomb := "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for c := 'b'; c <= 'k'; c++ {
		last := "*" + string(c-1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat(last+", ", 8) + last + "]\n"
	}
	if _, err := evidence.DecodeCases([]byte(bomb), time.Now()); err == nil || err.Error() != "is too large to read: more than 128 MiB with its YAML aliases replaced; no application is: give one alone" {
		t.Errorf("got %v", err)
	}
}
