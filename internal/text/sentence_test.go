package text_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/text"
)

func TestOneLine(t *testing.T) {
	if got, want := text.OneLine(" a\n\n\tb  c\r\n"), "a b c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		" . ":                     "",
		"it failed":               "it failed.",
		"it failed.":              "it failed.",
		"it failed...":            "it failed.",
		"it failed:\n ":           "it failed.",
		"one line;\n\tand  more;": "one line; and more.",
		"cut here…":               "cut here…",
		"cut here….":              "cut here…",
		"really?":                 "really?",
		"no!":                     "no!",
		"run `make`":              "run `make`.",
		"naïve":                   "naïve.",
		"not on a Friday :tada:":  "not on a Friday :tada:",
		"main chunk [G]: ?":       "main chunk [G]: ?.",
		"really?.":                "really?",
		"main.go:12:":             "main.go:12.",
		"chart:web: ":             "chart:web.",
	} {
		if got := text.Sentence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFirstLetter(t *testing.T) {
	for _, c := range []struct{ in, upper, lower string }{
		{"", "", ""}, {"the Job", "The Job", "the Job"}, {"Ärger", "Ärger", "ärger"}, {"ärger", "Ärger", "ärger"}, {"1 Job", "1 Job", "1 Job"},
		{"\xff", "\xff", "\xff"},
	} {
		if got := text.UpperFirst(c.in); got != c.upper {
			t.Errorf("%q: %q, want %q", c.in, got, c.upper)
		}
		if got := text.LowerFirst(c.in); got != c.lower {
			t.Errorf("%q: %q, want %q", c.in, got, c.lower)
		}
	}
}
