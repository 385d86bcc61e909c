package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// operator is what stands between a name and its value.
type operator int

const (
	none operator = iota
	// equals is =, :=, =>, ==, ?=.
	equals
	// colon is a colon and a space, or one at the end of the line; glued is one directly before the value.
	colon
	glued
	// argument is a space or a comma after a flag.
	argument
	// space is one after any other name.
	space
	// element is the > of <password>, call the ( of Password("x") and of set("password", "x").
	element
	call
)

// value finds the value that belongs to a name and hides it if it is a secret. If ok, the scanner continues at next.
func (f *finder) value(n field) (next int, ok bool) {
	if next, ok := f.column(n); ok {
		return next, ok
	}
	if f.done > n.start && f.isName(n) {
		if next, ok := f.pair(n); ok {
			return next, ok
		}
	}
	op, at, quoted := f.operator(n)
	if strings.HasSuffix(f.s[:n.start], "--from-file=") {
		return 0, false
	}
	switch op {
	case none, space:
		return f.beside(n, op, at)
	case element:
		return f.element(n, at)
	case call:
		if next, ok := f.couple(n); ok {
			return next, true
		}
		return f.called(n, at)
	case equals, colon, glued, argument:
	}
	where := secretname.Assigned
	if quoted {
		where = secretname.Quoted
	}
	return f.read(n, op, at, where)
}

// beside reads a value of which no sign says that it is one.
func (f *finder) beside(n field, op operator, at int) (next int, ok bool) {
	s := f.s
	if next, ok := f.couple(n); ok {
		return next, true
	}
	if before(s, f.skipSpace(n.end)+1) == '|' && f.inColumn(n) {
		return n.end, true
	}
	if from := looseSign(s, n); from > 0 && !n.flag {
		return f.loose(n, from)
	}
	if op == none {
		return 0, false
	}
	if isTag(s, n.start) { // with attributes
		if i := strings.IndexAny(s[at:min(len(s), at+maxAround)], "<>"); i > 0 && s[at+i] == '>' && s[at+i-1] != '/' && s[at+i-1] != '=' {
			return f.element(n, at+i+1)
		}
	}
	return f.phrase(n, at)
}

// operator reads what is behind a name, also behind the quote and the bracket that close it.
func (f *finder) operator(n field) (op operator, at int, quoted bool) {
	s, at := f.s, n.end
	at = skipBackslashes(s, at)
	if at < len(s) && isQuote(s[at]) {
		at, quoted = at+1, true
	} else {
		at = n.end
	}
	if at < len(s) && s[at] == ']' && (quoted || at > n.end || strings.ContainsRune("[", before(s, n.start))) {
		at++
	}
	if bold := before(s, n.start); (bold == '*' || bold == '_') && strings.HasPrefix(s[at:], "**") { // Markdown
		at += 2
	}
	closed := at
	if at = skipType(s, at); at == closed {
		at = f.skipSpace(at)
	}
	if at >= len(s) {
		return none, at, quoted
	}
	rest := s[at:min(len(s), at+4)]
	switch {
	case strings.HasPrefix(rest, "..."): // password......... x, of HikariCP
		for at < len(s) && s[at] == '.' {
			at++
		}
		return equals, f.skipSpace(at), quoted
	case (strings.HasPrefix(rest, ",\"") || strings.HasPrefix(rest, ",<<")) && !quoted && before(s, n.start) == '{': // {password,<<"x">>} of Erlang
		return equals, f.skipSpace(at + 1), quoted
	case strings.HasPrefix(rest, "<<") && closed == at && len(rest) > 2 && isLetter(rest[2]): // NAME<<EOF
		return equals, at, quoted
	case strings.HasPrefix(rest, "!="), strings.HasPrefix(rest, "://"), strings.HasPrefix(rest, "::"):
		return none, at, quoted
	case rest[0] == '=', strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "?="), strings.HasPrefix(rest, "+="):
		for at < len(s) && strings.IndexByte("=:?+>~", s[at]) >= 0 {
			at++
		}
		return equals, f.skipSpace(at), quoted
	case strings.HasPrefix(rest, "%3D"), strings.HasPrefix(rest, "%3d"):
		return equals, at + 3, quoted
	case strings.HasPrefix(rest, "->"):
		return equals, f.skipSpace(at + 2), quoted
	case strings.HasPrefix(rest, ":** "), strings.HasPrefix(rest, ":__ "):
		return colon, f.skipSpace(at + 3), quoted
	case rest[0] == '|' && f.inTable(n.start):
		return space, f.skipSpace(at + 1), false
	case strings.HasPrefix(rest, ":-}"), strings.HasPrefix(rest, ":=}"), strings.HasPrefix(rest, ":?") && before(s, n.start) == '{': // ${DB_PASSWORD:-}, ${DB_PASSWORD:?is not set}
		return none, at, quoted
	case rest[0] == ':':
		if next := f.skipSpace(at + 1); next > at+1 || next >= len(s) || atLineEnd(s, next) || quoted {
			return colon, next, quoted
		}
		if strings.HasSuffix(s[:n.start], "://") || f.inARN(n) { // the user of a URL
			return none, at, quoted
		}
		return glued, at + 1, quoted
	case rest[0] == '>' && closed == at && !quoted && isTag(s, n.start):
		return element, at + 1, false
	case rest[0] == '(' && closed == at:
		return call, at + 1, quoted
	case rest[0] == ',' && quoted:
		if n.flag {
			return argument, f.skipSpace(at + 1), true
		}
		return call, f.skipSpace(at + 1), true
	case quoted && n.flag && atLineEnd(s, at), n.flag && !quoted && atLineEnd(s, at):
		return argument, f.nextItem(n, at), quoted
	case at > closed && n.flag:
		return argument, at, quoted
	case at > closed && !quoted:
		return space, at, false
	}
	return none, at, quoted
}

// read hides the value at s[at:]. If ok, the scanner continues at next.
func (f *finder) read(n field, op operator, at int, where secretname.Where) (next int, ok bool) {
	s := f.s
	if at >= len(s) {
		return at, true
	}
	if op == colon && atLineEnd(s, at) {
		return f.below(n, at)
	}
	at = f.skipMarks(n, at, op)
	if at+1 < len(s) && (s[at] == '\\' || s[at] == '(') && isEnd(s[at+1]) && op != colon && op != glued { // goes on in the next line
		_, at = indentation(s, skipLineEnd(s, at+1))
	}
	if at >= len(s) {
		return at, true
	}
	if op == colon && (s[at] == '|' || s[at] == '>') || op != glued && strings.HasPrefix(s[at:], "<<") {
		if next, ok := f.block(n, at); ok {
			return next, true
		}
	}
	if inner, wrapped := unwrap(s, at); wrapped {
		at = inner
	}
	if at < len(s) && s[at] == '}' { // []string{}
		return at, true
	}
	if at < len(s) && atLineEnd(s, at) {
		if op == equals {
			_, text := indentation(s, skipLineEnd(s, at))
			if inner, wrapped := unwrap(s, text); wrapped { // ["a"]=> and the value on the next line, of PHP
				if q, ok := openQuote(s, inner); ok {
					return f.quotedValue(n, q, where)
				}
			}
		}
		return f.below(n, at)
	}
	if q, ok := openQuote(s, at); ok {
		return f.quotedValue(n, q, where)
	}
	if user, ok := openQuote(s, min(len(s), at+1)); ok && s[at] == '(' { // auth=('app', 'x')
		if behind := f.skipSpace(min(len(s), f.quoteEnd(user)+len(user.mark))); behind < len(s) && s[behind] == ',' {
			if q, ok := openQuote(s, f.skipSpace(behind+1)); ok {
				return f.quotedValue(n, q, secretname.Quoted)
			}
		}
	}
	if at < len(s) && (s[at] == '[' || s[at] == '{') && !strings.HasPrefix(s[at:], "{{") {
		return f.collection(n, op, at)
	}
	return f.bare(n, op, at, where)
}

// called reads Password("x"), setPassword("x") and define('DB_PASSWORD', 'x').
func (f *finder) called(n field, at int) (next int, ok bool) {
	s := f.s
	if lead := strings.TrimRight(s[:max(0, n.start-1)], " "); !strings.HasSuffix(lead, "(") && s[at-1] != '(' {
		return 0, false // the members of a list
	}
	inner, wrapped := unwrap(s, at)
	q, isQuoted := openQuote(s, inner)
	if !isQuoted {
		if wrapped || s[at-1] == '(' && isUpperByte(s[n.start]) && f.done > 0 && n.Class == secretname.Password {
			return f.bare(n, call, inner, secretname.Sentence)
		}
		return 0, false
	}
	end := f.quoteEnd(q)
	if behind := f.skipSpace(min(len(s), end+len(q.mark))); behind < len(s) && s[behind] != ')' {
		return 0, false
	}
	if secretname.Of(s[q.start:min(end, q.start+maxName)]).Class != secretname.None {
		return 0, false // getSecret("db-password")
	}
	where := secretname.Quoted
	if n.Class == secretname.Ambiguous {
		where = secretname.Assigned
	}
	return f.quotedValue(n, q, where)
}
