package sanitize_test

import (
	"testing"

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
		{"harmless", "naïve … 日本 🔴\n\tx", "naïve … 日本 🔴\n\tx"},
	} {
		if got := sanitize.Text(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
