package rules_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/terminal"
)

var (
	update = flag.Bool("update", false, "write the report beside each recorded case, and misses.txt")
	only   = flag.String("rule", "", "with -update: write only reports whose first cause is of this `rule` or group")
)

// unwrapped makes each paragraph one line, so that a difference shows the sentence that changed and not how it wraps.
const unwrapped = 1 << 20

// otherReport is a report that is not the one beside its case.
type otherReport struct {
	file      string
	was, want []byte
}

// TestReports compares what is said about each recorded case, word for word, with NAME.txt beside it. What differs is listed by rule,
// because one change of a rule usually changes the reports of all its cases in the same way.
func TestReports(t *testing.T) {
	e := engine(t)
	for _, corpus := range []string{"cases", "fresh"} {
		t.Run(corpus, func(t *testing.T) {
			root := filepath.Join("testdata", corpus)
			byRule, reports := map[string][]otherReport{}, map[string]bool{}
			for _, r := range casesIn(t, root) {
				rep := diagnosed(t, e, r.c)
				file := filepath.Join(root, strings.TrimSuffix(r.name, ".json")+".txt")
				reports[file] = true
				was, err := os.ReadFile(file)
				if err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				if now := reportText(t, rep); !bytes.Equal(was, now) {
					byRule[ruleOf(rep)] = append(byRule[ruleOf(rep)], otherReport{file, was, now})
				}
			}
			for _, rule := range slices.Sorted(maps.Keys(byRule)) {
				settle(t, rule, byRule[rule])
			}
			noOthers(t, root, reports)
		})
	}
}

func reportText(t *testing.T, rep *diagnose.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := terminal.Text(&b, rep, terminal.Options{Width: unwrapped}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ruleOf is the rule of the first cause; a report without any counts by its verdict.
func ruleOf(rep *diagnose.Report) string {
	if len(rep.Findings) > 0 {
		return rep.Findings[0].Rule
	}
	return string(rep.Verdict)
}

// settle writes the reports, or fails with one difference in full and the names of the others.
func settle(t *testing.T, rule string, all []otherReport) {
	t.Helper()
	if *update && (*only == "" || rule == *only || strings.HasPrefix(rule, *only+"/")) {
		for _, c := range all {
			if err := os.WriteFile(c.file, c.want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: wrote %d reports", rule, len(all))
		return
	}
	names := &strings.Builder{}
	for _, c := range all[1:] {
		names.WriteString("\n  " + c.file)
	}
	t.Errorf("%s: %d reports changed; if they are right: go test ./internal/diagnose/rules -run TestReports -update -rule %s\n%s%s",
		rule, len(all), rule, diff.Diff(all[0].file, all[0].was, "now", all[0].want), names)
}

// noOthers finds reports whose case is gone.
func noOthers(t *testing.T, root string, reports map[string]bool) {
	t.Helper()
	for _, depth := range []string{"*/*.txt", "*/*/*.txt"} {
		files, err := filepath.Glob(filepath.Join(root, depth))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !reports[file] {
				t.Errorf("%s is the report of no case: delete it", file)
			}
		}
	}
}
