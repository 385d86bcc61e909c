package text_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/text"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"short enough", 12, "short enough"},
		{"no limit at all", 0, "no limit at all"},
		{"cut at the space that is near", 20, "cut at the space…"},
		{"one averyveryverylongword", 15, "one…"},
		{"averyveryverylongword", 15, "averyveryverylo…"},
		{`cannot open "values of prod.yaml" here`, 22, "cannot open…"},
		{"one two three four", 13, "one two three…"},
		{"naïve", 3, "na…"}, // no half characters
	} {
		if got := text.Clip(c.in, c.n); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"it fits", 7, "it fits"}, {"too long for it", 10, "too lon…"}, {"größer", 6, "gr…"},
	} {
		if got := text.Fit(c.in, c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	if got, want := text.Excerpt("rpc error:\n  denied\n"), "rpc error: denied"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := text.Excerpt(strings.Repeat("while doing this: ", 20)+"no such host"), "… "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ": no such host") {
		t.Errorf("%q begins or ends otherwise", got)
	}
	if got, want := text.Excerpt(strings.Repeat("x", 305)), strings.Repeat("x", 300)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for n := range 400 {
		for _, s := range []string{strings.Repeat("é", n), strings.Repeat("while doing this: ", n) + "no such host", strings.Repeat("x ", n), "a: " + strings.Repeat("x", n)} {
			once := text.Excerpt(s)
			if again := text.Excerpt(once); again != once {
				t.Fatalf("%q becomes %q, and then %q", s, once, again)
			}
		}
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"web", 3, "web"}, {"payments-api", 4, "pay…"}, {"日本語", 2, "日…"}, {"web", 1, "…"},
	} {
		if got := text.Start(c.in, c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestEnd(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"web", 3, "web"}, {"payments-api", 4, "…api"}, {"日本語", 2, "…語"}, {"web", 1, "…"},
	} {
		if got := text.End(c.in, c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}
