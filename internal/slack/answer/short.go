package answer

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// andMore is the last line of a list that shows not all: "… and 3 more fields".
func andMore(n int, one, many string) string {
	return "… and " + text.Count(n, "more "+one, "more "+many)
}

// before counts what is older than what is listed, if there is any.
func before(n int) []blocks.Block {
	if n <= 0 {
		return nil
	}
	return []blocks.Block{blocks.Context(fmt.Sprintf("and %d before", n), "", never)}
}

// excerpt is one line of a text from outside, in at most limit characters.
func excerpt(s string, limit int) string {
	s, _ = blocks.Shorten(sanitize.Text(text.OneLine(s)), limit)
	return s
}
