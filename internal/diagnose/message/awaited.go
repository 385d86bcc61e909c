package message

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// Words of a program that waits for another one or lacks it, without a host: "waiting for zookeeper: 2 of 3 ready", "No known Consul
// servers", "index is not ready yet".
var (
	waitsFor = pattern.MustCompile(`\bwait(?:s|ing|ed)?[ -](?:for|on|until)[ -]`)
	lacksAny = pattern.MustCompile(`\bno (?:[a-z]+ ){0,3}(?:servers?|brokers?|leaders?|peers?|endpoints?|members?|masters?|primary|backends?)\b`)
	notReady = pattern.MustCompile(` (?:(?:is|are) not (?:yet )?(?:ready|available|reachable|up|running|healthy|online|initiali[sz]ed)\b|not ready yet\b)`)
)

// fillers stand between such words and the name of what is waited for.
var fillers = []string{
	"the", "a", "an", "all", "any", "its", "of", "to", "with", "at", "service", "services", "server", "host", "pod", "pods", "connection", "connectivity", "statefulset", "deployment", "instance", "reach", "connect",
}

// Awaited is what a line says that a program waits for or lacks, in lower case; empty where it says nothing of the kind.
func Awaited(line string) string {
	lower := strings.ToLower(text.OneLine(uncoloured(line)))
	if strings.Contains(lower, "to sync") { // a controller waits for its own caches
		return ""
	}
	if m := waitsFor.FindStringIndex(lower); m != nil {
		after := tokens(lower[m[1]:])
		i := slices.IndexFunc(after, func(w string) bool { return !slices.Contains(fillers, w) && strings.Trim(w, "0123456789") != "" })
		if i < 0 {
			return ""
		}
		return after[i]
	}
	if lacks := lacksAny.FindString(lower); lacks != "" {
		return strings.TrimPrefix(lacks, "no ")
	}
	if m := notReady.FindStringIndex(lower); m != nil {
		if before := tokens(lower[:m[0]]); len(before) > 0 {
			return before[len(before)-1]
		}
	}
	return ""
}

// tokens are the words of a line with the hyphens and dots in them.
func tokens(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`()[]{},;:=/<>", r) })
}
