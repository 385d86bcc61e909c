package command

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// said are the words for each verb, the one that is shown first.
var said = []struct {
	verb  Verb
	words []string
}{
	{Why, []string{"why", "what", "whats", "explain", "diagnose", "reason", "cause", "check", "status", "inspect", "describe"}},
	{List, []string{"list", "ls", "failing", "failures", "incidents", "problems", "overview"}},
	{Diff, []string{"diff", "drift", "changes", "difference", "differences", "compare"}},
	{History, []string{"history", "hist", "log", "deployments", "deploys", "revisions", "past"}},
	{Help, []string{"help", "?", "??", "-h", "--help", "usage", "commands", "man"}},
}

// elsewhere are verbs that people expect, and where that is done.
var elsewhere = map[string]string{
	"sync":      actsNot,
	"refresh":   actsNot,
	"rollback":  actsNot,
	"delete":    actsNot,
	"terminate": actsNot,
	"restart":   actsNot,
	"retry":     actsNot,
	"approve":   actsNot,
	"mute":      "There is nothing to mute: an incident speaks when something changes, and stays silent else. A thread can be muted in Slack itself.",
	"access":    "Who may look at what stands in the bot's configuration, under `access`.",
	"audit":     "There is no audit: nothing can be changed from here, so there is nothing to record.",
	"logs":      "The lines of a log that matter are part of the answer to `why`.",
}

const actsNot = "From here one can look, not act: what helps, and whether a sync would, is part of the answer to `why`."

// verbOf is the verb of a word, "" if it is none.
func verbOf(word string) Verb {
	word = strings.ToLower(strings.ReplaceAll(word, "'", ""))
	word = strings.ReplaceAll(word, "’", "")
	for _, s := range said {
		if slices.Contains(s.words, word) {
			return s.verb
		}
	}
	return ""
}

// nearVerb is the verb that a mistyped word was meant to be, "" if it is like none: one slip, two in a long word, or the
// same letters in another order.
func nearVerb(word string) Verb {
	word = strings.ToLower(word)
	if len(word) < 3 {
		return ""
	}
	best, least := Verb(""), 3
	for _, s := range said {
		for _, w := range s.words[:min(3, len(s.words))] {
			slips := levenshtein.Distance(word, w, nil)
			if slips > 1 && len(w) < 7 && sorted(word) != sorted(w) {
				continue
			}
			if len(w) > 2 && slips < least {
				best, least = s.verb, slips
			}
		}
	}
	return best
}

func sorted(word string) string {
	b := []byte(word)
	slices.Sort(b)
	return string(b)
}
