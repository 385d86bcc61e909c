package secretname

import (
	"net"
	"strings"
	"unicode"
)

// isReference recognises what a text says of a token or a secret that is none itself: a word, a name of an object.
func isReference(v string) bool { return isWord(v) || isObjectName(v) || isTracked(v) }

// isTracked recognises what Argo CD calls a resource: apps/Deployment:shop/web. Each part is a name of an object or of a kind.
func isTracked(v string) bool {
	v = strings.TrimRight(v, ".,;:")
	if !strings.Contains(v, "/") {
		return false
	}
	for part := range strings.SplitSeq(v, ":") {
		group, kind, ok := strings.Cut(part, "/")
		if !ok || !isPart(group) && group != "" || !isPart(kind) {
			return false
		}
	}
	return true
}

// isPart recognises a name of an object or of a kind: a word that has a capital only where another word begins.
func isPart(v string) bool {
	if isObjectName(v + "-") {
		return true
	}
	return len(v) <= 40 && isUpper(v[0]) && isWordList(v) && !looksMixed(v)
}

// isWord recognises a word of prose: 24 letters at most, not in a mixture of cases.
func isWord(v string) bool {
	v = strings.TrimRight(v, ".:,;!?")
	if len(v) > 24 || v == "" {
		return v == ""
	}
	upper := 0
	for i, r := range v {
		switch {
		case r == '_' || r == '-' || r == '\'' || r == '’' || r == '/':
		case !unicode.IsLetter(r):
			return false
		case unicode.IsUpper(r) && i > 0:
			upper++
		}
	}
	return upper <= 3 || strings.ToUpper(v) == v
}

// Unspeakable recognises letters in an order that no language has: five consonants in a row, or four twice.
func Unspeakable(v string) bool {
	run, clusters := 0, 0
	for i := range len(v) {
		if strings.IndexByte("aeiouy", v[i]) >= 0 {
			run = 0
			continue
		}
		if run++; run == 4 {
			clusters++
		}
		if run == 5 || clusters == 2 {
			return true
		}
	}
	return false
}

// isObjectName recognises the name of a Kubernetes object, a chart's path of values, namespace/name: short words of lower case
// letters and digits, of which no one looks as if a program had made it up. A suffix such as a ReplicaSet's may.
func isObjectName(v string) bool {
	v = strings.TrimRight(v, ".:,;")
	if len(v) > 253 || strings.IndexFunc(v, func(r rune) bool { return !isObjectRune(r) }) >= 0 || !strings.ContainsAny(v, "-./") {
		return false
	}
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '.' || r == '/' }) {
		if len(part) > 10 && strings.ContainsAny(part, "0123456789") && strings.Trim(part, "0123456789") != "" {
			return false
		}
		if len(part) > 24 {
			return false
		}
	}
	return true
}

func isObjectRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '/'
}

// isWordList recognises a name: letters, digits, and what separates them.
func isWordList(v string) bool {
	return v != "" && strings.IndexFunc(v, func(r rune) bool {
		return !(unicode.IsLetter(r) || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.' || r == ':')
	}) < 0
}

// isPath recognises the path of a file.
func isPath(v string) bool {
	if strings.HasPrefix(v, "file:") || strings.HasPrefix(v, "env:") || len(v) > 2 && v[1] == ':' && v[2] == '\\' {
		return true
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(v, "~"), ".")
	if rest = strings.TrimPrefix(rest, "."); !strings.HasPrefix(rest, "/") {
		return false
	}
	// Base64 may begin with a slash too, but has no name of 40 characters in mixed case behind it.
	for part := range strings.SplitSeq(rest[1:], "/") {
		if len(part) > 40 && !strings.ContainsAny(part, "-._") {
			return false
		}
	}
	return !strings.ContainsAny(rest, "+=") && strings.Count(rest, "/") < 30 && !(len(rest) > 24 && strings.Count(rest, "/") < 3 && looksMixed(rest))
}

// looksMixed tells base64 from the words of a path: it changes between cases and digits all the time.
func looksMixed(v string) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if class(v[i]) != class(v[i-1]) {
			changes++
		}
	}
	return changes*2 > len(v)
}

func class(c byte) int {
	switch {
	case isLower(c):
		return 1
	case isUpper(c):
		return 2
	case isDigit(c):
		return 3
	}
	return 0
}

func isScheme(v string) bool {
	return len(v) <= 13 && schemes[strings.ToLower(strings.TrimRight(v, ".,:;"))]
}

// isAmount recognises a number with or without a unit: 30m, 4096, 80%.
func isAmount(v string) bool {
	digits := strings.TrimLeft(v, "0123456789.,")
	return len(digits) < len(v) && len(v)-len(digits) <= 7 && (len(digits) <= 3 && isWord(digits) || digits == "%")
}

// isCount recognises what "pass" counts: 12, 98%, 3/4, and words such as ok.
func isCount(v string) bool {
	return len(v) <= 7 && strings.Trim(v, "0123456789.%/") == "" || isVerdict(strings.ToLower(strings.TrimRight(v, ".,")))
}

func isVerdict(v string) bool {
	switch v {
	case "ok", "skip", "fail", "warn", "error", "required", "invalid", "missing", "empty":
		return true
	}
	return false
}

// isHash recognises a digest with its algorithm, which is none of sha256~… of OpenShift.
func isHash(v string) bool {
	for _, algorithm := range [...]string{"sha256:", "sha512:", "sha1:", "md5:", "SHA256:"} {
		if strings.HasPrefix(v, algorithm) {
			return true
		}
	}
	return false
}

// IsUUID recognises a UUID.
func IsUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if v[i] != '-' {
				return false
			}
		case !isDigit(v[i]) && !('a' <= v[i]|0x20 && v[i]|0x20 <= 'f'):
			return false
		}
	}
	return true
}

// looksRandom tells a value from a word in a sentence: it has a digit or a sign in it, and is not the name of an object,
// a path, a date or an address.
func looksRandom(v string) bool {
	v = strings.TrimRight(v, ".,:;)]}>")
	if len(v) < 4 || isWord(v) || isObjectName(v) || isPath(v) || strings.Contains(v, "://") || isAmount(v) || isAlgorithm(v) {
		return false
	}
	if strings.ContainsAny(v, " \t\n") {
		return false
	}
	if len(v) > 4 && isDigit(v[0]) && isDigit(v[3]) && v[4] == '-' { // a date
		return false
	}
	if i := strings.IndexByte(v, '='); i > 0 && i+1 < len(v) && v[i+1] != '=' && isWordList(v[:i]) {
		return false
	}
	return strings.ContainsAny(v, "0123456789!@#$%^&*+=~?") || looksMixed(v)
}

func isAlgorithm(v string) bool {
	lower := strings.ToLower(v)
	for _, name := range [...]string{"argon2", "bcrypt", "sha1", "sha2", "sha3", "sha5", "md5", "pbkdf2", "scram-", "base64", "rfc"} {
		if strings.HasPrefix(lower, name) {
			return true
		}
	}
	// v1, v2beta1.
	return len(v) <= 8 && (lower[0] == 'v' && isDigit(v[1]))
}

// hidesInAddress reports whether an address without a rule of its own contains a secret: a webhook's path, user/password@host.
func hidesInAddress(v string) bool {
	_, rest, isURL := strings.Cut(v, "://")
	if !isURL {
		at := strings.LastIndexByte(v, '@')
		return at > 0 && strings.ContainsAny(v[:at], ":/") && !strings.ContainsAny(v[:at], " \n") && !strings.HasPrefix(v, "git@")
	}
	_, path, _ := strings.Cut(rest, "/")
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '?' || r == '=' || r == '&' }) {
		if len(part) >= 16 && looksRandom(part) && !isHash(part) {
			return true
		}
	}
	return false
}

// isServer recognises host:port, which a sentence about a token may begin with: "bot token: 10.0.0.1:443 is not reachable".
func isServer(v string) bool {
	host, port, ok := strings.Cut(v, ":")
	return ok && port != "" && len(port) <= 5 && strings.Trim(port, "0123456789") == "" &&
		(host == "localhost" || net.ParseIP(host) != nil || strings.Contains(host, ".") && isObjectName(host))
}
