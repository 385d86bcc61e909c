package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// WaitedFor reads "waiting for completion of hook batch/Job/migrate and 2 more hooks": the first object it names.
func WaitedFor(text, what string) (evidence.Ref, bool) {
	_, rest, ok := strings.Cut(text, "waiting for "+what)
	if !ok {
		return evidence.Ref{}, false
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return evidence.Ref{}, false
	}
	parts := strings.Split(strings.TrimRight(words[0], ".,;"), "/")
	if len(parts) != 3 {
		return evidence.Ref{}, false
	}
	return evidence.Ref{Group: parts[0], Kind: parts[1], Name: parts[2]}, true
}
