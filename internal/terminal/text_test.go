package terminal_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRecordedCasesLookAsTheyShould(t *testing.T) {
	for name, r := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", text(t, r, terminal.Options{}))
		})
	}
}

func TestColourIsOnlyAdded(t *testing.T) {
	r := recorded(t)["hook-failed"]
	colored := text(t, r, terminal.Options{Color: true})
	golden(t, "hook-failed.colour.txt", colored)
	if plain := text(t, r, terminal.Options{}); sanitize.Text(colored) != plain {
		t.Errorf("without its colours the report is another:\n%s\nwant\n%s", sanitize.Text(colored), plain)
	}
}

func TestJSONAndYAMLSayTheSame(t *testing.T) {
	r := recorded(t)["missing-crd"]
	var b bytes.Buffer
	if err := terminal.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "missing-crd.json", b.String())
	b.Reset()
	if err := terminal.YAML(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "missing-crd.yaml", b.String())
}

// oneWord is a line of one word, behind a label and a bullet.
var oneWord = regexp.MustCompile(`^ *((Why|Effect|Fix|Sync|Now|Says|Also on) +)?(\d+\. |Fix: )?\S+$`)

func TestOnlyWhatIsCopiedIsWiderThanThePage(t *testing.T) {
	for name, r := range recorded(t) {
		copied := map[string]bool{}
		for _, f := range r.Findings {
			for _, fix := range f.Fix {
				for line := range strings.SplitSeq(fix.Command+"\n"+fix.Patch, "\n") {
					copied[strings.TrimSpace(line)] = true
				}
			}
		}
		for _, width := range []int{40, 60, 80, 120} {
			for line := range strings.SplitSeq(text(t, r, terminal.Options{Width: width}), "\n") {
				if uniseg.StringWidth(line) > width && !copied[strings.TrimSpace(line)] && !oneWord.MatchString(line) {
					t.Errorf("%s at %d columns: %d: %s", name, width, uniseg.StringWidth(line), line)
				}
				if strings.TrimRight(line, " \t") != line {
					t.Errorf("%s: space at the end of %q", name, line)
				}
			}
		}
	}
}

func TestTheSameReportGivesTheSameBytes(t *testing.T) {
	first, second := recorded(t), recorded(t)
	for name := range first {
		for _, o := range []terminal.Options{{}, {Color: true, Width: 100}} {
			if a, b := text(t, first[name], o), text(t, second[name], o); a != b {
				t.Errorf("%s differs:\n%s\n%s", name, a, b)
			}
		}
	}
}

func TestCommandsAndPatchesAreWhole(t *testing.T) {
	command := "kubectl -n payments get secret/" + strings.Repeat("long-name-", 12) + " -o yaml"
	patch := "spec:\n  template:\n    spec: {}\n"
	r := &diagnose.Report{Verdict: diagnose.VerdictFailing, Findings: []diagnose.Finding{{
		Rule: "hook/job-failed", Role: diagnose.RoleCause, Fix: []diagnose.Fix{{Text: "Do", Command: command, Patch: patch}},
	}}}
	got := text(t, r, terminal.Options{})
	for _, want := range []string{command, "          spec:\n            template:\n              spec: {}\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestALongQuoteIsCutAndSaysSo(t *testing.T) {
	r := &diagnose.Report{Verdict: diagnose.VerdictFailing, Findings: []diagnose.Finding{{
		Rule: "hook/job-failed", Role: diagnose.RoleCause,
		Evidence: []diagnose.Quote{{From: "log", Text: strings.Repeat("one line\n", 40)}, {From: "condition", Text: strings.Repeat("x", 10_000)}},
	}}}
	got := text(t, r, terminal.Options{})
	for _, want := range []string{"(… 34 lines …)", "condition: (… 10,000 characters …)", "(shortened: -o json shows everything)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 30 {
		t.Errorf("%d lines:\n%s", n, got)
	}
}

func TestTheInnermostClauseOfALongQuoteIsWhole(t *testing.T) {
	wrapper := strings.Repeat("failed to generate the manifests of a source: ", 12)
	words := strings.Repeat("a path like /var/lib/argo/sock and 1234567 ", 20)
	for quoted, want := range map[string]string{
		wrapper + `open "values prod.yaml": no such file`: `of a source: open "values prod.yaml": no such file (shortened:`,
		words + `"` + words + `"` + words:                 "(… 2,",
	} {
		r := &diagnose.Report{Verdict: diagnose.VerdictFailing, Findings: []diagnose.Finding{{
			Rule: "render/helm", Role: diagnose.RoleCause, Evidence: []diagnose.Quote{{From: "condition", Text: quoted}},
		}}}
		got := strings.Join(strings.Fields(text(t, r, terminal.Options{})), " ")
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
		for word := range strings.FieldsSeq(got) {
			if strings.HasPrefix(word, "/var") && word != "/var/lib/argo/sock" || strings.HasPrefix(word, "123") && word != "1234567" || strings.Count(got, `"`)%2 != 0 {
				t.Fatalf("cut inside %q:\n%s", word, got)
			}
		}
	}
}

func TestAWordIsNeverBroken(t *testing.T) {
	const image = "registry.example.com/platform/payments/payments-api-with-a-long-name@sha256:0123456789abcdef0123456789abcdef"
	r := &diagnose.Report{
		Verdict: diagnose.VerdictFailing, Headline: "web: image " + image + " not found", Effects: []string{image},
		Findings: []diagnose.Finding{{Rule: "health/image-pull", Role: diagnose.RoleCause, Why: "The image " + image + " does not exist."}},
	}
	for _, width := range []int{40, 60, 80, 120} {
		if got := text(t, r, terminal.Options{Width: width}); strings.Count(got, image) != 3 {
			t.Errorf("broken at %d columns:\n%s", width, got)
		}
	}
}

func TestWhatCouldNotBeReadIsSaid(t *testing.T) {
	r := &diagnose.Report{
		App: diagnose.AppName{Name: "web"}, Verdict: diagnose.VerdictHealthy, Headline: "web: Synced and healthy",
		Examined: []diagnose.Examined{
			{Fact: evidence.KindApplication, Calls: 1},
			{Fact: evidence.KindLog, Calls: 2, Error: "read log of Pod/web-1: permission denied"},
			{Fact: evidence.KindTree, Error: "read resource tree: not available"},
			{Fact: evidence.KindProject, Error: "read project: not available"},
		},
		Unread: []string{"hook/job-failed", "wave/blocked"},
	}
	golden(t, "healthy-but-unread.txt", text(t, r, terminal.Options{}))
	r.Verdict, r.Headline = diagnose.VerdictFailing, "web: the Job failed"
	r.Findings = []diagnose.Finding{{Rule: "hook/job-failed", Role: diagnose.RoleCause, Confidence: diagnose.Likely, Why: "It failed."}}
	golden(t, "failing-and-unread.txt", text(t, r, terminal.Options{}))
}

func TestWhatTheClusterCouldNotTellIsSaidOnce(t *testing.T) {
	const why = ": no kubeconfig context leads to https://eu.example.com; use --kubeconfig FILE"
	r := &diagnose.Report{
		App: diagnose.AppName{Name: "web"}, Verdict: diagnose.VerdictDrifted, Headline: "web: somebody scaled Deployment/web",
		Findings: []diagnose.Finding{{Rule: "drift/replicas", Role: diagnose.RoleCause, Confidence: diagnose.Likely, Why: "The manager of the field is kubectl."}},
		Examined: []diagnose.Examined{
			{Fact: evidence.KindApplication, Calls: 1},
			{Fact: evidence.KindAutoscalers, Calls: 1, Error: "read autoscalers in namespace shop" + why},
			{Fact: evidence.KindObject, Calls: 2, Error: "read Secret/db" + why},
		},
	}
	golden(t, "without-cluster.txt", text(t, r, terminal.Options{}))
}

// cases are recorded ones that look different, by the name of their golden file.
var cases = map[string]string{
	"hook-failed":     "../diagnose/rules/testdata/cases/hook/job-failed/lab-presync-hook-failed.json",
	"hook-order":      "../diagnose/rules/testdata/cases/hook/ordering/k021.json",
	"wave-waits":      "../diagnose/rules/testdata/cases/wave/blocked/lab-wave-stuck-9m.json",
	"git-unreachable": "../diagnose/rules/testdata/cases/render/git-unreachable/lab-git-unreachable.json",
	"long-quote":      "../diagnose/rules/testdata/cases/render/jsonnet/a235.json",
	"missing-crd":     "../diagnose/rules/testdata/cases/apply/missing-crd/a024.json",
	"two-causes":      "../diagnose/rules/testdata/cases/apply/admission-denied/a292.json",
	"sync-window":     "../diagnose/rules/testdata/cases/operation/sync-window/a429.json",
	"drifted":         "../diagnose/rules/testdata/cases/drift/hpa/d002.json",
	"healthy":         "../diagnose/rules/testdata/cases/control/healthy/lab-healthy.json",
	"no-rule":         "testdata/no-rule.json",
}

// recorded are the reports of the cases, by name.
func recorded(t *testing.T) map[string]*diagnose.Report {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*diagnose.Report{}
	for name, file := range cases {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := evidence.DecodeCases(raw, time.Time{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r, err := engine.Diagnose(t.Context(), decoded[0].Source(), decoded[0].Now.Time)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i := range r.Examined {
			r.Examined[i].MS = 0 // measured, not told
		}
		out[name] = r
	}
	return out
}

func text(t *testing.T, r *diagnose.Report, o terminal.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := terminal.Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is written now (go test ./internal/terminal -update, and look at the difference):\n%s\nwant\n%s", file, got, want)
	}
}

func TestADryRunIsCalledOne(t *testing.T) {
	r := &diagnose.Report{
		App: diagnose.AppName{Name: "web"}, Verdict: diagnose.VerdictDrifted, Headline: "web: out of sync, 1 resource differs",
		Context: diagnose.Context{SyncStatus: "OutOfSync", Health: "Healthy", DryRun: true},
		Effects: []string{"The last operation was a dry run of 3f2a91c. It succeeded and changed nothing."},
	}
	golden(t, "after-dry-run.txt", text(t, r, terminal.Options{}))
	r.Verdict, r.Headline, r.Progress = diagnose.VerdictProgressing, "web: a dry run is running", "dry run of 3f2a91c: 4 of 6 resources tried"
	r.Context.Phase, r.Context.Ago, r.Context.InitiatedBy, r.Effects = "Running", time.Minute, "dana", []string{"It is a dry run: nothing is changed."}
	golden(t, "dry-run.txt", text(t, r, terminal.Options{}))
}

// TestAnOldReportSaysFromWhenItIs: of a saved Application that is not from a few minutes ago.
func TestAnOldReportSaysFromWhenItIs(t *testing.T) {
	asOf := time.Date(2026, 8, 14, 2, 11, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		asOf time.Time
		read time.Duration
		want string
	}{
		"saved just now": {asOf, 4 * time.Minute, ""},
		"hours later":    {asOf, 5*time.Hour + time.Minute, "as of 2026-08-14 02:11 UTC (5 h ago), the newest date in the file; if it was saved later, Argo CD has not looked at the application since"},
		"months later":   {asOf, 107 * 24 * time.Hour, "as of 2026-08-14 02:11 UTC (107 days ago), the newest date in the file; if it was saved later, Argo CD has not looked at the application since"},
		"live":           {time.Time{}, 5 * time.Hour, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &diagnose.Report{App: diagnose.AppName{Name: "shop"}, Verdict: diagnose.VerdictFailing, Headline: "shop: down", AsOf: tc.asOf}
			got := strings.Join(strings.Fields(text(t, r, terminal.Options{Now: asOf.Add(tc.read)})), " ")
			if tc.want == "" && strings.Contains(got, "as of") || !strings.Contains(got, tc.want) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
