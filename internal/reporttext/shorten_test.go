package reporttext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/reporttext"
)

func TestEnd(t *testing.T) {
	const said = `The API server says: failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate?timeout=10s": connection refused.`
	for _, c := range []struct {
		what, in string
		limit    int
		want     string
	}{
		{"short enough", "It exits 1. Its log says: no.", 80, "It exits 1. Its log says: no."},
		{"sentences between the first and the last", "The Job failed 3 times. Argo CD tried again after each of them. Its log says: connection refused by db-0.", 70, "The Job failed 3 times. … Its log says: connection refused by db-0."},
		{"the first sentence is long", "The Deployment waits for a pod that never becomes ready within ten minutes. The probe fails.", 40, "… The probe fails."},
		{"the wrapping of what was said", said, 100, `… Post "https://kyverno-svc.kyverno.svc:443/validate?timeout=10s": connection refused.`},
		{"who said it", "Its log says: could not open the connection pool of the worker within 30 seconds: connection refused by the host.", 60, "Its log says: … connection refused by the host."},
		{"no clause ends in time", "the very long and winding road (that leads to your door) is closed", 40, "… (that leads to your door) is closed"},
		{"a quote is not cut", `one two three "four five six seven" eight nine ten eleven`, 40, `… eight nine ten eleven`},
		{"a quote that is too long alone", `"` + strings.Repeat("word ", 20) + `end"`, 30, `… word word word word end"`},
		{"one long word", strings.Repeat("x", 50) + "end", 10, "…xxxxxxend"},
		{"a sentence in lower case", "Its replicas differ here and there. spec.replicas is 3 in the cluster.", 40, "… spec.replicas is 3 in the cluster."},
		{"no sentence within a path", "Cannot read apps/web/values.prod.yaml of the chart", 30, "… of the chart"},
	} {
		got := reporttext.End(c.in, c.limit)
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.what, got, c.want)
		}
		if utf8.RuneCountInString(got) > c.limit {
			t.Errorf("%s: %d characters, the limit is %d", c.what, utf8.RuneCountInString(got), c.limit)
		}
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"Push the fix", 40, "Push the fix"},
		{"Push the fix. The bot sees it within 3 minutes.", 30, "Push the fix."},
		{"Keep the label from being copied, or take it out of the chart", 45, "Keep the label from being copied…"},
		{"Remove the field from Deployment/web (apps/web in the repository)", 45, "Remove the field from Deployment/web…"},
		{"Remove the field webhooks[name=a b c d e f g] from Git", 40, "Remove the field…"},
	} {
		if got := reporttext.Start(c.in, c.limit); got != c.want {
			t.Errorf("%q in %d:\n got %q\nwant %q", c.in, c.limit, got, c.want)
		}
	}
}

func TestRepeats(t *testing.T) {
	const said = "payments: PreSync hook migrate exited 3: connection refused by db-0.payments"
	for in, want := range map[string]bool{
		"Its log says: connection refused by db-0.payments.": true,
		"The hook migrate exited 3 times today":              false, // too short a run
		"Deployment/web of db-0.payments":                    false,
		"the pod was killed, and nobody knows why":           false,
	} {
		if got := reporttext.Repeats(in, said); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	got := strings.Join(reporttext.Sentences(`It exits 1, e.g. after "a. b". Its log says: no such file v1.2. spec.x is set.`), "|")
	if want := `It exits 1, e.g. after "a. b".|Its log says: no such file v1.2.|spec.x is set.`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
