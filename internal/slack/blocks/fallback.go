package blocks

import (
	"strings"
	"time"
)

// never is no moment.
var never time.Time

// Fallback is the text beside the blocks, which notifications and screen readers take: escaped, since Slack reads it as
// mrkdwn, and short. Send it with parse=none (the default), so that "@here" in it is none.
func Fallback(text string) string {
	text, _ = cut(strings.TrimSpace(shown(text)), maxFallback)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
