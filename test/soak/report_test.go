package soak_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/workspace"
)

// history is what was played, a line each. It is written while the bot logs.
type history struct {
	mu    sync.Mutex
	lines []string
	began time.Time
	echo  func(string)
}

func (h *history) add(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	line = fmt.Sprintf("%-60s # %s", line, time.Since(h.began).Round(100*time.Millisecond))
	h.lines = append(h.lines, line)
	h.echo(line)
}

// since are the lines from the nth on, with as many before as people want to read who have to find out how it came to that.
func (h *history) since(nth int) string {
	const before = 60
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines[max(0, nth-before):], "\n") + "\n"
}

// names reports whether an application failed like that one of the demo.
func (h *history) names(example string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.lines, func(line string) bool {
		words := strings.Fields(line)
		return slices.Contains(words, "fail") && slices.Contains(words, example)
	})
}

func (h *history) len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.lines)
}

// finding is a claim that did not come true, as people read it.
func finding(seed uint64, step int, wrong []string, h *history, from int, p *picture, w *world.World, log *tail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A finding: SOAKSEED=%d, step %d\n\n", seed, step)
	for _, what := range wrong {
		fmt.Fprintln(&b, "  "+story.Named(w.Slack, what))
	}
	fmt.Fprintf(&b, "\nWhat led there (the last step of a soak begins at the line \"# step %d\"):\n\n%s", step, h.since(from))
	fmt.Fprintf(&b, "\nFailures that are not named by their case:\n\n")
	for _, f := range w.Failures() {
		if f.Recorded != "" && h.names(f.App.Name) {
			fmt.Fprintf(&b, "  %-14s %s\n", f.App.Name, f.Recorded)
		}
	}
	fmt.Fprintf(&b, "\nThe applications:\n\n")
	for _, a := range p.apps {
		fmt.Fprintf(&b, "  %-10s %s %s, operation %s %s, at %.7s, in Git %.7s: %s %s (%s)\n", a.name(), a.Sync, a.Health, a.Operation, a.Message, a.Revision, a.Pushed, a.report.Verdict, a.report.Headline, a.cause.Key)
	}
	fmt.Fprintf(&b, "\nThe threads:\n")
	for _, t := range p.threads {
		if !concerns(&t, wrong) {
			continue
		}
		fmt.Fprintf(&b, "\n── %s, %s, %d updates, rule %q\n%s", t.incident, at(t.root), t.root.Updates, t.rule, indented(story.Named(w.Slack, t.root.Shown())))
		for _, m := range t.replies {
			fmt.Fprintf(&b, "   │ %s %s\n", at(m), strings.ReplaceAll(strings.TrimSpace(story.Named(w.Slack, m.Text)), "\n", " / "))
		}
	}
	fmt.Fprintf(&b, "\nWhat the bot logged last:\n\n%s", log)
	return b.String()
}

// concerns reports whether a thread is about an application that is named in what is wrong.
func concerns(t *thread, wrong []string) bool {
	for _, what := range wrong {
		if strings.Contains(what, t.headline()) {
			return true
		}
		for _, app := range t.apps {
			if strings.Contains(what, app) {
				return true
			}
		}
	}
	return false
}

// at is when a message was posted.
func at(m workspace.Message) string {
	seconds, _, _ := strings.Cut(m.TS, ".")
	return time.Unix(int64(number(seconds)), 0).UTC().Format("15:04:05")
}

func indented(content string) string {
	return "   " + strings.ReplaceAll(strings.TrimSpace(content), "\n", "\n   ") + "\n"
}

// tail keeps the end of what the bot logs.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 6_000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > 2*tailSize {
		t.text = bytes.Clone(t.text[len(t.text)-tailSize:])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text[max(0, len(t.text)-tailSize):])
}
