package render

import (
	"slices"
	"strings"

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
		lines = append(lines, reporttext.End(saidOnce(text.OneLine(f.Why), head), maxNotice))
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

// noticeOfSync is the advice on a sync, without its reason where that was given before.
func noticeOfSync(s diagnose.Sync, before string) string {
	lead, reason := reporttext.Sync(s)
	if lead, ok := strings.CutSuffix(lead, ":"); ok && reporttext.Repeats(reason, before) {
		return text.Sentence(lead)
	}
	return strings.TrimSpace(lead + " " + reporttext.End(reason, maxNotice))
}
