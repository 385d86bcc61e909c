package command

import (
	"fmt"
	"slices"
	"strings"
)

// filler are words of a question that name nothing, unless one is all that is asked for: why argo-cd.
var filler = strings.Fields(`a about again also always am an and any app application are argo argo-cd at be been being broken busted by can
	could crashing degraded deploying did do does down erroring fail failed failing fails for from going gone happening happened hang
	hanging has have healthy hello here hey hi how i in is isn't isnt it it's its just get give kindly let look me my not now of ok okay on our
	out out-of-sync outofsync please pls plz progressing red running say show so still stuck sync synced syncing tell thanks thank that
	the there this to today today's unhealthy up us was we were what when where which who with working wrong you your`)

// pointers are the filler that stands for an application, or for none, also where it is the only word: why it, why not.
var pointers = strings.Fields("it it's its not now so that the there this")

// everything are the words for all applications.
var everything = []string{"all", "apps", "applications", "everything"}

// Parse reads a message.
func Parse(m Message) Parsed {
	words, addressed := m.words()
	p := parser{Message: m}
	switch {
	case !addressed:
		return Parsed{}
	case smallTalk(words) || len(words) == 0 && hasEmoji(m.Text):
		return p.smallTalk()
	case greeting(words):
		return Parsed{Reply: p.hint()}
	case len(words) == 0:
		return p.nothingSaid()
	case slices.ContainsFunc(words, func(w string) bool { return w == "-h" || w == "--help" || w == "-help" }):
		return Parsed{Command: &Command{Verb: Help}}
	}
	if m.Way != Slash {
		words = withoutSalutation(words)
	}
	verb, rest, implied := p.verb(words)
	switch {
	case verb == "" && m.Way != Slash && every(words, filler):
		return p.nothingSaid()
	case verb == "":
		return Parsed{Reply: p.unknownVerb(words[0])}
	}
	parsed := p.command(verb, rest)
	if c := parsed.Command; c != nil && implied && c.Target.Namespace == "" {
		c.Instead = nearVerb(words[0])
	}
	return parsed
}

// words are those addressed to the bot: in a channel, those after its mention on the same line, else those before, else
// those of the lines that follow. A mention in a quotation addresses nobody.
func (m Message) words() (spoken []string, addressed bool) {
	if m.Way == Slash {
		return words(m.Text), true
	}
	addressed = m.Way == Direct
	for line := range strings.Lines(m.Text) {
		if strings.HasPrefix(line, "&gt;") {
			continue // a quotation
		}
		before, after, mentioned := m.cutMention(line)
		addressed = addressed || mentioned
		if !mentioned {
			spoken = append(spoken, words(line)...)
			continue
		}
		if w := words(after); len(w) > 0 {
			return w, true
		}
		if w := words(before); len(w) > 0 {
			return w, true
		}
		spoken = nil
	}
	return spoken, addressed
}

// cutMention splits a line at the bot's mention.
func (m Message) cutMention(line string) (before, after string, ok bool) {
	for _, form := range []string{"<@" + m.Bot + ">", "<@" + m.Bot + "|"} {
		if before, after, ok = strings.Cut(line, form); !ok || m.Bot == "" {
			continue
		}
		if strings.HasSuffix(form, "|") {
			_, after, _ = strings.Cut(after, ">")
		}
		return before, after, true
	}
	return "", line, false
}

// parser knows how the person spoke, for the replies.
type parser struct{ Message }

// nothingSaid: the bare mention in a thread asks why; elsewhere it asks what can be asked.
func (p parser) nothingSaid() Parsed {
	switch {
	case p.Way == Mention && p.Thread:
		return Parsed{Command: &Command{Verb: Why}}
	case p.Way == Direct && strings.TrimSpace(p.Text) == "":
		return Parsed{} // a picture, a file
	}
	return Parsed{Command: &Command{Verb: Help}}
}

// verb finds the verb and returns the other words. No verb and one word: that is an application, and why is implied.
func (p parser) verb(words []string) (verb Verb, rest []string, implied bool) {
	first := words[0]
	if v := verbOf(first); v != "" {
		if filters, others := split(named(words)); v == Why && !p.Thread && isWhat(first) && len(others) == 0 && len(words) > 1 {
			return List, filters, false // what is failing in project:shop?
		}
		return v, words[1:], false
	}
	if strings.HasPrefix(first, "-") || elsewhere[strings.ToLower(first)] != "" && len(words) > 1 {
		return "", nil, false
	}
	if p.Way != Slash && every(words, filler) {
		return "", nil, false
	}
	if len(words) == 1 || isOption(words[1]) {
		return Why, words, true
	}
	if v := nearVerb(first); v != "" {
		return v, words[1:], false
	}
	for i, w := range words[1:] { // my-app diff; can you diff my-app
		if v := verbOf(w); v != "" {
			return v, slices.Delete(slices.Clone(words), i+1, i+2), false
		}
	}
	if len(named(words)) == 1 {
		return Why, words, false // my-app is broken again
	}
	return "", nil, false
}

func isWhat(word string) bool { return strings.HasPrefix(strings.ToLower(word), "what") }

// withoutSalutation drops "hey, can you please tell me" in front.
func withoutSalutation(words []string) []string {
	for len(words) > 1 && verbOf(words[0]) == "" && in(filler, words[0]) {
		words = words[1:]
	}
	return words
}

func in(list []string, word string) bool { return slices.Contains(list, strings.ToLower(word)) }

func every(words, list []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !in(list, w) })
}

// named are the words that may name an application.
func named(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return in(filler, w) || verbOf(w) != "" })
}

func (p parser) command(verb Verb, rest []string) Parsed {
	c := &Command{Verb: verb}
	if verb == Help {
		return Parsed{Command: c}
	}
	rest, reply := c.take(rest)
	if reply != "" {
		return Parsed{Reply: reply}
	}
	if verb == Audit && len(rest) == 1 && in(everything, rest[0]) {
		rest = nil
	}
	names := rest
	if len(rest) > 1 || p.Way != Slash && (p.Thread || len(rest) > 0 && in(pointers, rest[0])) {
		names = named(rest)
	}
	switch {
	case verb == List && !every(names, everything):
		return Parsed{Reply: p.noFilters(names)}
	case verb == List:
		return Parsed{Command: c}
	case len(names) > 1:
		return Parsed{Reply: fmt.Sprintf("Name one application at a time: %s or %s.", p.example(verb, names[0]), p.example(verb, names[1]))}
	case len(names) == 0 && (verb == Audit || p.Thread && c.Target == (Target{})):
		if len(rest) == 1 && !in(pointers, rest[0]) {
			c.Maybe = rest[0]
		}
		return Parsed{Command: c}
	case len(names) == 0:
		return Parsed{Reply: fmt.Sprintf("Which application? For example: %s", p.example(verb, "my-app"))}
	}
	if reply := c.Target.read(names[0]); reply != "" {
		return Parsed{Reply: reply}
	}
	return Parsed{Command: c}
}

// noFilters says of words behind list that they are none of its filters, and of all of them, so that nobody corrects one after the other.
func (p parser) noFilters(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(w string) bool { return in(everything, w) })
	what := "`list` takes filters such as " + Code("project:"+names[0])
	if len(names) > 1 {
		var all []string
		for _, name := range names {
			all = append(all, Code(name))
		}
		last := len(all) - 1
		what += ", and " + strings.Join(all[:last], ", ") + " and " + all[last] + " are none"
	}
	return what + ". For one application: " + p.example(Why, names[0])
}

// example is a command as this person would write it.
func (p parser) example(verb Verb, rest string) string {
	return Code(strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Call, verb, rest)))
}

func (p parser) unknownVerb(word string) string {
	if why := elsewhere[strings.ToLower(word)]; why != "" {
		return fmt.Sprintf("There is no command %s. %s %s", Code(word), why, p.known())
	}
	return fmt.Sprintf("I don't understand %s. %s", Code(word), p.known())
}

func (p parser) known() string {
	return fmt.Sprintf("Commands: %s, %s, %s, %s, %s, %s and %s.", p.example(Why, "APP"), p.example(List, ""), p.example(Diff, "APP"), p.example(History, "APP"),
		p.example(Access, "APP"), p.example(Audit, ""), p.example(Help, ""))
}
