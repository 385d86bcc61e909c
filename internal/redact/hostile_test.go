package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/growth"
)

// hostile are lines that make a search go over the same bytes again and again if it is not careful.
func hostile(n int) map[string]string {
	of := func(s string) string { return strings.Repeat(s, n/len(s)+1)[:n] }
	return map[string]string{
		"a word": of("a"), "a digit": of("7"), "base64": of("QUJDRA"), "encoded text": base64Of(of("token "))[:n], "URLs": of("://a:b@"), "open URLs": of("://a"), "open passwords": of("password="),
		"quotes": of(`password="`), "escapes": of(`\u0026`), "nested escapes": of(`\\\"`), "backslashes": of(`\`), "percent": of("%25"), "entities": of("&amp;"),
		"prefixes": of("gh" + "p_"), "prefixes in a row": of("hv" + "s.s."), "newlines": of("a\n"), "keys": of("-----BEGIN PRIVATE " + "KEY-----\n"), "ends of keys": of("-----END PRIVATE " + "KEY-----\n"),
		"web tokens": of("eyJ" + "hbGciOiJIUzI1NiJ9."), "zero width": of("a\u200b"), "colours": of("a\x1b[1m"), "curl": of("curl -H "), "flags": of("--token "), "braces": of("{\"a\":["), "equals": of("=\n"),
		"services": of("adafruit cloudflare datadog = "), "data": `"kind":"Secret"` + of(`"data":{"a":"`), "redacted": of("password=[redacted]"),
		"maps": "kind: Secret " + of("data:map[a:"), "maps of bytes": "kind: Secret " + of("data:map[a:["), "cut maps": "kind: Secret " + of(`data:map[a:b c:"d" # `), "paths": "kind: Secret " + of("data.a="), "patches": of(`"path":"/data/a","value":[`),
		"dots": of("a.b:c@"), "hex": of("0a"), "commas": of("a,"), "blocks": of("password: |\n  a\n"),
	}
}

// A log of ten megabytes may be one line. A linear search may still need a second or a third round for the end of the longer text.
func TestTheTimeGrowsWithTheText(t *testing.T) {
	const n, times, enough = 12 << 10, 8, 4
	small, large := hostile(n), hostile(times*n)
	for name := range small {
		t.Run(name, func(t *testing.T) { checkTime(t, times, enough, small[name], large[name]) })
	}
}

// checkTime requires that a text which is so many times as long takes about as many times as long.
func checkTime(t *testing.T, times int, enough float64, small, large string) {
	t.Helper()
	if excess := growth.Excess(times, enough, func() { String(small) }, func() { String(large) }); excess >= enough {
		t.Errorf("%d times the text takes %.0f times as long", times, float64(times)*excess)
	}
}

// differentPasswords are as many as fit into n bytes, none of them twice.
func differentPasswords(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "password=Xk%dp9fZ%dqW\n", i, i*7)
	}
	return b.String()[:n]
}

// Each value is looked for everywhere else in the text, which must not mean to read all of it again for each.
func TestTheTimeGrowsWithTheTextOfManyDifferentSecrets(t *testing.T) {
	const n, times, enough = 40 << 10, 16, 4
	checkTime(t, times, enough, differentPasswords(n), differentPasswords(times*n))
}
