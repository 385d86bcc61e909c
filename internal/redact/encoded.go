package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

const (
	// The shortest secret, with its name, has about 16 characters.
	shortestEncoded = 24
	shortestHex     = 32
	// A Secret in base64 in a values file in base64.
	deepest = 2
)

// encoded returns the runs of base64 or hexadecimal digits whose decoding is a text that contains a secret. The run goes
// as a whole.
func encoded(s string, depth int, m *effort.Meter) []span {
	if depth >= deepest {
		return nil
	}
	var found []span
	for at := 0; at < len(s) && !m.Done(); {
		digits, ok := encodings.next(s, at)
		if !ok {
			break
		}
		m.Look(2 * (digits.end - digits.start))
		start, run := digits.start, s[digits.start:digits.end]
		for at = digits.end; at < len(s) && s[at] == '='; {
			at++
		}
		text, ok := decodeText(run)
		if !ok {
			// A path or a name may precede it.
			if i := strings.LastIndexAny(run[:len(run)-shortestEncoded+1], "/-_"); i >= 0 {
				start += i + 1
				text, ok = decodeText(run[i+1:])
			}
		}
		if ok && len(search(text, depth+1, m)) > 0 {
			found = append(found, span{start, at})
		}
	}
	return found
}

// encodings are runs of digits of base64, in both alphabets.
var encodings = run{bytesOf("+/-_", isAlphanumeric), shortestEncoded}

// decodeText decodes a run if what comes out is text.
func decodeText(run string) (string, bool) {
	if len(run) >= shortestHex && isHex(run) {
		if raw, err := hex.DecodeString(run[:len(run)&^1]); err == nil && isText(raw) {
			return string(raw), true
		}
	}
	alphabet := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		alphabet = base64.RawURLEncoding
	}
	// Most runs are digests and names: the first bytes tell that they are no text.
	first, err := alphabet.DecodeString(run[:16])
	if err != nil || !isText(first) {
		return "", false
	}
	if len(run)%4 == 1 {
		run = run[:len(run)-1] // cut
	}
	raw, err := alphabet.DecodeString(run)
	if err != nil || !isText(raw) {
		return "", false
	}
	return string(raw), true
}

// isText tells text from what is not, but for a character that is cut at its end.
func isText(raw []byte) bool {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 && len(raw)-i >= utf8.UTFMax || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\x1b' || r == 0x7f {
			return false
		}
		i += size
	}
	return true
}
