package remedy

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/clean"
)

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

// named is a person as an audit wants them: "dana (U0123)".
func named(p action.Person) string {
	if p.Name == "" {
		return p.ID
	}
	return fmt.Sprintf("%s (%s)", line(p.Name), p.ID)
}

// clock is a moment as somebody reads it now.
func clock(t time.Time) string { return action.Moment(t, time.Now().UTC()) }

// sentence ends a text with a full stop, once.
func sentence(text string) string { return strings.TrimRight(text, ". ") + "." }
