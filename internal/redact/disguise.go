package redact

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// disguised returns the secrets that only a view of s shows.
func disguised(s string, depth int, m *effort.Meter) []span {
	found := encoded(s, depth, m)
	text := s
	var views []*view // each of the one before
	see := func(v *view) bool {
		if v == nil || m.Done() {
			return false
		}
		views, text = append(views, v), v.text
		found = append(found, sources(views, plain(text, m))...)
		return true
	}
	see(visible(text))
	if see(uncolored(text)) {
		m.Look(sequenceSteps * len(text))
	}
	for layers := 0; layers < 3 && see(unescaped(text)); { // what has no escapes has none the next time
		layers++
	}
	if len(views) > 0 {
		found = append(found, sources(views, encoded(text, depth, m))...)
	}
	if form := formDecoded(s); form != nil {
		found = append(found, sources([]*view{form}, told(form.text, m))...)
		if v := unescaped(form.text); v != nil {
			found = append(found, sources([]*view{form, v}, told(v.text, m))...)
		}
	}
	return append(found, sources(views, wrapped(text, depth, m))...)
}

// sources leads from the last of some views back to the text.
func sources(views []*view, found []span) []span {
	for i := len(views) - 1; i >= 0; i-- {
		for j := range found {
			found[j] = views[i].source(found[j])
		}
	}
	return found
}

// visible is s without the characters that nobody sees: of no width, soft hyphens, NUL and the like. The wide letters of
// East Asian typing are as ASCII has them.
func visible(s string) *view {
	w := viewer{text: s}
	for i := 0; i < len(s); {
		if b := s[i]; b >= ' ' && b <= '~' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isInvisible(r):
			w.replace(i, i+size, "")
		case r > utf8.RuneSelf && unicode.IsSpace(r):
			w.replace(i, i+size, " ")
		case '！' <= r && r <= '～':
			w.replace(i, i+size, string(r-'！'+'!'))
		}
		i += size
	}
	return w.view()
}

func isInvisible(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\r' && r != '\t' && r != '\x1b'
	case r == utf8.RuneError: // what is left of a character that is none
		return true
	case r < 0xa0:
		return r > '~' && r != '\u0085' && r != '\u009b' // the end of a line, and what begins a color
	}
	return invisible.Is(r)
}

// escapes are the bytes that begin one.
var escapes = bytesOf(`\%=&`, func(byte) bool { return false })

// unescaped is s with one layer of escapes taken off: of JSON and Go, of URLs, of HTML and of quoted-printable.
func unescaped(s string) *view {
	w := viewer{text: s}
	for i := 0; i < len(s); {
		if !escapes.has(s[i]) {
			i++
			continue
		}
		var by string
		size := 0
		switch s[i] {
		case '\\':
			by, size = backslash(s[i:])
		case '%':
			by, size = percent(s[i:])
		case '=':
			by, size = quotedPrintable(s[i:])
		case '&':
			by, size = entity(s[i:])
		}
		if size > 0 {
			w.replace(i, i+size, by)
			i += size
			continue
		}
		i++
	}
	return w.view()
}

// backslash reads an escape at the start of s. A size of 0 means that there is none.
func backslash(s string) (by string, size int) {
	if len(s) < 2 {
		return "", 0
	}
	switch s[1] {
	case '"', '\'', '\\', '/', '&', '$', '=':
		return s[1:2], 2
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'x':
		return character(s, 2, 2, 16)
	case '0', '1':
		return character(s, 1, 3, 8)
	case 'u':
		if end := strings.IndexByte(s[:min(len(s), 12)], '}'); end > 3 && s[2] == '{' {
			if n, err := strconv.ParseUint(s[3:end], 16, 32); err == nil && n > ' ' && n <= '~' {
				return string(rune(n)), end + 1
			}
		}
		if len(s) < 6 {
			return "", 0
		}
		if n, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
			if isInvisible(rune(n)) {
				return "", 6
			}
			return string(rune(n)), 6
		}
	}
	return "", 0
}

// character reads one that is written as some digits, behind as many bytes as at says: %40, \x40 and \100. Only a space, the end of a line
// and ASCII that can be seen count.
func character(s string, at, digits, base int) (by string, size int) {
	if len(s) < at+digits {
		return "", 0
	}
	n, err := strconv.ParseUint(s[at:at+digits], base, 8)
	if err != nil || n != '\n' && n != '\r' && n != '\t' && (n < ' ' || n > '~') {
		return "", 0
	}
	return string(rune(n)), at + digits
}

// percent reads %40.
func percent(s string) (by string, size int) { return character(s, 1, 2, 16) }

// formDecoded is s with the spaces of what was encoded as a form: a+b%20c. It is a view of its own, because a plus may also be part
// of a secret.
func formDecoded(s string) *view {
	if !strings.Contains(s, "+") {
		return nil
	}
	w := viewer{text: s}
	for at := 0; at < len(s); {
		end := at
		for end < len(s) && s[end] > ' ' {
			end++
		}
		if word := s[at:end]; strings.Count(word, "+") > 1 || strings.Contains(word, "+") && strings.Contains(word, "%") {
			for i := range len(word) {
				if word[i] == '+' && i > 0 && word[i-1] != '+' && i+1 < len(word) && word[i+1] != '+' { // more of them are a mask
					w.replace(at+i, at+i+1, " ")
				}
			}
		}
		at = end + 1
	}
	return w.view()
}

// quotedPrintable reads =3D. Its digits are capital letters, and x=20 is a number.
func quotedPrintable(s string) (by string, size int) {
	if by, size = character(s, 1, 2, 16); by <= " " || strings.ContainsAny(s[1:3], "abcdef") {
		return "", 0
	}
	return by, size
}

var entities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'", "equals": "=", "colon": ":", "commat": "@", "shy": "", "zwj": "", "zwnj": ""}

// entity reads &amp; or &#38; or &#x26;.
func entity(s string) (by string, size int) {
	const longest = len("&equals;")
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 0 {
		return "", 0
	}
	name := s[1:end]
	number, ok := strings.CutPrefix(name, "#")
	if !ok {
		by, ok := entities[name]
		if !ok {
			return "", 0
		}
		return by, end + 1
	}
	base := 10
	if strings.HasPrefix(number, "x") || strings.HasPrefix(number, "X") {
		number, base = number[1:], 16
	}
	n, err := strconv.ParseUint(number, base, 16)
	if err != nil || n == 0 {
		return "", 0
	}
	if isInvisible(rune(n)) {
		return "", end + 1
	}
	return string(rune(n)), end + 1
}
