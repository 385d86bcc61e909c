package drift

import (
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// MadeUp reports whether the two values look as if a program had made them up.
func (f *Field) MadeUp() bool { return f.madeUp || MadeUp(f.Desired, f.Live) }

// IsIssued reports whether the live value is one that programs issue and renew.
func (f *Field) IsIssued() bool { return f.issued || IsIssued(f.Live) }

// lookBehind notes what can no longer be seen of values that are redacted. original are the states as they were: Git, live, and what
// Argo CD made of both.
func (f *Field) lookBehind(original []finder) {
	if original == nil {
		return
	}
	var values []any
	for i := range original {
		v, _ := original[i].find(f.Path)
		values = append(values, v)
	}
	f.madeUp = MadeUp(values[0], values[1]) || MadeUp(values[3], values[2])
	f.issued = IsIssued(values[1])
}

// MadeUp reports whether two values look as if a program had made them up, new each time: passwords and tokens of one
// length with nothing in common, keys and certificates, UUIDs, two times.
func MadeUp(a, b any) bool {
	x, y, ok := texts(a, b)
	if _, number := a.(float64); number {
		x, y, ok = Show(a), Show(b), true
	}
	switch {
	case !ok:
		return false
	case x == y:
		return false
	case isPEM(x) && isPEM(y):
		return true
	case isTime(x) && isTime(y), uuid.MatchString(x) && uuid.MatchString(y):
		return true
	}
	return len(x) == len(y) && len(x) >= 8 && token.MatchString(x) && token.MatchString(y) && !oneLetterCase(x) && alike(x, y) < len(x)/3
}

// IsIssued reports whether a value is one that programs issue and renew: a key, a certificate, a moment, an identifier, or a long token.
func IsIssued(v any) bool {
	s, ok := v.(string)
	return ok && (strings.Contains(s, "-----BEGIN ") || isPEM(s) || isTime(s) || uuid.MatchString(s) || len(s) >= 32 && token.MatchString(s))
}

// isPEM: a key or certificate, as it is or in base64.
func isPEM(s string) bool {
	return strings.HasPrefix(s, "-----BEGIN ") || strings.HasPrefix(s, "LS0tLS1CRUdJTi")
}

var uuid = pattern.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

var token = pattern.MustCompile(`^[A-Za-z0-9+/_=-]+$`)

// oneLetterCase: digits and letters of one case only may be a hash of something that did change, a commit for example.
func oneLetterCase(s string) bool { return s == strings.ToLower(s) || s == strings.ToUpper(s) }

// alike counts the places where two texts of one length have the same character.
func alike(x, y string) int {
	n := 0
	for i := range len(x) {
		if x[i] == y[i] {
			n++
		}
	}
	return n
}

// IsTime reports whether a value is a moment.
func IsTime(v any) bool { return isTime(Show(v)) }

// isTime: a moment as RFC 3339 or in seconds since 1970, between 2015 and 2065.
func isTime(s string) bool {
	if _, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n > 1_600_000_000 && n < 2_100_000_000 && n%1024 != 0 // 1.5 GiB in bytes is no moment
}

// generated is what the API server puts behind a metadata.generateName: five characters out of those that make no words.
var generated = pattern.MustCompile(`^(.+-)[bcdfghjklmnpqrstvwxz2456789]{5}$`)

// GeneratedFrom is the part in front of what the API server generated of a name; empty where none of it looks like that. A digit or a rare letter is
// required, so that an abbreviation of five consonants is none.
func GeneratedFrom(name string) string {
	m := generated.FindStringSubmatch(name)
	if m == nil || !strings.ContainsAny(name[len(m[1]):], "2456789") && !strings.ContainsAny(name[len(m[1]):], "jqvwxz") {
		return ""
	}
	return m[1]
}
