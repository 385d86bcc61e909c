package answer

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
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
	return []blocks.Block{blocks.Context(fmt.Sprintf("and %d earlier", n), "", never)}
}

// withoutApp is a headline without the application that it begins with, with or without its environment: what names the
// application already does not name it twice.
func withoutApp(headline string, app incident.App) string {
	subject, title, ok := strings.Cut(headline, ": ")
	if ok && (subject == app.Name || strings.HasSuffix(subject, "/"+app.Name)) {
		return title
	}
	return headline
}
