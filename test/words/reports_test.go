package words

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// repeated is how long a text may be that two parts of a report share.
const repeated = 30

// reports are those of all recorded cases, by file.
func reports(t *testing.T) map[string]*diagnose.Report {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*diagnose.Report{}
	for _, path := range files(t, []string{"internal/diagnose/rules/testdata/cases"}, func(path string) bool { return filepath.Ext(path) == ".json" }) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := evidence.DecodeCases(raw, time.Time{})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, c := range cases {
			r, err := engine.Diagnose(t.Context(), c.Source(), c.Now.Time)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			out[strings.TrimPrefix(path, "internal/diagnose/rules/testdata/cases/")] = r
		}
	}
	if len(out) < 300 {
		t.Fatalf("%d recorded cases: some are missing", len(out))
	}
	return out
}

// TestReports: the headline fits its line, Why adds to it, and the first step of the fix is something to do. Of our own words in
// them none are those that we do not use.
func TestReports(t *testing.T) {
	for name, r := range reports(t) {
		if n := utf8.RuneCountInString(r.Headline); n > diagnose.MaxHeadline && n > utf8.RuneCountInString(r.App.Name)+60 {
			t.Errorf("%s: the headline has %d characters: %s", name, n, r.Headline)
		}
		if len(r.Findings) == 0 {
			continue
		}
		f := &r.Findings[0]
		for _, fault := range repeats(r, f) {
			t.Errorf("%s (%s): %s", name, f.Rule, fault)
		}
		ours := slices.Concat([]string{withoutQuote(r.Headline, f), withoutQuote(f.Why, f), r.Sync.Why}, r.Effects)
		for _, step := range f.Fix {
			ours = append(ours, step.Text)
		}
		for _, said := range ours {
			check(t, name, said)
			if cut := clipped.FindString(said); cut != "" {
				t.Errorf("%s: cut in the middle: %s", name, said)
			}
		}
	}
}

// clipped is the mark of a cut in the middle of a word, a path or a number, or a count of what was cut.
var clipped = regexp.MustCompile(`[\pL\pN/._-]…|\(… `)

// withoutQuote is a text without what somebody else said in it.
func withoutQuote(content string, f *diagnose.Finding) string {
	if before, _, ok := strings.Cut(content, f.Says.Who+": "); ok && f.Says.Who != "" {
		return before
	}
	if f.Says.Text == "" {
		return content
	}
	for at := range content {
		if at > 0 && strings.HasPrefix(content[at:], ": ") && strings.HasSuffix(strings.TrimRight(text.OneLine(f.Says.Text), ".;, "), content[at+2:]) {
			return content[:at]
		}
	}
	return content
}

// repeats are the texts that stand twice in a report.
func repeats(r *diagnose.Report, f *diagnose.Finding) []string {
	var out []string
	names := namesOf(r, f)
	add := func(what, a, b string) {
		if s := shared(a, b, names); s != "" {
			out = append(out, fmt.Sprintf("%s: %q", what, s))
		}
	}
	if !strings.HasSuffix(r.Title(), " …") { // a quote that breaks off in the headline is whole in Why
		add("Why repeats the headline", r.Title(), f.Why)
	}
	if len(f.Fix) > 0 {
		add("the first step repeats the headline", r.Title(), f.Fix[0].Text)
		add("the first step repeats Why", f.Why, f.Fix[0].Text)
	}
	return out
}

// namesOf are what a person has to read twice: names of resources, commits, addresses.
func namesOf(r *diagnose.Report, f *diagnose.Finding) []string {
	out := []string{f.Resource.String(), f.Resource.Name, r.App.Name}
	for _, o := range f.Others {
		out = append(out, o.String())
	}
	for _, word := range strings.Fields(r.Title() + " " + f.Why) {
		if word = strings.Trim(word, `.,:;"'()`); len(word) >= repeated/2 && strings.ContainsAny(word, "/.-_") {
			out = append(out, word)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// shared is the longest text of at least 30 characters that stands in both, names left out.
func shared(a, b string, names []string) string {
	for _, n := range names {
		a, b = strings.ReplaceAll(a, n, "\x00"), strings.ReplaceAll(b, n, "\x01")
	}
	a, b = text.OneLine(a), text.OneLine(b)
	longest := ""
	for i := range a {
		for n := max(repeated, len(longest)+1); i+n <= len(a) && strings.Contains(b, a[i:i+n]); n++ {
			longest = a[i : i+n]
		}
	}
	return longest
}
