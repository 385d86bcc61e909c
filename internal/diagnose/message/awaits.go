package message

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// maxAfter is how many lines may follow the one that says what a program waits for: advice, or the same for another part of it.
const maxAfter = 5

// Awaits is the line at the end of a log in which a program that runs says what it waits for: "waiting for `cockroach init`", "no leader";
// empty where it does not end like that. Other than an error it is no reason to fail, but one not to be ready.
func Awaits(log string) string {
	all := slices.Collect(lines(log))
	for i, left := len(all)-1, maxAfter; i >= 0 && left >= 0; i-- {
		l := strings.TrimLeft(strings.TrimSpace(bareLine(all[i])), "* ")
		if l == "" {
			continue
		}
		said := Plain(l)
		lower := lowerASCII(said)
		switch {
		case pause.MatchString(lower):
		case routine.MatchString(lower):
			return ""
		case awaits.MatchString(lower):
			return lastClause(calmHead.ReplaceAllString(said, ""), maxLine)
		case over.MatchString(lower):
			return ""
		}
		left--
	}
	return ""
}

var (
	// awaits is a line of a program that is not ready yet: it waits for something, or says what it lacks.
	awaits = pattern.MustCompile("\\bwait(?:ing|s)? (?:\\w+ ){0,3}?(?:for|until|on|to) \\S" +
		"|\\bnot (?:yet )?(?:been )?initiali[sz]ed|\\buninitiali[sz]ed|\\bnot ?yet ?initiali[sz]ed|\\bno replset config\\b" +
		"|\\b(?:no|without|lost|lacks|has no|have no|establish\\w*|reach\\w*|achieve\\w*) (?:a |an |the )?(?:\\w+ )?(?:leader|quorum|master|primary|controller quorum)\\b" +
		"|\\b(?:leader|quorum|master|primary) (?:is |was |has )?not (?:yet )?(?:been )?(?:found|elected|discovered|available|reached|known)|\\b(?:vault|core|node|keystore|barrier) is sealed\\b")
	// routine is what a program waits for once it works.
	routine = pattern.MustCompile(`\bwait\w* (?:\w+ ){0,3}?(?:for|on|to) (?:the |a |an |any |new |more |next |incoming |further |other |client )*(?:events?|messages?|connections?|requests?|jobs?|tasks?|work|input|changes?|signals?|shutdown|termination|interrupts?|commands?|notifications?|data|clients?|traffic|calls?|exit|updates?|next|process(?:es)?|run|interval|timer|tick)\b`)
	// pause is how long a program sleeps, which says nothing about what for.
	pause = pattern.MustCompile(`\bwait\w* (?:for |up to |about )?\d+ ?(?:ms|s|secs?|seconds?|m|minutes?)\b`)
	// over is a line after which what was waited for is there.
	over = pattern.MustCompile(`\b(?:is|are|now|became|becomes) (?:now )?(?:up|ready|available|online|reachable|healthy|unsealed|initiali[sz]ed|connected)\b|\b(?:connected to|acquired|synced|elected|established|joined|unsealed|succeeded|started in)\b|\blistening on\b|\bready to (?:accept|serve|handle)`)
	// calmHead is the level in front of such a line, the process of Erlang, the logger and thread of Java.
	calmHead = pattern.MustCompile(`^(?:\[\d+\] [\d/]+ [\d:.]+ )?(?:\[?(?:INFO?|WARN(?:ING)?|WRN|NOTICE|DEBUG|info|warn(?:ing)?|notice|debug)\]?:?\s+)?(?:<\d+\.\d+\.\d+> |\[[\w.$]+\] \([^)]*\) )?`)
)
