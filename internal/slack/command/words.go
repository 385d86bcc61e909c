package command

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/pageurl"
)

// maxWords is more than any command has. What comes after is prose.
const maxWords = 60

// marked is what Slack writes in angle brackets: <@U1>, <@U1|dana>, <#C1|deploys>, <!here>, <http://a.b|a.b>.
// https://docs.slack.dev/messaging/formatting-message-text
var marked = regexp.MustCompile(`<([^<>|]*)(?:\|([^<>]*))?>`)

// escapes are the only three that Slack makes.
var escapes = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// words are what the person typed, without what Slack and keyboards made of it.
func words(text string) []string {
	text = marked.ReplaceAllStringFunc(text, func(s string) string {
		m := marked.FindStringSubmatch(s)
		return " " + spoken(m[1], m[2]) + " "
	})
	// Invisible characters come along when a name is copied from a web page.
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == ',', r == ';':
			return ' '
		case invisible.Is(r), unicode.IsControl(r):
			return -1
		case unicode.Is(unicode.Dash, r):
			return '-' // a phone makes a dash of --
		}
		return r
	}, escapes.Replace(text))
	var out []string
	for _, word := range strings.Fields(text) {
		if word = bare(word); word != "" && len(out) < maxWords {
			out = append(out, word)
		}
	}
	if len(out) > 1 { // why my-app ?
		out = slices.DeleteFunc(out, func(w string) bool { return strings.Trim(w, "?") == "" })
	}
	return out
}

// spoken is what stays of a mark: nothing of people, groups and channels, of a link what was typed.
func spoken(target, label string) string {
	switch {
	case target == "" || strings.ContainsAny(target[:1], "@#!"):
		return ""
	case isPage(target):
		return target
	case label != "":
		return label // Slack makes a link of my-app.com
	}
	return strings.TrimPrefix(strings.TrimPrefix(target, "http://"), "https://")
}

// bare takes quotes, emphasis, punctuation and emoji off. A lone question mark is a request for help.
func bare(word string) string {
	switch {
	case strings.Trim(word, "?") == "":
		return word
	case emoji.MatchString(word):
		return ""
	}
	outside := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	word = strings.TrimLeftFunc(word, func(r rune) bool { return outside(r) && r != '-' })
	short := strings.TrimRightFunc(word, outside)
	if after := word[len(short):]; meaning(short) != "" && strings.HasPrefix(after, ":") {
		return short + ":" // what it is about is missing, or is the next word
	}
	return short
}

// emoji are those that Slack writes as a word: ":+1:", ":wave::skin-tone-3:".
var emoji = regexp.MustCompile(`^(?::[a-z0-9_+'-]+:)+[.,!]*$`)

// hasEmoji reports whether there is one in a text, as a word or as a letter.
func hasEmoji(text string) bool {
	for word := range strings.FieldsSeq(marked.ReplaceAllString(text, " ")) {
		if emoji.MatchString(word) || strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.So, r) }) {
			return true
		}
	}
	return false
}

func isPage(address string) bool {
	_, ok := pageurl.Parse(address)
	return ok
}
