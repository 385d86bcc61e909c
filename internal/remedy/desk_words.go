package remedy

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/clean"
)

// called is what a kind is called in a sentence.
var called = map[Kind]string{
	HardRefresh: "a hard refresh", DeleteHookJob: "the deletion of a hook Job", Terminate: "the termination of an operation",
	Sync: "a sync", Mute: "muting",
}

// The longest texts from outside that a result quotes, and the longest log that is kept until it is told, in bytes.
const (
	longestQuote = 300
	longestLog   = 32 << 10
)

// line is a text from outside in one line, clean and not too long.
func line(text string) string {
	return cut(strings.Join(strings.Fields(clean.Text(text)), " "), longestQuote)
}

// cut shortens a text to n bytes, at a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// tail is the end of a log, clean, from the begin of a line.
func tail(log string) string {
	log = clean.Text(log)
	if len(log) <= longestLog {
		return log
	}
	log = log[len(log)-longestLog:]
	if _, rest, ok := strings.Cut(log, "\n"); ok {
		return rest
	}
	return strings.ToValidUTF8(log, "")
}

// clock is a moment as somebody reads it now.
func clock(t time.Time) string { return moment(t, time.Now().UTC()) }

// different says in a sentence what is not as it was confirmed; "" when all is.
func different(r *Record, now *Plan) string {
	switch {
	case now.RefusedBecause != "":
		return "It cannot be done now: " + sentence(now.RefusedBecause)
	case now.Print == r.Print:
		return ""
	case now.Revision != r.Revision:
		return fmt.Sprintf("The revision is %s now, it was %s. It would be: %s", short(now.Revision), short(r.Revision), sentence(now.Summary()))
	}
	return "It would be now: " + sentence(now.Summary())
}

// sentence ends a text with a full stop, once.
func sentence(text string) string { return strings.TrimRight(text, ". ") + "." }
