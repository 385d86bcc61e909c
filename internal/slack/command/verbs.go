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
	{Access, []string{"access", "permissions", "rights", "permission", "allowed"}},
	{Audit, []string{"audit", "actions", "trail", "audits", "audit-log", "auditlog"}},
	{Help, []string{"help", "?", "??", "-h", "--help", "usage", "commands", "man"}},
}

// elsewhere are verbs that people expect, and where that is done.
var elsewhere = map[string]string{
	"sync":      inTheThread,
	"refresh":   inTheThread,
	"delete":    inTheThread,
	"terminate": inTheThread,
	"mute":      inTheThread,
	"approve":   onTheRequest,
	"deny":      onTheRequest,
	"rollback":  actsNot,
	"restart":   actsNot,
	"retry":     actsNot,
	"logs":      "`why` shows the log lines that matter.",
}

const (
	inTheThread  = "Use the button in the incident's thread or below the answer to `why`. `access` shows who can use it."
	onTheRequest = "Use the buttons on the request, in the thread where it was made."
	actsNot      = "This bot can't do that. With the buttons in an incident's thread you can hard refresh, delete a failed hook Job, terminate, sync and mute."
)

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
