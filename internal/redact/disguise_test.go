package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// spaced puts sep into the middle of a secret, at three places.
func spaced(s, sep string) string {
	a, b, c := len(s)/4, len(s)/2, 3*len(s)/4
	return s[:a] + sep + s[a:b] + sep + s[b:c] + sep + s[c:]
}

// disguises are ways in which a message hides a secret from an expression.
var disguises = map[string]func(s string) string{
	"zero-width space":       func(s string) string { return spaced(s, "\u200b") },
	"zero-width non-joiner":  func(s string) string { return spaced(s, "\u200c") },
	"zero-width joiner":      func(s string) string { return spaced(s, "\u200d") },
	"word joiner":            func(s string) string { return spaced(s, "\u2060") },
	"byte order mark":        func(s string) string { return spaced(s, "\ufeff") },
	"soft hyphen":            func(s string) string { return spaced(s, "\u00ad") },
	"NUL":                    func(s string) string { return spaced(s, "\x00") },
	"backspace":              func(s string) string { return spaced(s, "\x08") },
	"Hangul filler":          func(s string) string { return spaced(s, "\u3164") },
	"right-to-left mark":     func(s string) string { return spaced(s, "\u200f") },
	"variation selector":     func(s string) string { return spaced(s, "\ufe0f") },
	"colour":                 func(s string) string { return spaced(s, "\x1b[1m") },
	"colour of one byte":     func(s string) string { return spaced(s, "\u009b1m") },
	"title of a terminal":    func(s string) string { return spaced(s, "\x1b]0;x\x07") },
	"escaped colour":         func(s string) string { return spaced(s, `\x1b[1m`) },
	"octal colour":           func(s string) string { return spaced(s, `\033[1m`) },
	"colour and zero width":  func(s string) string { return spaced(spaced(s, "\x1b[1m"), "\u200b") },
	"escaped zero width":     func(s string) string { return spaced(s, `\u200b`) },
	"URL, every byte":        func(s string) string { return everyByte(s, "%%%02X") },
	"URL":                    url.QueryEscape,
	"URL, the first byte":    func(s string) string { return fmt.Sprintf("%%%02x", s[0]) + s[1:] },
	"JSON, every byte":       func(s string) string { return everyByte(s, `\u%04x`) },
	"JSON twice":             func(s string) string { return everyByte(s, `\\u%04x`) },
	"JSON three times":       func(s string) string { return everyByte(s, `\\\\u%04x`) },
	"JSON in a URL in HTML":  func(s string) string { return everyByte(s, `&#37;5Cu%04x`) },
	"Go, every byte":         func(s string) string { return everyByte(s, `\x%02x`) },
	"JavaScript, every byte": func(s string) string { return everyByte(s, `\u{%x}`) },
	"octal":                  func(s string) string { return everyByte(s, `\%03o`) },
	"wide letters": func(s string) string {
		return strings.Map(func(r rune) rune { return r - '!' + '！' }, s)
	},
	"HTML, every byte":      func(s string) string { return everyByte(s, "&#%d;") },
	"HTML, hexadecimal":     func(s string) string { return everyByte(s, "&#x%x;") },
	"quoted-printable":      func(s string) string { return everyByte(s, "=%02X") },
	"quoted-printable line": func(s string) string { return spaced(s, "=\n") },
	"two lines":             func(s string) string { return s[:len(s)/2] + "\n" + s[len(s)/2:] },
	"two lines of Windows":  func(s string) string { return s[:len(s)/2] + "\r\n" + s[len(s)/2:] },
	"two indented lines":    func(s string) string { return s[:len(s)/2] + "\n      " + s[len(s)/2:] },
	"two lines of a shell":  func(s string) string { return s[:len(s)/2] + "\\\n" + s[len(s)/2:] },
	"two lines of a log": func(s string) string {
		return s[:len(s)/2] + "\n2026-11-20T18:32:00.123Z stdout F " + s[len(s)/2:]
	},
	"two lines of a diff":   func(s string) string { return s[:len(s)/2] + "\n+  " + s[len(s)/2:] },
	"two escaped lines":     func(s string) string { return s[:len(s)/2] + `\n` + s[len(s)/2:] },
	"two strings":           func(s string) string { return s[:len(s)/2] + "\" +\n  \"" + s[len(s)/2:] },
	"base64":                func(s string) string { return base64Of("TOKEN=" + s) },
	"base64 for URLs":       func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("a=?>?> " + s)) },
	"base64 twice":          func(s string) string { return base64Of("x: " + base64Of("token "+s+"\n")) },
	"base64 over two lines": func(s string) string { b := base64Of("TOKEN=" + s); return b[:len(b)/2] + "\n" + b[len(b)/2:] },
	"hexadecimal":           func(s string) string { return hex.EncodeToString([]byte(s)) },
}

func everyByte(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

func TestADisguisedSecretIsFound(t *testing.T) {
	secrets := map[string]string{
		"GitHub": fake("gh"+"p_", alnum, 36), "Docker": fake("dckr"+"_pat_", alnum, 27), "AWS": fake("AK"+"IA", base32, 16),
		"web token": webToken(`{"sub":"ci"}`), "GitLab": fake("gl"+"pat-", alnum, 20), "Vault": fake("hv"+"s.", alnum, 95),
	}
	for name, hide := range disguises {
		t.Run(name, func(t *testing.T) {
			for kind, secret := range secrets {
				hidden := hide(secret)
				for _, form := range []string{"cannot use § today", "key=§, x", `{"a":"§"}`, "§"} {
					in := strings.Replace(form, "§", hidden, 1)
					got := String(in)
					if want := strings.Replace(form, "§", Replacement, 1); got != want {
						t.Errorf("%s:\n got %q\nfrom %q", kind, got, in)
					}
					if again := String(got); again != got {
						t.Errorf("a second time changes it: %q, %q", got, again)
					}
				}
			}
		})
	}
}

func TestAPasswordIsFoundBehindEscapes(t *testing.T) {
	pw := fake("", alnum, 12)
	for _, tt := range []struct{ in, want string }{
		{`https://x/?next=https%3A%2F%2Fci%3A` + pw + `%40git.example.com%2Fa`, `https://x/?next=https%3A%2F%2Fci%3A[redacted]%40git.example.com%2Fa`},
		{`&lt;a href=&quot;postgres:&#47;&#47;app:` + pw + `&#64;db:5432/x&quot;&gt;`, `&lt;a href=&quot;postgres:&#47;&#47;app:[redacted]&#64;db:5432/x&quot;&gt;`},
		{`{"m":"postgres:\/\/app:` + pw + `\u0040db:5432\/x"}`, `{"m":"postgres:\/\/app:[redacted]\u0040db:5432\/x"}`},
		{"postgres://ap\u200bp:" + pw[:5] + "\u200b" + pw[5:] + "@db/x", "postgres://ap\u200bp:[redacted]@db/x"},
		{"login at https://app:" + pw[:5] + "\n" + pw[5:] + "@git/x", "login at https://app:[redacted]@git/x"},
		{"see https://grafana.example:8080\nops2X@example", "see https://grafana.example:8080\nops2X@example"},
		{"PASSWORD=" + pw + "\nDB_HOST2x=a", "PASSWORD=[redacted]\nDB_HOST2x=a"},
		{"password: " + pw + "\nkey2Name: a", "password: [redacted]\nkey2Name: a"},
		{"password: " + pw + "\n10.2.3.4 said no", "password: [redacted]\n10.2.3.4 said no"},
		{"x " + base64Of("password="+pw[:9]) + "= y", "x [redacted] y"}, // no run of base64 that is decoded is shorter
		{"https://ci:" + pw[:4] + "%2F" + pw[4:] + "@git/x", "https://ci:[redacted]@git/x"},
	} {
		if got := String(tt.in); got != tt.want {
			t.Errorf("\n got %s\nwant %s", got, tt.want)
		}
	}
}

func TestATextInDisguiseWithoutASecretIsReturnedByteForByte(t *testing.T) {
	digest := fake("", hexa, 64)
	for _, s := range []string{
		"zero\u200bwidth\u00adand\x00NUL, sha256:" + digest,
		`{"a":"b\u0026c\n\"d\" \\ e"}`, "a%20b%2Fc%3Dd &amp;&#34;x&quot; =3D\nx=\ny",
		"condition " + base64Of("Deployment shop/web: 1 of 3 updated replicas ready") + " is true",
		"values " + base64Of(base64Of("name: shop\nimage: ghcr.io/acme/shop@sha256:"+digest)) + " are old",
		hex.EncodeToString([]byte("the quick brown fox jumps over the lazy dog")),
		strings.Repeat("pod web-7d9f8b6c5d-x2k4p\n  image: nginx:1.27\n", 3),
		"using password\nauthentication", "secret:\n  name: db-7f9c4d8b6\n", strconv.Quote("a\tb\nc\u200bd"),
	} {
		if got := String(s); got != s {
			t.Errorf("\n got %q\nwant %q", got, s)
		}
	}
}

func TestAPrivateKeyIsFoundInEveryForm(t *testing.T) {
	begin, body, end := pem("RSA ", "\n")
	lines := strings.Split(strings.TrimSpace(body), "\n")
	each := func(before, after string) string {
		return before + begin + after + before + strings.Join(lines, after+before) + after + before + end + after
	}
	for name, in := range map[string]string{
		"as it is": each("", "\n"), "indented": each("    ", "\n"), "escaped": each("", `\n`), "escaped twice": each("", `\\n`), "with line ends of Windows": each("", "\r\n"),
		"quoted by line": each(`"`, "\\n\" +\n"), "a list": each(`- "`, "\"\n"), "in a diff": each("+   ", "\n"), "in a diff of diffs": each("-+  ", "\n"),
		"in a log": each("2026-11-20T18:32:00.123Z stdout F ", "\n"), "in JSON": strconv.Quote(strconv.Quote(each("", "\n"))),
		"in a comment": each("# ", "\n"), "in a quote of a mail": each("> ", "\n"), "cut at its start": strings.Join(lines[1:], "\n") + "\n" + end,
		"cut at its end": begin + "\n" + strings.Join(lines[:3], "\n"), "in base64": base64Of(each("", "\n")), "in URL encoding": url.QueryEscape(each("", "\n")),
		"in HTML": each("", "&#10;"), "in one line": each("", " "),
	} {
		t.Run(name, func(t *testing.T) {
			got := String("cannot parse " + in + " for shop")
			for _, line := range lines {
				if strings.Contains(got, line[8:40]) {
					t.Errorf("is still there: %s", got)
					break
				}
			}
		})
	}
}
