package render

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/text"
)

// maxNotice is how much of a text a notification has: a few lines of a locked phone.
const (
	maxNotice = 200
	maxLooked = 1000 // of a cause
)

// notice are the lines of a notification: the headline, what the cause adds to it, and whether a sync helps. Nothing is in it
// twice.
func notice(head string, r *diagnose.Report) []string {
	lines := []string{head}
	if f := reporttext.Subject(r); f != nil {
		lines = append(lines, reporttext.End(saidOnce(withoutWrapping(text.OneLine(f.Why), longWrapping), head), maxNotice))
	}
	return append(lines, noticeOfSync(r.Sync, strings.Join(lines, "\n")))
}

// saidOnce is a text without the sentences that repeat what was said before, or one another. Of two the later one stays, which has
// the words of the error.
func saidOnce(s, before string) string {
	out := ""
	for _, s := range slices.Backward(reporttext.Sentences(reporttext.End(s, maxLooked))) {
		if !reporttext.Repeats(s, before+"\n"+out) {
			out = strings.TrimSpace(s + " " + out)
		}
	}
	return out
}

// withoutWrapping is a text of more than limit letters without the sentences that lead to what the headline has: "Helm says: failed to
// render: …". Where there is nothing else, it stays as it is.
func withoutWrapping(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	kept := slices.DeleteFunc(reporttext.Sentences(s), func(s string) bool { return strings.HasSuffix(s, ": …") })
	return cmp.Or(strings.Join(kept, " "), s)
}

// noticeOfSync is the advice on a sync, without its reason where that was given before.
func noticeOfSync(s diagnose.Sync, before string) string {
	lead, reason := reporttext.Sync(s)
	if lead, ok := strings.CutSuffix(lead, ":"); ok && reporttext.Repeats(reason, before) {
		return text.Sentence(lead)
	}
	return strings.TrimSpace(lead + " " + reporttext.End(reason, maxNotice))
}
