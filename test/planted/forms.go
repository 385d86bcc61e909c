package planted

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// form is how a text stands in another one.
type form struct {
	name string
	// disguised: what makes it hard to see is not how people write, or not what they see.
	disguised bool
	// long: only for kinds of which one knows that their halves belong together.
	long bool
	put  func(m *maker, s sample) string
}

// alone is a text that has a field for itself.
var alone = form{name: "alone", put: around("", "")}

// ordinary are the forms of any text: with the marks around it that sentences, logs and formats have, and with so much before it that
// it lies where a text is cut.
func ordinary() []form {
	out := []form{
		{name: "in the middle", put: around("cannot start: ", " while it connects to the store")},
		{name: "at the start", put: around("", " is what the server was given")},
		{name: "at the end", put: around("the server was given ", "")},
		alone,
		{name: "on a line of its own", put: around("the server was given\n", "\nand does not start")},
	}
	for _, mark := range []string{".", ",", ")", "]", "}", ":", ";", "&", "|", ">", "<", "?", "!", "/", "\\n", "\\\"", ". Try again", "), giving up"} {
		out = append(out, form{name: "before " + mark, put: around("the server was given ", mark+" after a while")})
	}
	for _, pair := range []string{`""`, "''", "``", "()", "[]", "{}", "<>", "“”"} {
		r := []rune(pair)
		out = append(out, form{name: "in " + pair, put: around("the server was given "+string(r[0]), string(r[1])+" and does not start")})
	}
	for _, mark := range []string{"=", ":", "(", "/", "|", "\\n", ">"} {
		out = append(out, form{name: "behind " + mark, put: around("the server was given"+mark, " and does not start")})
	}
	for _, limit := range []int{60, 80, 100, 120, 160, 200, 240, 300, 400, 500, 600, 1000, 2000, 3000} {
		out = append(out, form{name: fmt.Sprintf("across byte %d", limit), put: func(m *maker, s sample) string {
			return across(m, s, limit)
		}})
	}
	return out
}

func around(before, after string) func(*maker, sample) string {
	return func(_ *maker, s sample) string { return before + s.text + after }
}

const filler = "the controller has tried to reconcile the object and is going to try it again after a while because the store said so; "

// across lets a text lie on a limit, more or less: what stands before it in a message moves it on.
func across(m *maker, s sample, limit int) string {
	at := limit - m.IntN(len(s.text)+60)
	if at < 0 {
		at = 0
	}
	before := strings.Repeat(filler, at/len(filler)+1)[:at]
	return before + " " + s.text + " " + filler
}

// disguises are the forms that hide a secret.
var disguises = []form{
	{name: "zero-width space", disguised: true, put: inside("\u200b")},
	{name: "zero-width joiner", disguised: true, put: inside("\u200d")},
	{name: "word joiner", disguised: true, put: inside("\u2060")},
	{name: "byte order mark", disguised: true, put: inside("\ufeff")},
	{name: "soft hyphen", disguised: true, put: inside("\u00ad")},
	{name: "NUL", disguised: true, put: inside("\x00")},
	{name: "colour inside", disguised: true, put: inside("\x1b[31m")},
	{name: "colours around", disguised: true, put: around("the server was given \x1b[1;31m", "\x1b[0m and does not start")},
	{name: "zero-width space before it", disguised: true, put: around("the server was given\u200b", "\u200b and does not start")},
	{name: "base64", disguised: true, put: encoded(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) })},
	{name: "base64url", disguised: true, put: encoded(func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) })},
	{name: "base64 twice", disguised: true, put: encoded(func(s string) string { return base64Of(base64Of(s)) })},
	{name: "hexadecimal", disguised: true, put: encoded(func(s string) string { return hex.EncodeToString([]byte(s)) })},
	{name: "URL-encoded", disguised: true, put: encoded(url.QueryEscape)},
	{name: "every byte URL-encoded", disguised: true, put: encoded(percent)},
	{name: "HTML", disguised: true, put: encoded(html.EscapeString)},
	{name: "in a JSON string", disguised: true, put: encoded(func(s string) string { return `{"msg":` + jsonString("request "+s+" failed") + `}` })},
	{name: "in a JSON string twice", disguised: true, put: encoded(func(s string) string { return jsonString(`{"msg":` + jsonString("request "+s+" failed") + `}`) })},
	{name: "in Unicode escapes", disguised: true, put: encoded(func(s string) string { return `{"msg":"` + unicodeEscapes(s) + `"}` })},
	{name: "wrapped", disguised: true, long: true, put: inside("\n")},
	{name: "wrapped with indentation", disguised: true, long: true, put: inside("\n    ")},
	{name: "wrapped with a backslash", disguised: true, long: true, put: inside("\\\n")},
	{name: "wrapped behind a log prefix", disguised: true, long: true, put: inside("\n2026-11-20T18:32:00.123Z stderr F ")},
	{name: "quoted-printable", disguised: true, long: true, put: inside("=\n")},
}

// inside puts something into the middle of the secret, and into the name before it, if there is one.
func inside(what string) func(*maker, sample) string {
	return func(_ *maker, s sample) string {
		out := s.text
		for _, secret := range s.secret {
			half := len(secret) / 2
			out = strings.ReplaceAll(out, secret, secret[:half]+what+secret[half:])
		}
		return "the server was given " + out + " and does not start"
	}
}

func encoded(with func(string) string) func(*maker, sample) string {
	return func(_ *maker, s sample) string { return "the server was given " + with(s.text) + " and does not start" }
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func unicodeEscapes(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}
