package digest

import (
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

// The words that Slack and the terminal share.

// Title is the first line: how much fails, or how sure it is that nothing does.
func Title(d *incident.Digest) string {
	switch {
	case d.Failing > 0:
		return "🔴 " + text.Count(d.Failing, "application is", "applications are") + " failing"
	case len(d.Failures) > 0:
		return "🟠 No application is failing, but Argo CD has " + text.Count(len(d.Failures)+d.Left.Warnings, "connection problem", "connection problems")
	case len(d.Silent) > 0 || stale(d): // a lack of evidence is no health
		return "❔ No known failures"
	case Fine(d) && !d.From.Before(d.At) && d.Due.IsZero(): // from a journal that does not say whether anybody looks
		return "❔ No failures on record"
	case Fine(d) && !d.From.Before(d.At):
		return "🟢 Nothing is failing"
	case Fine(d):
		return "🟢 Everything is fine: no failures in " + Days(d)
	}
	return "🟢 Nothing is failing"
}

// Fine reports whether there is nothing to tell.
func Fine(d *incident.Digest) bool {
	return d.Failing == 0 && len(d.Silent) == 0 && len(d.Failures)+len(d.Recovered)+len(d.Causes) == 0
}

// longest is how long ago a bot that runs may have noted that it watches.
const longest = 15 * time.Minute

// stale reports whether nobody has watched for a while.
func stale(d *incident.Digest) bool {
	return !d.WatchedUntil.IsZero() && d.At.Sub(d.WatchedUntil) > longest
}

// Silent says why failures may be missing: an Argo CD does not respond, or the bot does not run. "" where neither is so.
func Silent(d *incident.Digest) string {
	if stale(d) {
		return "Not watched for " + text.Duration(d.At.Sub(d.WatchedUntil)) + ", because the bot is not running or cannot read an Argo CD: later failures and recoveries are missing."
	}
	if len(d.Silent) == 0 {
		return ""
	}
	if len(d.Silent) > 1 {
		return "The Argo CDs " + strings.Join(d.Silent, ", ") + " are not responding: failures there may be missing."
	}
	return "Argo CD " + d.Silent[0] + " is not responding: failures there may be missing."
}

// Days is how long causes are looked for.
func Days(d *incident.Digest) string { return text.Duration(d.At.Sub(d.From)) }

// OutOfSync is the heading of what is out of sync.
func OutOfSync(d *incident.Digest) string {
	return "Out of sync for " + text.Duration(d.OutOfSyncAfter) + " or more"
}

// Lately says of what is failing and not named why it is not; "" where there is nothing.
func Lately(d *incident.Digest) string {
	if d.Lately == 0 {
		return ""
	}
	more := ""
	if len(d.Failures)+len(d.OutOfSync) > 0 {
		more = " more"
	}
	return text.Number(d.Lately) + more + " out of sync for less than " + text.Duration(d.OutOfSyncAfter)
}

// Took is how soon a cause was over.
func Took(c incident.DigestCause) string {
	switch {
	case c.Recovered == 0:
		return "none recovered"
	case c.Failures == 1:
		return "recovered in " + text.Duration(c.Half)
	case c.Recovered == 1:
		return "1 recovered, in " + text.Duration(c.Half)
	case c.Recovered < c.Failures:
		return text.Number(c.Recovered) + " recovered, median " + text.Duration(c.Half)
	}
	return "median recovery " + text.Duration(c.Half)
}

// Bar is a bar of a chart in a font of fixed width: as long as its part of the most, at least one, and always of the same number of columns.
func Bar(n, most, width int) string {
	long := 0
	if most > 0 && n > 0 {
		long = max(1, n*width/most)
	}
	return strings.Repeat("█", long) + strings.Repeat("░", width-long)
}

// Name is the subject of a line: an application and the number of others, or what a warning is about.
func Name(l incident.DigestLine, several bool) string {
	switch {
	case l.Subject != "" && several && l.App.Instance != "":
		return l.Subject + " (" + l.App.Instance + ")"
	case l.Subject != "":
		return l.Subject
	}
	name := AppName(l.App, several)
	if l.Others > 0 {
		name += " and " + text.More(l.Others)
	}
	return name
}

// Warning is the name of what a warning is about, with what stands behind it, and what is wrong: "Git host git.example.com ", "cannot be reached".
func Warning(l incident.DigestLine, several bool) (name, behind, wrong string) {
	if rest, ok := strings.CutPrefix(l.Title, l.Subject+" "); ok {
		return Name(l, several), " ", rest
	}
	return Name(l, several), ": ", l.Title
}

// Split is what fails: applications, and connections of Argo CD that none fails of.
func Split(lines []incident.DigestLine) (failing, warnings []incident.DigestLine) {
	for _, l := range lines {
		if l.Subject != "" {
			warnings = append(warnings, l)
			continue
		}
		failing = append(failing, l)
	}
	return failing, warnings
}

// AppName is how a digest calls an application.
func AppName(app incident.App, several bool) string {
	if several && app.Instance != "" {
		return app.Full()
	}
	return app.Label()
}

// Several reports whether a digest is about more than one Argo CD, so that a name alone does not say where the application is.
func Several(d *incident.Digest) bool {
	seen := map[string]bool{}
	for _, list := range [][]incident.DigestLine{d.Failures, d.OutOfSync, d.Recovered} {
		for _, l := range list {
			seen[l.App.Instance] = true
		}
	}
	for _, a := range d.Often {
		seen[a.App.Instance] = true
	}
	if d.Outlook != nil {
		for _, w := range d.Outlook.Windows {
			seen[w.Instance] = true
		}
		for _, h := range d.Outlook.Hooks {
			seen[h.App.Instance] = true
		}
	}
	return len(seen) > 1
}
