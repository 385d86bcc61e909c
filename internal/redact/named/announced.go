package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// maxSentence is how far behind a name a sentence may announce its value.
const maxSentence = 200

// announcement is what a validator says before the value that it quotes. A word says less than the others: only a value that no
// sentence has follows it.
type announcement struct {
	text string
	word bool
}

// announcements are by their first letter.
var announcements = func() (table [256][]announcement) {
	for _, text := range [...]string{"valueunstructured{value:", "found value ", "actual value ", "value: ", "got &{", "with value ", "input_value=", "literal value "} {
		table[text[0]] = append(table[text[0]], announcement{text, false})
	}
	for _, text := range [...]string{"got: ", "got ", "found: ", "found ", "but was ", "received ", "value "} {
		table[text[0]] = append(table[text[0]], announcement{text, true})
	}
	return table
}()

// announced hides the value that the rest of the sentence quotes: failed at path /data/DB_PASSWORD: found value "x". Without an
// announcement it must be one that nothing but a secret looks like: password [x], (x), "x".
func (f *finder) announced(n field) {
	s := f.s
	end := n.end + min(lineLength(s[n.end:]), maxSentence)
	if strings.HasPrefix(s[n.end:], "\n  ") { // of a validator that prints the name as a headline
		end = n.end + 1 + min(lineLength(s[n.end+1:]), maxSentence)
	}
	for at := n.end; at < end; at++ {
		if !isLetter(s[at-1]) && f.isAnnounced(n, at) {
			return
		}
		if closing := closingOf(s[at]); closing != 0 && at+1 < end {
			stop := strings.IndexByte(s[at+1:min(len(s), at+1+maxValue)], closing)
			if stop > 0 && f.invented(n, at, at+1+stop) {
				return
			}
		}
	}
	f.atLineEnd(n, end)
	f.quotedBefore(n)
}

func (f *finder) isAnnounced(n field, at int) bool {
	list := announcements[lower(f.s[at])]
	if len(list) == 0 {
		return false
	}
	said := f.s[n.end:at]
	if strings.HasSuffix(said, "Invalid ") || strings.HasSuffix(said, "Duplicate ") { // of the field before it
		return false
	}
	for _, a := range list {
		if hasPrefixFold(f.s[at:], a.text) && f.announcedValue(n, at+len(a.text), a.word) {
			return true
		}
	}
	return false
}

func closingOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '<':
		return '>'
	case '"', '\'', '`':
		return c
	}
	return 0
}

// others are what is said of a name in quotes or brackets that is no secret: user "Admin2b4".
var others = []string{"user", "username", "role", "account", "database", "host", "pod", "service", "namespace", "file", "from", "revision", "image", "version", "in", "secret"}

// invented hides what is between the signs at s[open] and s[end] if it was made up, and is not said to be something else.
func (f *finder) invented(n field, open, end int) bool {
	s := f.s
	switch n.Class {
	case secretname.Password, secretname.Key, secretname.Ambiguous:
	case secretname.None, secretname.Address, secretname.Code:
		return false
	}
	if strings.IndexByte(s[open+1:end], s[open]) >= 0 || !secretname.Made(s[open+1:end]) {
		return false
	}
	lead := strings.TrimRight(s[max(0, open-24):open], " =:")
	for _, word := range others {
		if len(lead) >= len(word) && strings.EqualFold(lead[len(lead)-len(word):], word) {
			return false
		}
	}
	f.hide(open+1, end)
	return true
}

// atLineEnd hides the password that a sentence ends with, on its line or as the only word of the next one that has any:
// A temporary password is generated for root@localhost: x.
func (f *finder) atLineEnd(n field, end int) {
	s := f.s
	if n.Class != secretname.Password || end < len(s) && s[end] != '\n' && s[end] != '\r' {
		return
	}
	line := strings.TrimRight(s[n.end:end], " \r")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		whose := strings.HasPrefix(line, " for ") && len(strings.Fields(line[:i])) <= len([]string{"for", "the", "user", "app"}) || strings.Contains(line, " generated ")
		if word := strings.TrimSpace(line[i+2:]); !strings.Contains(word, " ") && (secretname.Made(word) || whose && f.hides(n, word, secretname.Sentence)) {
			f.hide(n.end+i+2, n.end+i+2+len(word))
		}
		return
	}
	if !strings.HasSuffix(line, ":") {
		return
	}
	next := end
	for next < min(len(s), end+8) && (isSpace(s[next]) || isEnd(s[next])) {
		next++
	}
	if stop := f.lineEnd(next, false); stop-next <= maxValue {
		word := strings.TrimRight(s[next:stop], " \r")
		if !strings.ContainsAny(word, " :=") && (secretname.Made(word) || len(word) >= 20 && strings.Trim(word, "0123456789abcdef") == "") {
			f.hide(next, next+len(word))
		}
	}
}

// links are between a value and the name that follows it.
var links = []string{" for ", " of ", " to ", " == ", " != "}

// quotedBefore hides a value that is quoted before its name: invalid value "x" for "--db-password".
func (f *finder) quotedBefore(n field) {
	lead := f.s[max(0, n.start-maxSentence):n.start]
	for _, link := range links {
		end := strings.LastIndex(lead, link) - 1 // of the value, before its closing quote
		if end < 1 || !isQuote(lead[end]) || !opensName(lead[end+1+len(link):]) {
			continue
		}
		open := strings.LastIndexByte(lead[:end], lead[end])
		if open < 0 {
			continue
		}
		value, said := lead[open+1:end], secretname.Made(lead[open+1:end]) || strings.Contains(lead[:open], "value") || strings.Contains(lead[:open], "argument") || link[2] == '='
		if said && !strings.Contains(value, " ") && f.hides(n, value, secretname.Sentence) {
			at := n.start - len(lead) + open + 1
			f.hide(at, at+len(value))
			return
		}
	}
}

// opensName recognises what may be between a link and the stem of a name: "--, users. A word may say what the name is of: flag, setting.
func opensName(s string) bool {
	word, rest, ok := strings.Cut(s, " ")
	if !ok || wordLength(word) < len(word) {
		rest = s
	}
	return len(rest) <= 24 && !strings.ContainsAny(strings.Trim(rest, "-\"'`<."), " ,;:")
}

// announcedValue hides the value at s[at:], if it is one.
func (f *finder) announcedValue(n field, at int, word bool) bool {
	s := f.s
	if at = f.skipSpace(at); at >= len(s) || s[at] == '{' { // a document is read for itself
		return false
	}
	if q, ok := openQuote(s, at); ok {
		end := f.quoteEnd(q)
		if value := s[q.start:end]; end > q.start && end-q.start <= maxValue && f.hides(n, value, secretname.Assigned) && !secretname.IsMessage(value) {
			f.hide(q.start, end)
			return true
		}
		return false
	}
	end := trimEnd(s, at, f.wordEnd(at))
	if i := strings.IndexByte(s[at:end], '}'); i >= 0 {
		end = at + i
	}
	value := s[at:end]
	if value == "" || value[0] == '&' || secretname.IsMessage(value) || !f.hides(n, value, secretname.Assigned) {
		return false
	}
	if count := isNumber(value) && len(value) < 5; word && (count || !strings.ContainsAny(value, "0123456789")) { // got integer, found 3 keys
		return false
	}
	f.hide(at, end)
	return true
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
