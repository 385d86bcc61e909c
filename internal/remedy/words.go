package remedy

import (
	"cmp"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// longestLog is the longest log that is kept until it is told, in bytes.
const longestLog = 32 << 10

// tail is the end of a log, clean, from the begin of a line.
func tail(log string) string {
	log = sanitize.Text(log)
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
	return string(sanitize.Sprintf("%s (%s)", sanitize.Name(p.Name), p.ID))
}

// nameOf is a person as others call them.
func nameOf(p action.Person) string { return sanitize.Name(cmp.Or(p.Name, p.ID)) }

// clock is a moment as somebody reads it now.
func clock(t time.Time) string { return text.Moment(t, time.Now().UTC()) }
