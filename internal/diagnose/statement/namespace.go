package statement

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// NamespaceBlockers reads what blocks the deletion of a namespace, the decisive condition first.
func NamespaceBlockers(ns evidence.Object) (string, []diagnose.Quote) {
	blocker := ""
	var quotes []diagnose.Quote
	for _, kind := range []string{"NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceFinalizersRemaining", "NamespaceDeletionContentFailure", "NamespaceContentRemaining"} {
		c := ns.Condition(kind)
		if c.Text("status") != "True" {
			continue
		}
		said := text.OneLine(c.Text("message"))
		if blocker == "" {
			blocker = said
		}
		quotes = append(quotes, diagnose.Quote{From: ns.Ref().String(), Text: kind + ": " + said})
	}
	return blocker, quotes
}
