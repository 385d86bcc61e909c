package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

// parts is how the title of a report's first finding begins, and what its why and its steps say; not is what neither of them says.
type parts struct{ title, why, step, not string }

func checkParts(t *testing.T, want map[string]parts) {
	t.Helper()
	e, seen := engine(t), 0
	for _, r := range recordedCases(t) {
		w, ok := want[r.name]
		if !ok {
			continue
		}
		seen++
		f := first(t, diagnosed(t, e, r.c))
		var steps strings.Builder
		for _, s := range f.Fix {
			steps.WriteString(s.Text + "\n" + s.Command + "\n" + s.Patch + "\n")
		}
		if !strings.HasPrefix(f.Title, w.title) || !strings.Contains(f.Why, w.why) || !strings.Contains(steps.String(), w.step) || w.not != "" && strings.Contains(f.Why+steps.String(), w.not) {
			t.Errorf("%s: %s\n%s\n%s", r.name, f.Title, f.Why, &steps)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases found", seen, len(want))
	}
}

// says checks that the report of a recorded case tells a person some words, and not those behind an exclamation mark.
func says(t *testing.T, name string, want []string) {
	t.Helper()
	said := textOf(t, name)
	for _, w := range want {
		unwanted, not := strings.CutPrefix(w, "!")
		if not == strings.Contains(said, unwanted) {
			t.Errorf("%q: %s", w, said)
		}
	}
}

// textOf is what a report of a recorded case tells a person, in one text.
func textOf(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "cases", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := evidence.DecodeCases(content, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	e, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	rep, err := e.Diagnose(t.Context(), cases[0].Source(), cases[0].Now.Time)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{rep.Headline, rep.Sync.Why}
	out = append(out, rep.Effects...)
	for _, f := range rep.Findings {
		out = append(out, f.Title, f.Why)
		for _, step := range f.Fix {
			out = append(out, step.Text, step.Command, step.Patch)
		}
	}
	return strings.Join(out, "\n")
}
