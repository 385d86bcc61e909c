package rules_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

// scored are the groups whose rules are written; of the others only crashes, false claims about a sync and unsafe advice
// count.
var scored = []string{"render", "spec", "compare", "apply", "operation", "hook", "wave", "drift", "health", "control"}

// expectation is the key "expect" of a recorded case, which no program reads.
type expectation struct {
	Rule    string   `json:"rule"`
	Verdict []string `json:"verdict"`
	Also    []string `json:"also"`
	Sync    []string `json:"sync"`
	Score   *bool    `json:"score"`
}

type recorded struct {
	name, group string
	c           *evidence.Case
	expect      expectation
}

func recordedCases(tb testing.TB) []recorded {
	tb.Helper()
	out := casesIn(tb, filepath.Join("testdata", "cases"))
	if len(out) < 300 {
		tb.Fatalf("found %d recorded cases: some are missing", len(out))
	}
	return out
}

func casesIn(tb testing.TB, root string) []recorded {
	tb.Helper()
	var out []recorded
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var x struct {
			Expect expectation `json:"expect"`
		}
		if err := json.Unmarshal(text, &x); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		cases, err := evidence.DecodeCases(text, time.Time{})
		if err != nil {
			return fmt.Errorf("%s %w", path, err)
		}
		name, _ := filepath.Rel(root, path)
		group, _, _ := strings.Cut(x.Expect.Rule, "/")
		if group == "" {
			group = "control"
		}
		out = append(out, recorded{name, group, cases[0], x.Expect})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func engine(tb testing.TB) *diagnose.Engine {
	tb.Helper()
	e, err := diagnose.New(rules.All())
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func diagnosed(tb testing.TB, e *diagnose.Engine, c *evidence.Case) *diagnose.Report {
	tb.Helper()
	r, err := e.Diagnose(tb.Context(), c.Source(), c.Now.Time)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// tally is the score of a group.
type tally struct {
	n, right, certainWrong, syncN, syncRight, unsafe int
}

func (t *tally) add(o tally) {
	t.n += o.n
	t.right += o.right
	t.certainWrong += o.certainWrong
	t.syncN += o.syncN
	t.syncRight += o.syncRight
	t.unsafe += o.unsafe
}

// TestCases replays every recorded failure and prints the score per group, as `make score` shows it.
func TestCases(t *testing.T) {
	groups := score(t, filepath.Join("testdata", "cases"), recordedCases(t))
	for g, tl := range groups {
		if tl.certainWrong > 0 {
			t.Errorf("group %s: %d answers are wrong and say that they are certain", g, tl.certainWrong)
		}
	}
	if groups["control"].right != groups["control"].n {
		t.Error("a cause is claimed where nothing is wrong")
	}
}

// TestFreshCases are texts of public threads, collected and labelled by somebody who had not read the rules. Their labels stay as they
// were before the first run, right or wrong: see testdata/fresh/README.md.
func TestFreshCases(t *testing.T) {
	root := filepath.Join("testdata", "fresh")
	all := casesIn(t, root)
	if len(all) < 490 {
		t.Fatalf("found %d cases: some are missing", len(all))
	}
	score(t, root, all)
}

// score judges the answers to the cases below root, and logs the table. An answer is either right or a line in misses.txt.
func score(t *testing.T, root string, cases []recorded) map[string]*tally {
	t.Helper()
	e := engine(t)
	groups := map[string]*tally{}
	var total tally
	var misses []string
	for _, r := range cases {
		got, missed := judge(r, diagnosed(t, e, r.c))
		if groups[r.group] == nil {
			groups[r.group] = &tally{}
		}
		groups[r.group].add(got)
		if got.unsafe > 0 {
			t.Errorf("%s: the report advises a sync that is not safe", r.name)
		}
		if slices.Contains(scored, r.group) {
			total.add(got)
			misses = append(misses, missed...)
		}
	}
	table := &strings.Builder{}
	w := tabwriter.NewWriter(table, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "group\tcases\tfirst cause right\twrong and certain\tsync verdict right\tunsafe\t")
	for _, g := range scored {
		if groups[g] != nil {
			row(w, g, *groups[g])
		}
	}
	row(w, "total", total)
	_ = w.Flush()
	t.Logf("\n%s", table)
	sameMisses(t, filepath.Join(root, "misses.txt"), strings.Join(append(misses, ""), "\n"))
	return groups
}

// sameMisses holds the misses against those that are known: one more is a regression, and one less makes the list false.
func sameMisses(t *testing.T, file, misses string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(misses), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(known) != misses {
		t.Errorf("other answers are wrong than those that are known; if that is right, write them with -update:\n%s", diff.Diff(file, known, "now", []byte(misses)))
	}
}

func row(w *tabwriter.Writer, name string, t tally) {
	fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\t%d\t\n", name, t.n, percent(t.right, t.n), t.certainWrong, percent(t.syncRight, t.syncN), t.unsafe)
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

// judge says what one answer is worth, and what is wrong with it.
func judge(r recorded, rep *diagnose.Report) (tally, []string) {
	var first diagnose.Finding
	if len(rep.Findings) > 0 {
		first = rep.Findings[0]
	}
	out := tally{n: 1}
	var missed []string
	right := correct(first.Rule, r.expect)
	if r.expect.Rule == "" { // a control: nothing is wrong, and no cause may be claimed
		cause := rep.Root()
		right = slices.Contains(r.expect.Verdict, string(rep.Verdict)) && (cause == nil || correct(cause.Rule, r.expect))
	}
	if right {
		out.right = 1
	} else {
		missed = append(missed, fmt.Sprintf("%s: cause %q, not %q: %s", r.name, first.Rule, r.expect.Rule, rep.Headline))
	}
	if !right && first.Rule != "" && first.Rule != "unknown" && first.Confidence == diagnose.Certain {
		out.certainWrong = 1
	}
	if len(r.expect.Sync) > 0 {
		out.syncN = 1
		out.unsafe = unsafe(r.expect.Sync, rep)
		if slices.Contains(r.expect.Sync, string(rep.Sync.Verdict)) {
			out.syncRight = 1
		} else {
			missed = append(missed, fmt.Sprintf("%s: sync %s, not %s", r.name, rep.Sync.Verdict, strings.Join(r.expect.Sync, " or ")))
		}
	}
	if r.expect.Score != nil && !*r.expect.Score { // too little evidence to be judged: only unsafe advice counts
		return tally{unsafe: out.unsafe}, nil
	}
	return out, missed
}

func correct(rule string, x expectation) bool {
	return slices.ContainsFunc(append([]string{x.Rule}, x.Also...), func(want string) bool {
		return want != "" && (rule == want || strings.HasPrefix(rule, want+"/"))
	})
}

// unsafe advice is "safe", or an offered Sync, where it is neither.
func unsafe(want []string, rep *diagnose.Report) int {
	if rep.Sync.Verdict == diagnose.SyncSafe && !slices.Contains(want, "safe") {
		return 1
	}
	for _, w := range want {
		if w != "pointless" && w != "blocked" {
			return 0
		}
	}
	for _, a := range rep.Actions {
		if a.ID == diagnose.ActionSync && a.RefusedBecause == "" {
			return 1
		}
	}
	return 0
}

// TestSameEvidenceSameBytes: no order of a map, no clock.
func TestSameEvidenceSameBytes(t *testing.T) {
	e := engine(t)
	for _, r := range recordedCases(t) {
		a, errA := json.Marshal(diagnosed(t, e, r.c))
		b, errB := json.Marshal(diagnosed(t, e, r.c))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if string(a) != string(b) {
			t.Errorf("%s: two diagnoses of the same evidence differ", r.name)
		}
	}
}

// TestEveryReportOwes: a cause names its resource where there is one, says why in words of its own, quotes its evidence
// and gives a fix, whose command is one of those that can be judged; every report has a reasoned sync verdict. Wrapper messages are never
// presented as a cause.
func TestEveryReportOwes(t *testing.T) {
	e := engine(t)
	for _, r := range append(recordedCases(t), casesIn(t, filepath.Join("testdata", "fresh"))...) {
		rep := diagnosed(t, e, r.c)
		if rep.Sync.Verdict == "" || rep.Sync.Why == "" {
			t.Errorf("%s: no sync verdict with a reason", r.name)
		}
		for _, f := range rep.Findings {
			if f.Title == "" || f.Why == "" && f.Says.Text == "" || len(f.Fix) == 0 {
				t.Errorf("%s: %s lacks title, why or fix", r.name, f.Rule)
			}
			if f.Role == diagnose.RoleCause && len(f.Evidence) == 0 {
				t.Errorf("%s: %s quotes no evidence", r.name, f.Rule)
			}
			if strings.Contains(f.Title, "one or more") {
				t.Errorf("%s: %s presents a wrapper message: %s", r.name, f.Rule, f.Title)
			}
			if strings.HasPrefix(f.Rule, "apply/") && f.Role == diagnose.RoleCause && f.Resource.IsZero() && r.c.APIError == "" && f.Rule != "apply/namespace-missing" {
				t.Errorf("%s: %s names no resource", r.name, f.Rule)
			}
			for _, fix := range f.Fix {
				if strings.ContainsAny(fix.Text, "\n") || strings.Contains(fix.Command, "  ") {
					t.Errorf("%s: %s has an untidy fix: %q %q", r.name, f.Rule, fix.Text, fix.Command)
				}
				if strings.Contains(fix.Text, "what it would change cannot be checked") {
					t.Errorf("%s: %s starts a program, or has a flag, that internal/diagnose/change does not know: %s", r.name, f.Rule, fix.Text)
				}
			}
		}
	}
}

// BenchmarkDiagnose measures diagnoses of evidence in memory, over all recorded cases in turn.
func BenchmarkDiagnose(b *testing.B) {
	e := engine(b)
	cases := recordedCases(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		diagnosed(b, e, cases[i%len(cases)].c)
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "diagnoses/s")
}
