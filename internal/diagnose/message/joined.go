package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// joint is where Argo CD joined the next condition to a message: it lists those that keep a sync or a request from being carried out,
// "ComparisonError: …;ComparisonError: …".
var joint = pattern.MustCompile(`;\s*(?:ComparisonError|InvalidSpecError|UnknownError|SyncError): `)

// Split takes the conditions that Argo CD joined into one message apart. What stands before the first belongs to it.
func Split(said string) []string {
	if !strings.Contains(said, ";") {
		return []string{said}
	}
	var out []string
	from := 0
	for _, at := range joint.FindAllStringIndex(said, -1) {
		out = append(out, said[from:at[0]])
		from = at[0] + 1
	}
	return append(out, said[from:])
}
