package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine folds white space: one space between words, no line breaks.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ended is a text that has its end: a question, an exclamation, the mark of a cut, or the name of an emoji as people write it in
// Slack. The colon of "main.go:12:" and the question mark of "in main chunk [G]: ?", which tools leave there, end no sentence.
var ended = regexp.MustCompile(`\S[!?]$|…$|(?:^|[^\w.]):[a-z+-][a-z0-9_+-]*:$`)

// Sentence makes one line of a clause and ends it with one full stop, unless it already has an end.
func Sentence(s string) string {
	s = OneLine(s)
	if hasEnd(s) {
		return s
	}
	if s = strings.TrimRight(s, ".:; "); s == "" || hasEnd(s) {
		return s
	}
	return s + "."
}

// hasEnd asks the expression only about a text whose last letter can be such an end.
func hasEnd(s string) bool {
	return (strings.HasSuffix(s, "…") || s != "" && strings.IndexByte("!?:", s[len(s)-1]) >= 0) && ended.MatchString(s)
}

// Paragraph joins sentences with a space between them and leaves out those that are empty.
func Paragraph(sentences ...string) string {
	var b strings.Builder
	for _, s := range sentences {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// UpperFirst is a clause as it begins a sentence. A host or file name keeps its case: "argocd.example.com", "values.yaml".
func UpperFirst(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.ContainsAny(strings.TrimRight(first, ".,:;"), ".") {
		return s
	}
	return mapFirst(s, unicode.ToUpper)
}

// LowerFirst is the begin of a sentence as it continues another one.
func LowerFirst(s string) string { return mapFirst(s, unicode.ToLower) }

func mapFirst(s string, change func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(s)
	if first == utf8.RuneError {
		return s
	}
	return string(change(first)) + s[size:]
}
