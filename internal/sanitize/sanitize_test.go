package sanitize_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/sanitize"
)

func TestControlSequencesGo(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"colour", "\x1b[1;31mERROR\x1b[0m no route", "ERROR no route"},
		{"cursor up and erase", "a\x1b[2A\x1b[2Kb", "ab"},
		{"window title", "a\x1b]0;owned\x07b", "ab"},
		{"clipboard", "a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"},
		{"a title without end keeps what follows", "a\x1b]0;owned", "a0;owned"},
		{"one that appears when another goes", "\x1b\x1b[0m[31mred", "\uFFFD[31mred"},
		{"8-bit CSI", "a\u009b31mb", "ab"},
		{"raw byte of 8-bit CSI", "a\x9b31mb", "a\uFFFD31mb"},
		{"reset", "a\x1bcb", "ab"},
		{"bell, backspace, delete", "a\a\b\x7fb", "a\uFFFD\uFFFD\uFFFDb"},
		{"Windows line", "a\r\nb", "a\nb"},
		{"progress bar", "10%\r20%", "10%\n20%"},
		{"right to left", "user\u202egnp.exe", "user\uFFFDgnp.exe"},
		{"not UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"not seen", "\ufeffpay\u200bm\u00adents\u2060 \U000e0073\U000e0068", "payments "},
		{"pictures of several characters", "⚠️ 👩‍🚒", "⚠️ 👩‍🚒"},
		{"a sequence with one in it", "a\x1b\u200b[31mb", "a\uFFFD[31mb"},
		{"harmless", "naïve … 日本 🔴\n\tx", "naïve … 日本 🔴\n\tx"},
	} {
		got := sanitize.Text(c.in)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if again := sanitize.Text(got); again != got {
			t.Errorf("%s: %q becomes %q the second time", c.name, got, again)
		}
	}
}

// TestNothingUnseenHidesASecret: redaction and this package go by one list, and neither leaves a sign in a secret that the other then
// takes for its end.
func TestNothingUnseenHidesASecret(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	tried := 0
	for r := rune(1); r <= unicode.MaxRune; r++ {
		hides := invisible.Is(r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r == unicode.ReplacementChar
		if !hides || r == '\x1b' || r == '\u009b' { // a sequence takes letters with it
			continue
		}
		tried++
		bad := "token " + secret[:8] + string(r) + secret[8:] + " end"
		for how, clean := range map[string]func(string) string{"text": sanitize.Text, "name": sanitize.Name, "redaction": redact.String} {
			if got := clean(bad); strings.Contains(got, secret[9:]) || strings.Contains(got, secret[:8]) {
				t.Errorf("%s: %U hides it: %q", how, r, got)
			}
		}
	}
	if tried < 4000 {
		t.Errorf("only %d characters tried", tried)
	}
}

func TestNamesThatDifferLookDifferent(t *testing.T) {
	for in, want := range map[string]string{
		"Dana": "Dana", "Da\u200bna": "Da\uFFFDna", "Dana\u00ad": "Dana\uFFFD", "Da\U000e0041na": "Da\uFFFDna", "Dana\u202e": "Dana\uFFFD", "Da\x00na": "Da\uFFFDna",
		"Dana 👩‍🚒": "Dana 👩‍🚒", " Dana\n Z": "Dana Z",
	} {
		if got := sanitize.Name(in); got != want || sanitize.Text(got) != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}
