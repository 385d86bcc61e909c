package secretname

import "strings"

// Made reports whether a word can only have been made up by a program, or by somebody who had to invent a password: its cases and
// digits alternate, or signs are among its letters. Names of objects, types, versions, digests and addresses do not look like that.
func Made(v string) bool {
	if len(v) < 8 || len(v) > 256 || !looksRandom(v) || isServer(v) || IsUUID(v) || isHash(v) || strings.Contains(v, "//") || Placeholder(v) || isCode(v) {
		return false
	}
	small, capital, digits, signs, changes := false, false, 0, false, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isLower(c):
			small = true
		case isUpper(c):
			capital = true
		case isDigit(c):
			if i == 0 || !isDigit(v[i-1]) {
				digits++
			}
		case strings.IndexByte("!#$^&*~%+?@=", c) >= 0:
			signs = true
		case c != '_' && c != '-' && c != '.' && c != '/':
			return false
		}
		if i > 0 && class(v[i]) != class(v[i-1]) && class(v[i]) != 0 && class(v[i-1]) != 0 {
			changes++
		}
	}
	if strings.ContainsAny(v, "./") && !signs && changes*2 <= len(v) {
		return false
	}
	padded := strings.HasSuffix(v, "=") && len(v)%4 == 0 && len(v) >= 20 // base64, in which a digit need not be
	return small && capital && (padded || digits > 0 && (digits > 1 || changes*2 > len(v))) || signs && digits > 0 && (small || capital)
}

// isCode recognises what programs and changelogs write that is no word either: *v1.Secret and 2*time.Hour of Go, a set of characters,
// the name of an account or of a vulnerability.
func isCode(v string) bool {
	if strings.HasPrefix(v, "GHSA-") || strings.HasPrefix(v, "CVE-") || strings.Contains(v, "a-z") || v[0] == '@' && isWordList(v[1:]) {
		return true
	}
	pack, name, ok := strings.Cut(strings.TrimLeft(v, "-0123456789*&[]"), ".")
	return ok && pack != "" && isLower(pack[0]) && name != "" && isUpper(name[0]) && isWordList(pack) && isWordList(name) && !strings.Contains(name, ".")
}
