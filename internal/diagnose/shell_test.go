package diagnose

import "testing"

// TestNoCommandForWhatWouldRun: a value that a program reads as an option or runs makes no command, wherever it stands.
func TestNoCommandForWhatWouldRun(t *testing.T) {
	type named string
	for _, evil := range []any{"--upload-pack=touch /tmp/pwned;true", " -x", "\u200b-x", "ext::sh -c touch% /tmp/pwned", "fd::17", "ssh://-oProxyCommand=x/y", named("-x"), []string{"a", "ext::"}} {
		got := Printed(Shell("cd dir && ") + Shell("git ls-remote %s", evil) + " | sort")
		if _, list := evil.([]string); !list && got != "" {
			t.Errorf("%q is printed as %s", evil, got)
		}
	}
	for want, got := range map[string]string{
		"a --user=-x fe80::1":  Shell("a --user=%s %s", "-x", "fe80::1"),
		"a -n b 3 '$(rm)'":     Shell("a %s %d %s", Raw("-n b"), 3, named("$(rm)")),
		"a '[$(rm)]'":          Shell("a %s", []string{"$(rm)"}),
		"":                     Printed(Shell("a %s%s", "", "-x")),
		"git show HEAD:--x.go": Shell("git show HEAD:%s", "--x.go"),
	} {
		if got != want {
			t.Errorf("%q is not %q", got, want)
		}
	}
	fix := Fix{Text: "Look at it", Command: Shell("git ls-remote %s", "-x")}.printed()
	if fix.Command != "" || fix.Text != "Look at it ("+notPrinted+")" {
		t.Errorf("the step is %+v", fix)
	}
}
