//go:build system

package system_test

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// table is what all scenarios have measured.
type table struct {
	mu   sync.Mutex
	rows []row
}

// row is a figure and what was promised of it; "" where nothing was.
type row struct {
	scenario, what, promise, measured string
	missed                            bool
	// spent is where the time or the memory goes.
	spent string
}

var results table

func (t *table) add(r row) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, r)
}

// within adds a time that is promised to be no longer than most; 0: nothing is promised.
func (t *table) within(scenario, what string, took, most time.Duration, spent string) {
	r := row{scenario: scenario, what: what, measured: brief(took), spent: spent}
	if most > 0 {
		r.promise, r.missed = "≤ "+brief(most), took > most
	}
	t.add(r)
}

// atMost adds a number of a unit; most 0: nothing is promised.
func (t *table) atMost(scenario, what string, n, most int, unit, spent string) {
	r := row{scenario: scenario, what: what, measured: strings.TrimSpace(fmt.Sprintf("%d %s", n, unit)), spent: spent}
	if most > 0 {
		r.promise, r.missed = strings.TrimSpace(fmt.Sprintf("≤ %d %s", most, unit)), n > most
	}
	t.add(r)
}

// brief is a time in as many digits as say something.
func brief(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 20*time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// String is the table as Markdown, for docs/performance.md.
func (t *table) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rows) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("\n| scenario | what | promise | measured | where it goes |\n|---|---|---|---|---|\n")
	for _, r := range t.rows {
		measured := r.measured
		if r.missed {
			measured = "**" + measured + "** (missed)"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", r.scenario, r.what, r.promise, measured, r.spent)
	}
	return out.String()
}
