package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// How far around a name the scanner looks. A line of a log can be a megabyte long.
const (
	maxName   = 160
	maxAround = 256
	// maxValue is the longest value that may turn out to be harmless; a longer one is a secret or prose.
	maxValue = 256
	// maxPair is how far the value of a pair may be from its name: {"name": "DB_PASSWORD", …, "value": "x"}.
	maxPair = 1 << 10
)

// Find returns the values of secrets in s that their names tell, in order of their names.
func Find(s string) []Span { return FindWithin(s, nil) }

// FindWithin is Find until the meter ends it.
func FindWithin(s string, meter *effort.Meter) []Span {
	f := finder{s: s, meter: meter}
	meter.Look(len(s))
	for at := 0; at+1 < len(s) && !meter.Done(); {
		list := stems[pair(s[at], s[at+1])]
		if list == 0 {
			at++
			continue
		}
		next := at + 1
		for _, stem := range stemLists[list-1] {
			if !hasPrefixFold(s[at:], stem.text) {
				continue
			}
			if stem.program {
				f.command(at, at+len(stem.text))
				continue
			}
			next = f.name(at, at+len(stem.text))
			break
		}
		at = max(next, at+1)
	}
	return f.found
}

// finder is one search.
type finder struct {
	s     string
	found []Span
	// done is where the last name ended, so that no text is read as a name twice.
	done int
	// meter counts what is looked at, and ends remembers where the last long scan of each kind did.
	meter *effort.Meter
	ends  struct {
		word, flow, line, inside, member, key reach
		quote                                 map[string]reach
	}
}

// field is a name in the text, with what it says.
type field struct {
	secretname.Kind
	// start and end are the name's; dashes are how many of a flag are before it.
	start, end int
	flag       bool
}

// name reads the name around the stem at s[at:end] and its value; it returns where to go on.
func (f *finder) name(at, end int) int {
	f.look(nameSteps)
	n := f.bounds(at, end)
	f.done = n.end
	if place := placeInCall(f.s[n.start:n.end]); place > 0 && n.end < len(f.s) && f.s[n.end] == '(' {
		f.arguments(n.end+1, place)
	}
	if strings.HasSuffix(f.s[:n.start], "checksum/") { // the usual annotation that restarts pods
		return n.end
	}
	n.Kind = secretname.Of(f.s[n.start:n.end])
	f.join(&n)
	if n.Class == secretname.None {
		return n.end
	}
	f.look(valueSteps)
	found := len(f.found)
	next, ok := f.value(n)
	if len(f.found) == found {
		f.announced(n)
		f.inColumn(n)
	}
	if ok {
		f.done = min(next, len(f.s))
		return next
	}
	return n.end
}

// bounds is the whole name around a stem.
func (f *finder) bounds(at, end int) field {
	s := f.s
	n := field{start: at, end: end}
	for n.start > max(f.done, at-maxName) && isNameByte(s[n.start-1]) {
		n.start--
	}
	for n.end < min(len(s), end+maxName) && isNameByte(s[n.end]) {
		n.end++
	}
	for n.end > end && (s[n.end-1] == '.' || s[n.end-1] == '-') {
		n.end--
	}
	n.start = min(at, skipEscape(s, n.start))
	for n.start < at && (s[n.start] == '-' || s[n.start] == '.') {
		n.flag = n.flag || s[n.start] == '-'
		n.start++
	}
	return n
}

// skipEscape moves a start out of an escape, of which it took the last letters for the first ones of a name: \npassword.
func skipEscape(s string, start int) int {
	if start == 0 || start >= len(s) {
		return start
	}
	switch s[start-1] {
	case '\\':
		switch s[start] {
		case 'n', 'r', 't', 'b', 'f', 'v':
			return start + 1
		case 'u':
			return start + 5
		case 'x':
			return start + 3
		}
	case '%':
		if start+2 < len(s) && isHexByte(s[start]) && isHexByte(s[start+1]) {
			return start + 2
		}
	}
	return start
}

// join takes words into a name that are written beside it with a space: API key, seed phrase, Unseal Key 1.
func (f *finder) join(n *field) {
	s := f.s
	if n.Class == secretname.None || n.Class == secretname.Ambiguous {
		// One or two words before.
		start := n.start
		for range 2 {
			if start == 0 || s[start-1] != ' ' {
				break
			}
			from := start - 1
			for from > max(0, start-24) && isLetter(s[from-1]) {
				from--
			}
			if from == start-1 {
				break
			}
			start = from
			if k := secretname.Of(s[start:n.end]); k.Class > n.Class && spoken[strings.ToLower(s[from:from+wordLength(s[from:])])] {
				n.Kind, n.start = k, start
			}
		}
	}
	if n.Class == secretname.None && n.end+1 < len(s) && s[n.end] == ' ' {
		end := n.end + 1
		for end < min(len(s), n.end+24) && isLetter(s[end]) {
			end++
		}
		if k := secretname.Of(s[n.start:end]); k.Class != secretname.None {
			n.Kind, n.end = k, end
		}
	}
	// Secret ID = x, of Nomad.
	if rest := s[n.end:]; n.Class == secretname.Ambiguous && strings.HasPrefix(rest, " ID") && (len(rest) == 3 || !isNameByte(rest[3])) && strings.EqualFold(s[n.start:n.end], "secret") {
		n.end += len(" ID")
	}
	// Unseal Key 1: x.
	if n.Class == secretname.Key && n.end+2 < len(s) && s[n.end] == ' ' && isDigit(s[n.end+1]) && s[n.end+2] == ':' {
		n.end += 2
	}
}

// spoken are the words of which people write a key, with a space: an API key, a secret access key.
var spoken = wordsOf(`account access api auth cipher client connection encryption erl erlang join license master private recovery root secret session shared signing ssh storage unseal`)

func wordLength(s string) int {
	i := 0
	for i < len(s) && isLetter(s[i]) {
		i++
	}
	return i
}

// hide takes a value for a secret.
func (f *finder) hide(start, end int) {
	if start < end {
		f.found = append(f.found, Span{start, end})
	}
}
