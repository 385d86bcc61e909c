package planted

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Table is which secrets came out where.
type Table struct {
	corpus *Corpus
	mu     sync.Mutex
	// outputs are, by name, the secrets that came out and what was read of each.
	outputs map[string]map[*Secret]string
	// marked are the outputs that have shown the harmless text of a pack.
	marked map[string]bool
}

// NewTable is one in which nothing has come out.
func NewTable(c *Corpus) *Table {
	return &Table{corpus: c, outputs: map[string]map[*Secret]string{}, marked: map[string]bool{}}
}

// Look looks for secrets in what the bot has written to an output. It may be called several times for one.
func (t *Table) Look(output, text string) {
	found := t.corpus.finder.find(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.outputs[output] == nil {
		t.outputs[output] = map[*Secret]string{}
	}
	maps.Copy(t.outputs[output], found)
	t.marked[output] = t.marked[output] || strings.Contains(text, marker)
}

// Shows fails a test if one of these outputs has not even shown what is harmless.
func (t *Table) Shows(tb testing.TB, outputs ...string) {
	tb.Helper()
	for _, output := range outputs {
		if !t.marked[output] {
			tb.Errorf("%s shows nothing of what stands where the secrets are", output)
		}
	}
}

// Check fails a test if more has come out than is known. With -v it prints all of it. PLANTEDLEAKS is a directory for lists with the texts.
func (t *Table) Check(tb testing.TB) {
	tb.Helper()
	tb.Log("\n" + t.String())
	for _, output := range slices.Sorted(maps.Keys(t.outputs)) {
		ordinary, disguised := t.leaks(output)
		most := limits[output]
		if len(ordinary) > most.ordinary {
			tb.Errorf("%s: %d secrets in ordinary forms came out, at most %d are known:\n%s", output, len(ordinary), most.ordinary, first(ordinary))
		}
		if len(disguised) > most.disguised {
			tb.Errorf("%s: %d disguised secrets came out, at most %d are known:\n%s", output, len(disguised), most.disguised, first(disguised))
		}
		if dir := os.Getenv("PLANTEDLEAKS"); dir != "" {
			if err := t.write(filepath.Join(dir, strings.ReplaceAll(output, " ", "-")+".txt"), output); err != nil {
				tb.Error(err)
			}
		}
	}
}

func (t *Table) leaks(output string) (ordinary, disguised []*Secret) {
	for _, s := range t.corpus.Secrets {
		switch _, out := t.outputs[output][s]; {
		case out && s.Disguised():
			disguised = append(disguised, s)
		case out:
			ordinary = append(ordinary, s)
		}
	}
	return ordinary, disguised
}

// first are the first of them, a line each.
func first(all []*Secret) string {
	const most = 20
	var b strings.Builder
	for i, s := range all {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(all)-most)
			break
		}
		fmt.Fprintf(&b, "  %s: %.200q\n", s, s.Shown())
	}
	return b.String()
}

// String is the table: what came out of each kind, by output.
func (t *Table) String() string {
	outputs := slices.Sorted(maps.Keys(t.outputs))
	var kinds []string
	rows, all := map[string]map[string]int{}, map[string]int{}
	plain, hidden := 0, 0
	for _, s := range t.corpus.Secrets {
		name := s.Kind()
		if rows[name] == nil {
			rows[name], kinds = map[string]int{}, append(kinds, name)
		}
		all[name]++
		if s.Disguised() {
			hidden++
		} else {
			plain++
		}
		for _, o := range outputs {
			if _, out := t.outputs[o][s]; out {
				rows[name][o]++
			}
		}
	}
	var b strings.Builder
	line := func(name string, n int, cell func(output string) string) {
		fmt.Fprintf(&b, "%-34s %8d", name, n)
		for _, o := range outputs {
			fmt.Fprintf(&b, " %14s", cell(o))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%-34s %8s", "", "planted")
	for _, o := range outputs {
		fmt.Fprintf(&b, " %14s", o)
	}
	b.WriteString("\n")
	line("ordinary", plain, func(o string) string { ordinary, _ := t.leaks(o); return fmt.Sprint(len(ordinary)) })
	line("disguised", hidden, func(o string) string { _, disguised := t.leaks(o); return fmt.Sprint(len(disguised)) })
	for _, k := range kinds {
		line(k, all[k], func(o string) string {
			if n := rows[k][o]; n > 0 {
				return fmt.Sprint(n)
			}
			return "."
		})
	}
	return b.String()
}

// write writes what came out into a file: disguised or not, kind, form, place, what was read, the text as it was planted.
func (t *Table) write(file, output string) error {
	var b strings.Builder
	for _, s := range t.corpus.Secrets {
		if read, out := t.outputs[output][s]; out {
			fmt.Fprintf(&b, "%t\t%s\t%s\t%s\t%s\t%.300q\n", s.Disguised(), s.kind.name, s.form.name, s.place.name, read, s.Shown())
		}
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("write the leaks of %s: %w", output, err)
	}
	return nil
}
