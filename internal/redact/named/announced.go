package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// maxSentence is how far behind a name a sentence may announce its value.
const maxSentence = 200

// announcements are what validators say before the value that they quote. A word says less than the others: only a value that
// no sentence has follows it.
var announcements = []struct {
	text string
	word bool
}{
	{"valueunstructured{value:", false}, {"found value ", false}, {"actual value ", false}, {"value: ", false}, {"got &{", false}, {"with value ", false},
	{"got: ", true}, {"got ", true}, {"found: ", true}, {"found ", true}, {"but was ", true}, {"received ", true},
}

// announced hides the value that the rest of the sentence quotes: failed at path /data/DB_PASSWORD: found value "x".
func (f *finder) announced(n field) {
	s := f.s
	end := n.end + min(lineLength(s[n.end:]), maxSentence)
	for at := n.end; at < end; at++ {
		if isLetter(s[at-1]) || strings.HasSuffix(s[n.end:at], "Invalid ") || strings.HasSuffix(s[n.end:at], "Duplicate ") { // of the field before it
			continue
		}
		for _, a := range announcements {
			if hasPrefixFold(s[at:], a.text) && f.announcedValue(n, at+len(a.text), a.word) {
				return
			}
		}
	}
}

func (f *finder) announcedValue(n field, at int, word bool) bool {
	s := f.s
	if at = f.skipSpace(at); at >= len(s) || s[at] == '{' { // a document is read for itself
		return false
	}
	if q, ok := openQuote(s, at); ok {
		end := q.end(s)
		if value := s[q.start:end]; end > q.start && end-q.start <= maxValue && n.Hides(value, secretname.Assigned) && !secretname.IsMessage(value) {
			f.hide(q.start, end)
			return true
		}
		return false
	}
	end := trimEnd(s, at, wordEnd(s, at))
	if i := strings.IndexByte(s[at:end], '}'); i >= 0 {
		end = at + i
	}
	value := s[at:end]
	if value == "" || value[0] == '&' || secretname.IsMessage(value) || !n.Hides(value, secretname.Assigned) || word && (!strings.ContainsAny(value, "0123456789") || isNumber(value) && len(value) < 5) {
		return false
	}
	f.hide(at, end)
	return true
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
