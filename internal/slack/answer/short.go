package answer

import (
	"fmt"

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
