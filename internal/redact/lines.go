package redact

import (
	"regexp"
	"strings"
	"sync"
)

// linePatterns find what no keyword tells: bodies of private keys whose BEGIN or END is cut off.
type linePatterns struct {
	marker, prefix, fold *regexp.Regexp
}

var linesOf = sync.OnceValue(func() linePatterns {
	return linePatterns{
		marker: regexp.MustCompile(`-----(BEGIN|END)([ A-Z0-9_-]{0,60}?)-----`),
		prefix: regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?[ \t]+(?:std(?:out|err) [FP] )?)?[ \t+>|"'-]*`),
		fold:   regexp.MustCompile(`\\+[nr]|[\r\n]`),
	}
})

// prefix is what a log or a diff puts in front of a line.
func prefix(line string) string {
	if line == "" || !prefixes.has(line[0]) {
		return "" // like most lines
	}
	return linesOf().prefix.FindString(line)
}

// prefixes are the bytes that begin one.
var prefixes = bytesOf(" \t+>|\"'-", func(b byte) bool { return '0' <= b && b <= '9' })

// A body of a key has lines of 64 or 70 characters; a line alone must have as many to be taken for one, beside a marker
// a shorter one is enough.
const (
	keyLine  = 60
	keyShort = 16
)

// lineSecrets appends the secrets that only their lines tell.
func lineSecrets(s string, found []span) []span {
	found = cutKeys(s, found)
	public := false // within a certificate
	for at := 0; at < len(s); {
		line := lineAround(s, at)
		at = line.end + 1
		text := s[line.start:line.end]
		switch {
		case strings.Contains(text, "-----"):
			public = strings.Contains(text, "-----BEGIN") && !strings.Contains(text, "PRIVATE KEY")
		case endsLikeKey(text):
			if run := wholeLine(s, line); !public && isKeyLine(s[run.start:run.end]) {
				found = append(found, run)
			}
		default:
			public = false
		}
	}
	return found
}

// endsLikeKey is a cheap test: most lines fail it at their last word.
func endsLikeKey(text string) bool {
	text = strings.TrimRight(text, " \t\r\"',")
	return len(text) >= keyLine && strings.LastIndexFunc(text, func(r rune) bool { return !isBase64(r) }) < len(text)-keyLine
}

func isBase64(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '/' || r == '='
}

// isRun tells characters of base64, padded at the end only.
func isRun(s string) bool {
	s = strings.TrimRight(s, "=")
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r == '=' || !isBase64(r) }) < 0
}

// isKeyLine tells a line of a key from a digest, a path and a long word. The base64 of a certificate is none either.
func isKeyLine(run string) bool {
	if len(run) < keyLine || !isRun(run) || strings.HasPrefix(run, "LS0tLS1CRUdJTiBDRVJUSUZJQ0FUR") {
		return false
	}
	upper, low, digit := 0, 0, 0
	for _, r := range run {
		switch {
		case 'A' <= r && r <= 'Z':
			upper++
		case 'a' <= r && r <= 'z':
			low++
		case '0' <= r && r <= '9':
			digit++
		}
	}
	return upper > 4 && low > 4 && digit > 1 && !isHex(run)
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// wholeLine is a line without what a log or a diff puts around it.
func wholeLine(s string, line span) span {
	text := strings.TrimRight(s[line.start:line.end], " \t\r\"',")
	return span{line.start + len(prefix(text)), line.start + len(text)}
}

// cutKeys appends what there is of a private key between BEGIN and the end of the text, or its start and END. A key with
// both is found by a rule.
func cutKeys(s string, found []span) []span {
	if !strings.Contains(s, "PRIVATE KEY") {
		return found
	}
	p := linesOf()
	markers := p.marker.FindAllStringSubmatchIndex(s, -1)
	for i, m := range markers {
		if !strings.Contains(s[m[4]:m[5]], "PRIVATE KEY") {
			continue
		}
		if s[m[2]:m[3]] == "BEGIN" {
			end := len(s)
			if i+1 < len(markers) {
				end = markers[i+1][0]
			}
			found = keyLines(s, foldedLines(s, span{m[1], min(end, m[1]+windowLines)}), found)
			continue
		}
		start := 0
		if i > 0 {
			start = markers[i-1][1]
		}
		lines := foldedLines(s, span{max(start, m[0]-windowLines), m[0]})
		for a, b := 0, len(lines)-1; a < b; a, b = a+1, b-1 {
			lines[a], lines[b] = lines[b], lines[a]
		}
		found = keyLines(s, lines, found)
	}
	return found
}

// foldedLines are the lines of a part of s, whose ends may be escaped.
func foldedLines(s string, part span) []span {
	var lines []span
	at := part.start
	for _, m := range linesOf().fold.FindAllStringIndex(s[part.start:part.end], -1) {
		lines = append(lines, span{at, part.start + m[0]})
		at = part.start + m[1]
	}
	return append(lines, span{at, part.end})
}

// keyLines appends the lines next to a marker that belong to its key.
func keyLines(s string, lines []span, found []span) []span {
	for i, line := range lines {
		run := wholeLine(s, line)
		text := s[run.start:run.end]
		switch {
		case strings.Trim(text, "\\ ") == "":
			continue
		case strings.HasPrefix(text, "Proc-Type:"), strings.HasPrefix(text, "DEK-Info:"), strings.HasPrefix(text, "Comment:"):
			continue
		case isRun(text) && (len(text) >= keyShort || line.end == len(s) || i <= 1 && strings.ContainsAny(text, "0123456789+/=")):
			found = append(found, run)
			continue
		}
		// A log may put more in front of each line.
		if at := strings.LastIndexAny(text, " \t:\"|") + 1; at > 0 && len(text)-at >= keyShort && isRun(text[at:]) && !isHex(text[at:]) {
			found = append(found, span{run.start + at, run.end})
			continue
		}
		// The last line of a body may be short.
		if n := len(found); !isRun(text) || n == 0 || i == 0 || found[n-1].end > lines[i-1].end || found[n-1].start < lines[i-1].start || !strings.ContainsAny(text, "0123456789+/=") {
			return found
		}
		return append(found, run)
	}
	return found
}
