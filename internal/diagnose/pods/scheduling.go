package pods

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var (
	nodeReason = regexp.MustCompile(`(\d+) (node\(s\) (?:[^,.{]|\{[^}]*\})+|Insufficient [a-z0-9./\-]*[a-z0-9]|Too many pods|[A-Z][^,.]*)`)
	oldReason  = regexp.MustCompile(`([A-Z][A-Za-z ]+) \((\d+)\)`)
)

// LargestReason is why most nodes do not take a pod, in the scheduler's words.
func LargestReason(said string) (reason string, nodes int) {
	body := said
	if _, rest, ok := strings.Cut(said, "nodes are available:"); ok {
		body = rest
	} else if _, rest, ok := strings.Cut(said, "following predicates::"); ok {
		body = rest
	}
	body, _, _ = strings.Cut(body, "preemption:")
	for _, m := range nodeReason.FindAllStringSubmatch(body, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n > nodes {
			reason, nodes = strings.TrimSpace(m[2]), n
		}
	}
	for _, m := range oldReason.FindAllStringSubmatch(body, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil && n > nodes {
			reason, nodes = strings.TrimSpace(m[1]), n
		}
	}
	if reason == "" {
		reason = text.Clip(said, message.MaxClause)
	}
	return reason, nodes
}
