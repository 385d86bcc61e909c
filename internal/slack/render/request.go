package render

import (
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/text"
)

// waitingLine is what approvers read before they open the plan: what is requested, where, and above all what is lost by it. Of a request
// that is over it is what was requested.
func (t noteLine) waitingLine() (line []blocks.Span, notice string) {
	verb := " requests"
	if t.r.State != action.Waiting {
		verb = " requested"
	}
	line, notice = t.requestLine("🙋 " + subject(t.r.By) + verb + " approval for " + appName(t.r))
	for _, risk := range risks(t.r) {
		line = append(line, blocks.Bold("\n⚠️ "+risk))
	}
	if where := reporttext.Where(t.r.Shown.To()); where != "" {
		line = append(line, blocks.Plain("\n"+text.UpperFirst(ShortLine(where, maxWhy))))
	}
	if s := t.r.Shown; s != nil && s.Verdict != "" {
		lead, reason := reporttext.Sync(diagnose.Sync{Verdict: s.Verdict, Why: s.Reason, Newer: s.Newer})
		line = append(line, blocks.Plain("\n"), blocks.Bold(lead), blocks.Plain(" "+ShortLine(reason, maxWhy)))
	}
	if a := t.r.Approval; a != nil && t.r.State == action.Waiting {
		line = append(line, blocks.Plain("\nApprovers (until "), blocks.Clock(a.Expires), blocks.Plain("): "))
		line = append(line, mentions(a.From)...)
	}
	return line, notice
}

// appName is the application with its environment, as in a headline: the Argo CD instance, else the name of the cluster.
func appName(r *action.Record) string {
	name, cluster := sanitize.FullApp(r.App, maxTarget), r.Shown.To().Environment()
	if r.App.On(cluster) == r.App.Full() {
		return name
	}
	return name + "@" + ShortLine(cluster, maxName)
}

// risks are what the request says of what is lost. The deletion of a Job says it itself.
func risks(r *action.Record) []string {
	if r.Kind != action.Sync {
		return nil
	}
	var out []string
	for _, loss := range r.Losses() {
		out = append(out, text.UpperFirst(ShortLine(loss, maxRisk)))
	}
	return out
}

// decisionButtons are the buttons of the approvers. Approve opens the plan; where that deletes something, it is red and names it.
func decisionButtons(r *action.Record, key button.Key) blocks.Block {
	value := func(id, do string) string { return key.Encode(id, button.Value{Do: do, App: r.App, Record: r.ID}) }
	approve := blocks.Button{ID: ApproveID, Text: "Approve", Value: value(ApproveID, button.Approve)}
	if names := r.Deletes(); len(names) > 0 {
		approve.Danger, approve.Text = true, "Approve deleting "+counted(names)
	}
	return blocks.Buttons(approve, blocks.Button{ID: DenyID, Text: "Deny", Value: value(DenyID, button.Deny)})
}

// maxRisk has room for the names that a loss has.
const maxRisk = 400
