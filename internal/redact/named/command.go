package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// command reads the command line of a program at s[at:end].
func (f *finder) command(at, end int) {
	s := f.s
	name := s[at:end]
	if place := placeInCall(name); place > 0 && end < len(s) && s[end] == '(' && (at == 0 || s[at-1] == '.' || !isNameByte(s[at-1])) {
		f.arguments(end+1, place)
		return
	}
	if at > 0 && (isNameByte(s[at-1]) && !escapedBefore(s, at)) {
		return
	}
	switch {
	case name == "AUTH ":
		f.redisAuth(at, end)
		return
	case end < len(s) && (isNameByte(s[end]) || s[end] == '/' || s[end] == ':' && !strings.HasPrefix(s[end:], ": -")): // in a path: golang.org/x/exp/slog
		return
	case strings.EqualFold(name, "identified"):
		f.identified(at, end)
		return
	}
	list := programs[strings.ToLower(name)]
	if list == nil {
		return
	}
	line := f.commandWords(end)
	for i := range list {
		if at, ok := list[i].follows(s, line); ok {
			f.commandLine(&list[i], name, line[at+1:])
		}
	}
}

// escapedBefore reports whether the letter before s[at] is that of an escaped line end.
func escapedBefore(s string, at int) bool {
	return at > 1 && s[at-2] == '\\' && (s[at-1] == 'n' || s[at-1] == 't')
}

// commandWords are the words of a command line, without their quotes, up to its end. It may be a list: ["mysql", "-p", "x"].
func (f *finder) commandWords(at int) []Span {
	if at < len(f.s) && isQuote(f.s[at]) {
		at++
	}
	return f.words(at)
}

// words are the words from s[at] on, up to the end of the command line or of the list.
func (f *finder) words(at int) []Span {
	s := f.s
	f.look(commandSteps)
	limit := min(len(s), at+4*maxValue)
	var out []Span
	for at < limit && len(out) < 64 {
		switch c := s[at]; {
		case isSpace(c) || c == ',':
			at++
			continue
		case c == '\\' && at+1 < limit && s[at+1] == '\n': // goes on in the next line
			at += 2
			continue
		case c == ']' && argsBehind(s, at) > at:
			at = argsBehind(s, at)
			continue
		case isEnd(c) && itemBelow(s, at) > at:
			at = itemBelow(s, at)
			continue
		case isEnd(c) || c == ';' || c == '|' || c == '&' || c == ')' || c == ']' || c == '`' || c == '>':
			return out
		case c == '\\' && escapedEnd(s, at) > at:
			return out
		}
		if q, ok := openQuote(s, at); ok {
			end := f.quoteEnd(q)
			out = append(out, Span{q.start, end})
			at = min(len(s), end+len(q.mark))
			continue
		}
		end := at
		for end < limit && strings.IndexByte(" \t\n\r|\"'`", s[end]) < 0 && !((s[end] == ';' || s[end] == ',') && endsValue(s, end+1)) && !atLineEnd(s, end) {
			end = max(end+1, min(limit, skipBackslashes(s, end)))
		}
		if end < limit && end > at && isQuote(s[end]) && s[end] != '`' && (strings.IndexByte("=/:", s[end-1]) >= 0 || s[at] == '-') { // --a="b c", -p'x', sys/"x"@db
			if q, ok := openQuote(s, end); ok {
				stop := f.quoteEnd(q)
				out = append(out, Span{at, stop})
				at = min(len(s), stop+len(q.mark))
				continue
			}
		}
		out = append(out, Span{at, end})
		at = max(end, at+1)
	}
	return out
}

// mostGiven is how many secrets one command is given at most; those of the next one, on the same line, are read for themselves.
const mostGiven = 8

// commandLine hides what the program takes for a secret.
func (f *finder) commandLine(p *program, name string, line []Span) {
	s := f.s
	password := secretname.Of("password")
	arguments, skipped := 0, 0
	for i, given := 0, 0; i < len(line) && given < mostGiven; i++ {
		word := s[line[i].Start:line[i].End]
		if p.literals {
			f.literal(line, i)
			continue
		}
		if eq := strings.IndexByte(word, '='); p.assigned && eq > 0 && word[0] != '-' {
			f.argument(password, taker{}, Span{line[i].Start + eq + 1, line[i].End})
			continue
		}
		isFlag := len(word) > 1 && word[0] == '-'
		if taken := f.flag(p, line, i); isFlag || taken > 0 {
			if name == "htpasswd" && strings.Contains(word, "n") { // to the output, so no file is named
				skipped = 1
			}
			i += max(0, taken-1)
			given += min(taken, 1)
			continue
		}
		arguments++
		for _, t := range p.takers {
			if t.place > 0 && t.place == arguments+skipped {
				f.argument(password, t, line[i])
			}
		}
		if k := secretname.Of(word[strings.LastIndexByte(word, ':')+1:]); p.named && k.Class != secretname.None && i+1 < len(line) {
			i++
			given++
			f.argument(k, taker{}, line[i])
		}
	}
}

// flag hides the secret of the flag at line[i], and returns how many words these are: 0 if it takes none.
func (f *finder) flag(p *program, line []Span, i int) (words int) {
	s := f.s
	word := s[line[i].Start:line[i].End]
	password := secretname.Of("password")
	for _, t := range p.takers {
		if t.flag == "" || !strings.HasPrefix(word, t.flag) {
			continue
		}
		start := line[i].Start + len(t.flag)
		switch {
		case word == t.flag && t.next && i+1 < len(line):
			if s[line[i+1].Start:line[i+1].End] == "<<<" { // given as the input
				return 1
			}
			f.argument(password, t, line[i+1])
			return 2
		case word == t.flag:
		case s[start] == '=' || s[start] == ':' && t.flag[0] == '/':
			f.argument(password, t, Span{start + 1, line[i].End})
			return 1
		case t.attached:
			if isQuote(s[start]) {
				start++
			}
			f.argument(password, t, Span{start, line[i].End})
			return 1
		}
	}
	return 0
}

// argument hides one word of a command line, or the part of it behind a sign.
func (f *finder) argument(k secretname.Kind, t taker, word Span) {
	s := f.s
	if t.sign != "" {
		i := strings.Index(s[word.Start:word.End], t.sign)
		if i < 0 || strings.HasPrefix(s[word.Start+i:word.End], "://") {
			return
		}
		word.Start += i + 1
		if word.Start < word.End && isQuote(s[word.Start]) {
			word.Start++
		}
	}
	for _, source := range [...]string{"pass:", "file:", "env:", "fd:"} { // of openssl
		if strings.HasPrefix(s[word.Start:word.End], source) {
			if source != "pass:" {
				return
			}
			word.Start += len(source)
		}
	}
	value := s[word.Start:word.End]
	if value == "" || t.made && !secretname.Made(value) || t.bare && (strings.Contains(value, "=") && !strings.HasSuffix(value, "=") || strings.IndexByte(`/\\`, value[0]) >= 0) {
		return
	}
	if strings.HasPrefix(value, "-") || isProseOfFlags(value) || secretname.IsMessage(value) || !f.hides(field{Kind: k}, value, secretname.Assigned) {
		return
	}
	for end := word.End - 1; end > word.Start && s[end] == ')' && !strings.Contains(value, "("); end-- { // of the sentence
		word.End = end
	}
	f.hide(word.Start, word.End)
}

// literal hides the value of --from-literal=a=b, whatever a is: the command makes a Secret.
func (f *finder) literal(line []Span, i int) {
	s := f.s
	if i == 0 && s[line[0].Start:line[0].End] != "secret" && !(len(line) > 1 && s[line[1].Start:line[1].End] == "secret") {
		return
	}
	isSecret := false
	for _, w := range line[:min(len(line), 6)] {
		isSecret = isSecret || s[w.Start:w.End] == "secret"
	}
	word := s[line[i].Start:line[i].End]
	start := line[i].Start
	if rest, ok := strings.CutPrefix(word, "--from-literal="); ok {
		start += len(word) - len(rest)
	} else if i == 0 || s[line[i-1].Start:line[i-1].End] != "--from-literal" {
		return
	}
	eq := strings.IndexByte(s[start:line[i].End], '=')
	if !isSecret || eq < 0 {
		return
	}
	start += eq + 1
	if start < line[i].End && isQuote(s[start]) {
		start++
	}
	if value := s[start:line[i].End]; !secretname.Placeholder(value) && !strings.HasPrefix(value, "<") {
		f.hide(start, line[i].End)
	}
}

// redisAuth hides the words of AUTH x and AUTH user x, where Redis or a mail server is talked to.
func (f *finder) redisAuth(at, end int) {
	s := f.s
	if at > 0 && !isSpace(s[at-1]) && !isQuote(s[at-1]) && s[at-1] != '\n' && s[at-1] != '>' {
		return
	}
	line := f.commandWords(end)
	n := field{Kind: secretname.Of("auth_token")}
	for i, word := range line[:min(2, len(line))] {
		value := s[word.Start:word.End]
		where := secretname.Sentence
		if len(line) <= 2 && i == len(line)-1 {
			where = secretname.Assigned
		}
		if f.hides(n, value, where) && !secretname.IsMessage(value) && (where == secretname.Assigned || len(value) >= 8) {
			f.hide(word.Start, word.End)
		}
	}
}
