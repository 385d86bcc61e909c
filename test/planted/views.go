package planted

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// views are a text as it is, and as somebody reads it who undoes what hides a secret: marks that do not show, colours, wrapped lines,
// escapes, URL encoding, HTML, base64 and hexadecimal, also several times.
func views(text string) []string {
	out := []string{text}
	add := func(s string) {
		if s != "" && s != out[len(out)-1] {
			out = append(out, s)
		}
	}
	joined := visible(text)
	add(joined)
	plain := text
	for range 4 { // escapes within escapes
		next := unescaped(plain)
		if next == plain {
			break
		}
		plain = next
		add(visible(plain))
	}
	add(visible(percentDecoded(plain)))
	if strings.Contains(plain, "&") {
		add(visible(html.UnescapeString(plain)))
	}
	for _, s := range []string{text, joined, plain} {
		for range 3 { // base64 within base64
			s = decodedRuns(s)
			add(s)
			add(visible(percentDecoded(unescaped(unescaped(s)))))
		}
	}
	return out
}

var (
	// colours are control sequences of a terminal.
	colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07`)
	// stamps are what a log puts before each line.
	stamps = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\dT[0-9:.]+Z? (?:stdout|stderr) [FP] `)
)

// visible is a text without what does not show, on one line.
func visible(s string) string {
	if strings.Contains(s, "\x1b") {
		s = colours.ReplaceAllString(s, "")
	}
	if strings.Contains(s, " std") {
		s = stamps.ReplaceAllString(s, "")
	}
	var b strings.Builder
	b.Grow(len(s))
	lineBegins := false
	for i, r := range s {
		switch {
		case r == '\n':
			lineBegins = true
			continue
		case lineBegins && strings.ContainsRune(" \t>+-", r): // indentation, quotes, diffs
			continue
		case (r == '\\' || r == '=') && strings.HasPrefix(s[i+1:], "\n"): // the line goes on
			continue
		case r == unicode.ReplacementChar, r != ' ' && r < 0x80 && unicode.IsControl(r), r >= 0x80 && (unicode.Is(unicode.Cf, r) || unicode.IsControl(r)):
			continue
		}
		lineBegins = false
		b.WriteRune(r)
	}
	return b.String()
}

// unescaped undoes one level of the escapes of JSON, Go and shells.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n', 'r':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'u', 'x':
			n := map[byte]int{'u': 4, 'x': 2}[s[i]]
			if r, err := strconv.ParseUint(s[i+1:min(len(s), i+1+n)], 16, 32); err == nil {
				b.WriteRune(rune(r))
				i += n
				continue
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// percentDecoded undoes URL encoding wherever there is some.
func percentDecoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// decodedRuns are what runs of base64 or hexadecimal say. Of one that was cut, nobody knows where its groups begin: all four ways are tried.
func decodedRuns(s string) string {
	var b strings.Builder
	take := func(r string) {
		if raw, err := hex.DecodeString(r[:len(r)/2*2]); err == nil {
			b.Write(raw)
			b.WriteByte('\n')
			return
		}
		r = standard.Replace(r)
		for skip := range 4 {
			part := r[skip:]
			if len(part)%4 == 1 {
				part = part[:len(part)-1]
			}
			if raw, err := base64.RawStdEncoding.DecodeString(part); err == nil && printable(raw) {
				b.Write(raw)
				b.WriteByte('\n')
			}
		}
	}
	start := 0
	for i := range len(s) + 1 {
		if i < len(s) && isBase64[s[i]] {
			continue
		}
		if i-start >= 12 {
			take(s[start:i])
		}
		start = i + 1
	}
	return b.String()
}

var (
	// standard turns base64 for URLs into the usual one.
	standard = strings.NewReplacer("-", "+", "_", "/")
	isBase64 = func() (is [256]bool) {
		for _, c := range alnum + "+/-_" {
			is[c] = true
		}
		return is
	}()
)

// printable reports whether it is text, and not what comes out when something else is decoded.
func printable(raw []byte) bool {
	good := 0
	for _, c := range raw {
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			good++
		}
	}
	return good*10 >= len(raw)*7
}
