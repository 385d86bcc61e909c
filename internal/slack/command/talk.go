package command

import (
	"fmt"
	"slices"
	"strings"
)

var (
	// thanked begin what people say when they were helped, whatever else they say.
	thanked = strings.Fields("thanks thank thx ty tysm cheers kudos")
	// agreed say that there is nothing more to ask.
	agreed = strings.Fields(`ok okay k kk yes yep yeah no nope sure np nice great good cool perfect awesome excellent wow lol haha lgtm done noted
		got amazing brilliant wonderful fine right bye goodbye problem worries`)
	// around stand beside those.
	around = strings.Fields(`a again all and argo argo-cd bot everybody everyone folks for guys i in is it it's its job later lot lots man mate me much my now
		one of really so super team that that's the this to too us very we well work works you your`)
	// greeted begin a conversation.
	greeted = strings.Fields("hi hiya hello hey howdy yo morning afternoon evening greetings")
	// greetedWith stand beside those.
	greetedWith = strings.Fields("good there all team everyone argo bot again you folks")
)

// smallTalk reports whether somebody says thanks, agrees, or praises, and asks for nothing.
func smallTalk(words []string) bool {
	if len(words) == 0 {
		return false
	}
	thanks := in(thanked, words[0])
	asks := func(w string) bool {
		v := verbOf(w)
		return isOption(w) || v != "" && (v != Help || !thanks) // thanks for the help
	}
	switch {
	case slices.ContainsFunc(words, asks):
		return false
	case thanks:
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool { return in(agreed, w) || in(thanked, w) }) &&
		every(words, slices.Concat(agreed, around, thanked))
}

// greeting reports whether somebody says hello and nothing else.
func greeting(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return in(greeted, w) }) && every(words, slices.Concat(greeted, greetedWith))
}

// smallTalk answers it where Slack wants an answer: nobody sees what was typed behind a slash command.
func (p parser) smallTalk() Parsed {
	if p.Way == Slash {
		return Parsed{Reply: p.hint()}
	}
	return Parsed{}
}

// hint is what can be asked, in a line.
func (p parser) hint() string {
	return fmt.Sprintf("Ask why an application is failing: %s. Everything that is failing: %s. More: %s.", p.example(Why, "my-app"), p.example(List, ""), p.example(Help, ""))
}
