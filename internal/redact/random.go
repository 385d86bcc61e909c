package redact

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// randomRun is the shortest run of letters and digits that may be taken for a secret for its looks alone, wherever it stands: behind a
// flag that nobody listed, in a call, in prose.
var randomRun = run{bytesOf("", isAlphanumeric), 12}

// madeUp are the words of s that only a program makes, or somebody who had to invent a password. It is asked for what everything else
// leaves.
func madeUp(s string, m *effort.Meter) (found []span) {
	m.Look(passes * len(s))
	found = invented(s)
	blocks := publicBlocks(s)
	for at := 0; !m.Done(); {
		core, ok := randomRun.next(s, at)
		if !ok {
			break
		}
		at = core.end
		if !alternates(s[core.start:core.end]) {
			continue
		}
		word := randomWord(s, core, longestPublic)
		m.Look(word.end - word.start)
		isLong := word.end-word.start > longestPublic
		if isLong {
			word = randomWord(s, core, len(s))
		}
		for len(blocks) > 0 && blocks[0].end <= word.start {
			blocks = blocks[1:]
		}
		if inBlock := len(blocks) > 0 && blocks[0].start <= word.start; !inBlock && (isLong || !isPublic(s, word)) {
			found = append(found, word)
			at = word.end
		}
	}
	return settle(s, found)
}

// alternates tells letters and digits that were drawn from words in a row: what two neighbours are, small, capital or digit, differs all
// the time. Names change where a word begins; digests and names of pods have no capitals.
func alternates(v string) bool {
	changes, count, hex := 0, [3]int{}, true
	for i := range len(v) {
		c := kindOf(v[i])
		count[c]++
		hex = hex && (isHexDigit(v[i]) || i < 2) // behind two letters: the number of an account of Twilio
		if i > 0 && c != kindOf(v[i-1]) {
			changes++
		}
	}
	switch {
	case hex && count[1] < 3:
		return false
	case count[0] > 0 && count[1] > 0 && count[2] > 0:
		often := changes*20 >= len(v)*7 && (len(v) >= 14 || changes*2 >= len(v)) || changes > 3 && secretname.Unspeakable(strings.ToLower(v))
		return often && 2*ofWords(v) < len(v)
	case count[2] > 0:
		return len(v) >= 32 && changes*4 >= len(v) && !hex // one case, as in base32
	}
	return false
}

// ofWords is how much of v are words that somebody could speak, which may begin with a capital: Auth, Token and Alpha of
// OAuth2TokenV1Alpha1.
func ofWords(v string) (length int) {
	for at := 0; at < len(v); {
		end, vowels, consonants := at+1, 0, 0
		for ; end < len(v) && kindOf(v[end]) == 0 && consonants < 4; end++ {
			if strings.IndexByte("aeiouy", v[end]) >= 0 {
				vowels, consonants = vowels+1, 0
			} else {
				consonants++
			}
		}
		if end-at >= 3 && vowels > 0 && consonants < 4 && kindOf(v[at]) < 2 {
			length += end - at
		}
		at = end
	}
	return length
}

func isHexDigit(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }

func kindOf(b byte) int {
	switch {
	case 'a' <= b && b <= 'z':
		return 0
	case 'A' <= b && b <= 'Z':
		return 1
	}
	return 2
}

// longestPublic is more than a certificate in one line has. What is longer is hidden, whatever it is: each run in a word that stays has the
// whole word read once more.
const longestPublic = 4 << 10

// randomWord is the word that a random run is the core of: base64 has signs in it. It is cut where it is longer than limit before
// or behind the run.
func randomWord(s string, core span, limit int) span {
	word := core
	first, last := max(0, core.start-limit-1), min(len(s), core.end+limit+1)
	for word.start > first && isWordByte(s[word.start-1]) {
		word.start--
	}
	word.start = min(core.start, behindEscape(s, word.start))
	for word.start > first && s[word.start-1] == '/' { // in base64, or a path?
		part := word.start - 1
		for part > first && (isAlphanumeric(s[part-1]) || s[part-1] == '+') {
			part--
		}
		if !mixes(s[part : word.start-1]) {
			break
		}
		word.start = part
	}
	for word.end < last {
		switch c := s[word.end]; {
		case isWordByte(c) || c == '=':
			word.end++
		case c == '/' && word.end+1 < len(s) && isAlphanumeric(s[word.end+1]):
			word.end += 2
		case c == '%' && word.end+2 < len(s) && isHexDigit(s[word.end+1]) && isHexDigit(s[word.end+2]):
			word.end += 3
		default:
			return word
		}
	}
	return word
}

func isWordByte(b byte) bool { return isAlphanumeric(b) || b == '+' || b == '_' || b == '-' }

// behindEscape moves a start out of an escape whose last letters it took: \nX, %3DX.
func behindEscape(s string, start int) int {
	size := 0
	switch {
	case start == 0:
	case s[start-1] == '\\':
		_, size = backslash(s[start-1:])
	case s[start-1] == '%':
		_, size = percent(s[start-1:])
	}
	return start + max(0, size-1)
}

// publicSigns begin what looks drawn and is no secret: fingerprints, checksums, public keys, certificates.
var publicSigns = []string{
	"SHA256:", "sha256:", "SHA512:", "sha512:", "sha256-", "sha384-", "sha512-", "h1:", "MII", "LS0tLS1CRUdJTi",
	"AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNr", "AAAAInNr", "age1", "0x", "bafy",
	"SHA-256=", "sha-256=:", "/nix/store/", `"n":"`, `"x":"`, `"y":"`,
}

// publicLabels are the last words of the names of such values.
var publicLabels = strings.Fields(`id kid jti etag digest checksum integrity fingerprint hash sha md5 sub cursor continue revision commit version uid trace span
	ray nonce accept peer recipient verification challenge pub pubkey publickey`)

// isPublic recognises what looks drawn and is no secret: by its sign, its label, its place, or because it decodes to a text.
func isPublic(s string, word span) bool {
	start := word.start
	for start > max(0, word.start-1024) && (isBase64(rune(s[start-1])) || isWordByte(s[start-1])) {
		start--
	}
	lead := s[max(0, start-64):start]
	for _, sign := range publicSigns {
		if strings.HasPrefix(s[start:], sign) || strings.HasSuffix(lead, sign) || strings.HasPrefix(s[word.start:], sign) {
			return true
		}
	}
	lead = s[max(0, word.start-64):word.start]
	label := strings.TrimRight(lead, " \t\"':=\\/")
	if word := lastWord(strings.TrimRight(label, "-0123456789")); len(label) < len(lead) && (slices.Contains(publicLabels, word) ||
		word == "key" && containsAny(strings.ToLower(lead), "public", "websocket")) {
		return true
	}
	if !mixes(s[word.start:word.end]) && (word.start > 0 && s[word.start-1] == '.' || word.end+1 < len(s) && s[word.end] == '.' && isAlphanumeric(s[word.end+1])) {
		return true // a part of the name of a host, or of an object of Oracle's cloud
	}
	if strings.HasPrefix(s[start:], "/") && word.end+1 < len(s) && s[word.end] == '.' && isAlphanumeric(s[word.end+1]) {
		return true // the name of a file
	}
	text, ok := mostlyText(strings.TrimRight(s[word.start:word.end], "="))
	return ok && len(invented(text)) == 0
}

// publicBlocks are the certificates and public keys in s, also those that are cut.
func publicBlocks(s string) (blocks []span) {
	for at := 0; ; {
		i := strings.Index(s[at:], "-----BEGIN ")
		if i < 0 {
			return blocks
		}
		start := at + i
		at = len(s)
		if end := strings.Index(s[start:], "-----END "); end >= 0 {
			at = start + end
		}
		if !strings.Contains(s[start:min(at, start+windowAnchored)], "PRIVATE") {
			blocks = append(blocks, span{start, at})
		}
	}
}

// lastWord is the last word of a name in small letters: id of requestId and of "host id".
func lastWord(name string) string {
	end := len(name)
	at := end
	for at > 0 && isAlphanumeric(name[at-1]) && (at == end || kindOf(name[at-1]) == kindOf(name[end-1]) || kindOf(name[at]) != 1 && at > 0) {
		at--
	}
	return strings.ToLower(name[at:end])
}

// mostlyText decodes a text in base64, perhaps with bytes for the length of its parts, and not bytes that were drawn.
func mostlyText(v string) (text string, ok bool) {
	raw, err := base64.RawStdEncoding.DecodeString(v[:len(v)-len(v)%4])
	if err != nil || len(raw) < 8 {
		return "", false
	}
	shown := 0
	for _, b := range raw {
		if ' ' <= b && b <= '~' {
			shown++
		}
	}
	return string(raw), shown*10 >= len(raw)*7
}

// invented are the words with digits and a sign at their end, as people make them who must have all of these: Word12!
func invented(s string) (found []span) {
	const signs = "!?*#$%&^~"
	for at := 0; ; at++ {
		i := strings.IndexAny(s[at:], signs)
		if i < 0 {
			return found
		}
		at += i
		start := at
		for start > 0 && '0' <= s[start-1] && s[start-1] <= '9' {
			start--
		}
		digits := at - start
		for start > 0 && kindOf(s[start-1]) == 0 {
			start--
		}
		letters := at - digits - start
		isWord := start > 0 && kindOf(s[start-1]) == 1 && (start == 1 || !isAlphanumeric(s[start-2]) || behindEscape(s, start-2) > start-2) && (at+1 == len(s) || !isAlphanumeric(s[at+1]))
		if isWord && 1 < digits && digits < 5 && letters > 5 {
			found = append(found, span{start - 1, at + 1})
		}
	}
}
