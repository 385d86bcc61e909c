package words

import "regexp"

// phrase is something that we do not write, and what we write instead.
type phrase struct {
	never *regexp.Regexp
	// unless is a longer phrase around it that is fine.
	unless  *regexp.Regexp
	instead string
}

func never(pattern, instead string) phrase {
	return phrase{never: regexp.MustCompile(`(?i)` + pattern), instead: instead}
}

func (p phrase) except(pattern string) phrase {
	p.unless = regexp.MustCompile(`(?i)` + pattern)
	return p
}

// phrases were all in our texts once. They are literal translations, inversions, or a second word for a thing that has a name.
var phrases = []phrase{
	never(`\banew\b`, "again"),
	never(`\bno more\b`, "no longer").except(`no more than|no more (precise|specific|[a-z]+ (are|is|can|will))|there (are|is) no more|no more (attempts|retries|retry|notifications|reminders)`),
	never(`\bnot\b[^.;:]{0,40}\bany ?more\b`, "no longer"),
	never(`\bnothing but\b`, "only"),
	never(`\bshall\b`, "should, must or can"),
	never(`\b(is|are|was|were|be|been) told\b`, "posted, shown or reported"),
	never(`\bwho may\b`, "who can"),
	never(`\b(everybody|nobody|anybody|somebody) may\b`, "anyone can, no one can"),
	never(`\bof (its|their) own accord\b`, "by itself"),
	never(`\bof my own\b|\bsorry\b|\bunfortunately\b`, "nothing: the bot has no personality"),
	never(`\bstill lives?\b`, "still exists"),
	never(`\boverlook`, "ignore"),
	never(`\bby hand\b`, "manually"),
	never(`\bpast Git\b`, "outside Git"),
	never(`\bwhat Git wants\b`, "Git, or the desired state"),
	never(`\brepair`, "fix"),
	never(`\bsays no\b`, "refuses"),
	never(`\bno rule knows\b`, "no known cause matched"),
	never(`\b(is|are|was|were) well\b|\bwell again\b`, "healthy").except(`well-`),
	never(`\bthis is no\b|\b(it|that|which) is no (valid|yaml|json|file|name|url|command|object|manifest|number|duration)\b`, "not a …"),
	never(`\blonger than nothing\b`, "greater than 0"),
	never(`\bhow it goes on\b|\bit goes on in\b`, "continued in, follow progress in"),
	never(`\bspeaks? against\b`, "reason for denying"),
	never(`\bis (still )?what runs\b`, "is running"),
	never(`\bnot there in\b`, "not set in, not in"),
	never(`\bhave Argo CD\b`, "an imperative: refresh, tell Argo CD to"),
	never(`\blet it go on\b`, "promote it, continue"),
	never(`\b(is|are|was|were) to be\b`, "will be, should be"),
	never(`\bit was no\b`, "it was not a"),
	never(`\bby now\b`, "now"),
	never(`\bcomes? by\b`, "get"),
	never(`\bfor ever\b`, "forever"),
	never(`\bcertain · |· \d+ facts?\b`, "confirmed"),
	never(`\bpointless, `, "Syncing won't help: …"),
	never(`\bsync now: `, "the advice as a sentence"),
	never(`\bthe same again\b`, "the same error again"),
	never(`\bstates? a (number|value)\b`, "sets"),
	never(`\bwhether it is so\b|\bit is so that\b`, "a plain clause"),
	never(`\bis called progressing\b`, "shows Progressing"),
	never(`\bit is back\b`, "failing again"),
	never(`\bit still fails\b`, "still failing"),
	never(`\bcannot be told\b`, "is unknown"),
	never(`\bwrote to it\b`, "changed it"),
	never(`\bmakes? (it|them|one) anew\b`, "recreates"),
}

// find is the first phrase in a text that we do not write, the words around it, and what we write instead; ok is false without one.
func find(content string) (found, instead string, ok bool) {
	for _, p := range phrases {
		for _, at := range p.never.FindAllStringIndex(content, -1) {
			around := content[max(0, at[0]-30):min(len(content), at[1]+30)]
			if p.unless == nil || !p.unless.MatchString(around) {
				return around, p.instead, true
			}
		}
	}
	return "", "", false
}
