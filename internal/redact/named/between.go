package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// types are what a declaration says of a value between its name and the value.
var types = wordsOf(`string str text varchar char securestring nsstring const char* &str &'static stringdata sensitive secret secretstr any object
	std::string option<string> option<str> string? system.string xsd:string protected private public`)

// skipType passes over the type of a declaration behind a name: password string = "x", password: String = "x", password (string): x,
// ["password":protected]=> of PHP. It is at if there is none.
func skipType(s string, at int) int {
	if at >= len(s) {
		return at
	}
	i := at
	for i < len(s) && (isSpace(s[i]) || strings.IndexByte(":([<", s[i]) >= 0) && i < at+4 {
		i++
	}
	if i < len(s) && s[i] == '"' { // the class: ["password":"Config":private]
		if end := strings.IndexByte(s[i+1:min(len(s), i+96)], '"'); end > 0 && strings.HasPrefix(s[i+1+end:], `":`) {
			i += end + 3
		}
	}
	if i > at && s[i-1] == '(' { // what is said of it: password (8 characters): x
		if end := strings.IndexByte(s[i:min(len(s), i+24)], ')'); end > 0 && i+end+1 < len(s) && (s[i+end+1] == ':' || s[i+end+1] == '=') {
			return i + end + 1
		}
	}
	if s[at] == '[' { // an element: passwords[app] = x
		if end := strings.IndexByte(s[at:min(len(s), at+32)], ']'); end > 1 && isName(s[at+1:at+end]) {
			if next := skipBlank(s, at+end+1); next < len(s) && (s[next] == '=' || s[next] == ':' && next == at+end+1) {
				return next
			}
		}
	}
	end := i
	for end < min(len(s), i+24) && strings.IndexByte(" \t\r\n=)]:\",;", s[end]) < 0 {
		end++
	}
	if end == i || i == at || !types[strings.ToLower(strings.TrimRight(s[i:end], ">"))] {
		return at
	}
	for end < len(s) && strings.IndexByte(")]> ", s[end]) >= 0 && end < i+32 {
		end++
	}
	if end < len(s) && (s[end] == '=' || s[end] == ':' && s[end-1] == ')') {
		return end
	}
	return at
}

// loose reads a value behind a sign that is rarely one between a name and a value: password::x, password~x, password — x. It must look
// like a value.
func (f *finder) loose(n field, at int) (next int, ok bool) {
	s := f.s
	if q, isQuoted := openQuote(s, at); isQuoted {
		at = q.start
	}
	end := trimEnd(s, at, f.wordEnd(at))
	if sign := strings.IndexAny(s[at:end], "^~|"); sign > 0 {
		end = at + sign
	}
	value := s[at:end]
	if len(value) < 8 || len(value) > maxValue || strings.ContainsAny(value, "()<>{}\"'") || strings.Contains(value, "::") || secretname.IsMessage(value) || !f.hides(n, value, secretname.Sentence) {
		return 0, false
	}
	f.hide(at, end)
	return end, true
}

// looseSigns are the signs of [finder.loose], with what must follow.
var looseSigns = []string{"::", "~", "^", "—", "–", " - ", " . ", " ____ ", "→", "⇒", "»", "•"}

// looseSign is behind such a sign that follows a name; 0 if there is none.
func looseSign(s string, n field) int {
	at := n.end
	from := at
	if strings.HasPrefix(s[at:], ",") { // a line of two cells
		if _, _, starts := lineStart(s, n.start); starts && !strings.ContainsAny(s[at+1:at+1+lineLength(s[at+1:])], ", ") {
			return at + 1
		}
	}
	for at < len(s) && isSpace(s[at]) {
		at++
	}
	for _, sign := range looseSigns {
		if sign[0] == ' ' && at > from && strings.HasPrefix(s[at-1:], sign) {
			return at - 1 + len(sign)
		}
		if strings.HasPrefix(s[at:], sign) {
			at += len(sign)
			for at < len(s) && isSpace(s[at]) {
				at++
			}
			return at
		}
	}
	return 0
}

// couple reads a value beside its name in brackets, with nothing else: [password, x] of YAML, {password x} of Go.
func (f *finder) couple(n field) (next int, ok bool) {
	s := f.s
	if strings.Contains(s[n.start:n.end], ".") { // a member of a package
		return 0, false
	}
	open := n.start - 1
	if open > 0 && isQuote(s[open]) {
		open--
	}
	if open < 0 || s[open] != '[' && s[open] != '{' && s[open] != '(' {
		return 0, false
	}
	at := n.end
	for at < len(s) && (isQuote(s[at]) || isSpace(s[at]) || s[at] == ',') {
		at++
	}
	if at == n.end {
		return 0, false
	}
	limit := s[at:min(len(s), at+maxValue)]
	length := strings.IndexByte(limit, closingOf(s[open]))
	if s[open] == '{' {
		length = strings.IndexByte(limit, '}')
	}
	if length <= 0 {
		return 0, false
	}
	end := at + length
	for end > at && (isQuote(s[end-1]) || isSpace(s[end-1])) {
		end--
	}
	if value := s[at:end]; value == "" || strings.ContainsAny(value, " \t\n,=()\"'") || secretname.Of(value).Class != secretname.None || !f.hides(n, value, secretname.Sentence) {
		return 0, false
	}
	f.hide(at, end)
	return end, true
}

func skipBlank(s string, at int) int {
	for at < len(s) && isSpace(s[at]) {
		at++
	}
	return at
}
