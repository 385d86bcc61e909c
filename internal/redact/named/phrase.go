package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// phrase reads a word behind a name and a space: PASSWORD 'x' of SQL, requirepass x, ENV A x, password x of a .netrc, and prose.
func (f *finder) phrase(n field, at int) (next int, ok bool) {
	s := f.s
	lead := strings.ToLower(s[max(0, n.start-64):n.start])
	lead = lead[strings.LastIndexByte(lead, '\n')+1:]
	where, told := secretname.Sentence, false // told: the value itself is announced
	word := strings.TrimLeft(strings.ToLower(s[n.start:n.end]), "_")
	switch {
	case word == "requirepass", word == "masterauth", (n.Environment || strings.HasPrefix(lead, "set -") || strings.Contains(lead, " set -")) && sets(lead),
		f.isRow(n, at), word == "password" && f.netrc(n), word == "passwd" && f.netrc(n):
		where = secretname.Assigned
	case n.Class == secretname.Password && (strings.HasSuffix(lead, "(pw ") || n.start > 0 && s[n.start-1] == '(' && word == "pw"):
		where = secretname.Assigned
	}
	told = told || before(s, at-1) == '|' || at > 1 && s[at-2] == '|'
	for _, link := range [...]string{"equals ", "is set to ", "was set to ", "set to ", "is now ", "is ", "was ", "of ", "value ", "provided: ", "supplied: ", "received: ", "used: ", "invalid: ", "is invalid: ", "rejected: ", "revoked: ", "expired: "} {
		if hasPrefixFold(s[at:], link) && where == secretname.Sentence {
			at += len(link)
			told = strings.HasSuffix(link, ": ")
			break
		}
	}
	for _, link := range [...]string{"from ", "changed from ", "was changed from ", "to "} { // to what, see changedTo
		if _, quoted := openQuote(s, min(len(s), at+len(link))); quoted && hasPrefixFold(s[at:], link) {
			at += len(link)
			break
		}
	}
	if hasPrefixFold(s[at:], "for ") && word == "password" { // SET PASSWORD FOR 'app'@'%' = 'x'
		line := s[at : at+lineLength(s[at:])]
		if i := strings.Index(line, " = "); i > 0 && i < 96 && strings.HasSuffix(lead, "set ") {
			at, where = at+i+3, secretname.Assigned
		}
	}
	if inner, wrapped := unwrap(s, at); wrapped {
		at = inner
		where = secretname.Assigned
	}
	if q, isQuoted := openQuote(s, at); isQuoted {
		if where == secretname.Sentence && n.Class == secretname.Password && f.isStatement(n, lead, q) {
			where = secretname.Assigned
		}
		if text := s[q.start:f.quoteEnd(q)]; n.Class == secretname.Ambiguous && where == secretname.Sentence && !strings.Contains(word, "_") && !secretname.Made(text) {
			return 0, false // secret "x" not found
		}
		return f.quotedValue(n, q, where)
	}
	end := trimEnd(s, at, f.wordEnd(at))
	if value := s[at:max(at, end)]; where == secretname.Sentence && !takesWord(n, word) && !told && !isLongHex(value) &&
		!(strings.Contains(word, "_") && secretname.IsUUID(value)) {
		return 0, false
	}
	if end <= at || end-at > maxValue {
		return 0, false
	}
	value := s[at:end]
	if where == secretname.Assigned {
		if secretname.IsMessage(value) || isProseOfFlags(value) || !f.hides(n, value, where) {
			return 0, false
		}
		f.hide(at, end)
		return end, true
	}
	if isColumnType(value) {
		return 0, false
	}
	if end < len(s) && s[end] == ':' && len(value) < 12 || len(value) < 6 || strings.IndexByte(`([{<|-`, value[0]) >= 0 {
		return 0, false
	}
	named := strings.HasSuffix(lead, "with ") || strings.HasSuffix(lead, "with the ")
	if f.hides(n, value, where) || named && strings.ContainsAny(value, "0123456789") && f.hides(n, value, secretname.Assigned) && value[0] != '/' && !strings.ContainsAny(value, "=:") {
		f.hide(at, end)
		return end, true
	}
	return 0, false
}

// takesWord reports whether a word behind the name may be its value: "API key x is invalid". A token and a secret are followed
// by their names, and an RSA key by its fingerprint.
func takesWord(n field, word string) bool {
	switch n.Class {
	case secretname.Password:
		return true
	case secretname.Key:
		for _, owner := range [...]string{"api", "secret", "license", "encryption", "signing", "master", "account"} {
			if strings.Contains(word, owner) {
				return true
			}
		}
	case secretname.Ambiguous:
		return strings.HasSuffix(word, "secret_key") || strings.HasSuffix(word, "secretkey")
	case secretname.None, secretname.Address, secretname.Code:
	}
	return false
}

// sets recognises what is before the name of a variable that is given a value with a space: ENV and ARG of a Dockerfile, setenv.
func sets(lead string) bool {
	for _, word := range [...]string{"env ", "arg ", "setenv ", "set -x ", "set -gx ", "export "} {
		if strings.HasSuffix(lead, word) {
			return true
		}
	}
	return false
}

// netrc recognises "login x password y" and "machine x password y", also on lines of their own.
func (f *finder) netrc(n field) bool {
	lead := strings.Fields(f.s[max(0, n.start-maxAround):n.start])
	at := func(i int) string {
		if i > len(lead) {
			return ""
		}
		return lead[len(lead)-i]
	}
	if at(1) == "|" || at(1) == "or" || at(1) == "and" { // the user or password that the server takes
		return false
	}
	return at(2) == "login" || at(2) == "machine" || at(2) == "user" || at(2) == "account" && at(4) == "login"
}

// isStatement recognises SQL, where a quoted text after PASSWORD is one, and a quoted passphrase.
func (f *finder) isStatement(n field, lead string, q quote) bool {
	name := f.s[n.start:n.end]
	if strings.Contains(strings.ToLower(name), "phrase") || name == "PASSWORD" {
		return true
	}
	for _, word := range [...]string{"with ", "encrypted ", "set ", "unencrypted ", "valid ", "using "} {
		if strings.HasSuffix(lead, word) && strings.HasSuffix(q.mark, "'") {
			return true
		}
	}
	return false
}

// identified hides the text of IDENTIFIED BY 'x', IDENTIFIED WITH plugin BY 'x' and AS 'x'. Alembic names a migration with the same
// words: can't locate revision identified by 'x'.
func (f *finder) identified(at, end int) {
	s := f.s
	if lead := strings.ToLower(s[max(0, at-10):at]); strings.HasSuffix(lead, "revision ") {
		return
	}
	rest := s[end:min(len(s), end+96)]
	for _, by := range [...]string{" by ", " BY ", " as ", " AS "} {
		i := strings.Index(rest, by)
		if i < 0 || i > 64 || strings.ContainsAny(rest[:i], "\n;.") {
			continue
		}
		from := f.skipSpace(end + i + len(by))
		n := field{Kind: secretname.Of("password"), start: at, end: end}
		for _, word := range [...]string{"password ", "values ", "PASSWORD ", "VALUES "} {
			if strings.HasPrefix(s[from:], word) {
				from += len(word)
			}
		}
		if q, ok := openQuote(s, from); ok {
			f.quotedValue(n, q, secretname.Assigned)
		} else if stop := trimEnd(s, from, f.wordEnd(from)); stop > from && by[1] == 'B' {
			if !secretname.IsMessage(s[from:stop]) && f.hides(n, s[from:stop], secretname.Assigned) {
				f.hide(from, stop)
			}
		}
		return
	}
}

// isLongHex recognises 128 bits or more in hexadecimal digits: no object has such a name.
func isLongHex(v string) bool { return len(v) >= 32 && strings.Trim(v, "0123456789abcdef") == "" }

// isColumnType recognises what SQL has behind the name of a column: varchar(255), decimal(10,2).
func isColumnType(v string) bool {
	name, size, ok := strings.Cut(strings.TrimRight(v, ",;"), "(")
	return ok && strings.IndexFunc(name, func(r rune) bool { return r > 0x7f || !isLetter(byte(r)) && r != '_' }) < 0 &&
		strings.Trim(strings.TrimSuffix(size, ")"), "0123456789,") == ""
}

// isRow recognises a name and one word on a line, with several spaces between them: what Vault and Consul print as a table.
func (f *finder) isRow(n field, at int) bool {
	s := f.s
	if at-n.end < 2 || n.start > 0 && s[n.start-1] != '\n' {
		return false
	}
	rest := strings.TrimRight(s[at:at+lineLength(s[at:])], " \r")
	return rest != "" && !strings.ContainsAny(rest, " \t")
}
