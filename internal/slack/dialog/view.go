package dialog

import (
	"cmp"
	"fmt"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// View is a modal.
type View = slack.ModalViewRequest

// Confirm is the callback_id of the views that can be submitted.
const Confirm = "argo_why_confirm"

// titles are those of the modals, by what they do. Slack takes 24 characters.
// https://docs.slack.dev/reference/views/modal-views
var titles = map[action.Kind]string{
	action.HardRefresh:   "Hard refresh",
	action.DeleteHookJob: "Delete failed hook Job",
	action.Terminate:     "Terminate operation",
	action.Sync:          "Sync",
	action.Mute:          "Mute",
	deny:                 "Deny",
	approve:              "Approve",
}

const (
	deny      action.Kind = "deny"
	approve   action.Kind = "approve"
	cancel                = "Cancel"
	closeView             = "Close"
)

// view is a modal without a button but the one that closes it.
func view(kind action.Kind, body ...slack.Block) *View {
	return titled(cmp.Or(titles[kind], "Argo CD"), body...)
}

// titled is a modal with a title of its own.
func titled(title string, body ...slack.Block) *View {
	return &View{Type: slack.VTModal, Title: blocks.PlainText(title), Close: blocks.PlainText(closeView), Blocks: slack.Blocks{BlockSet: body}}
}

// submittable makes it one that can be submitted, with what comes back then.
func submittable(v *View, submit, metadata string) *View {
	v.Submit, v.Close, v.CallbackID, v.PrivateMetadata = blocks.PlainText(submit), blocks.PlainText(cancel), Confirm, metadata
	return v
}

// fit is a body that Slack takes; where it had to be cut, rest says where the rest is.
func fit(rest string, body ...blocks.Block) []slack.Block { return blocks.Fit(body, nil, rest) }

// Looking is shown at once: the right to open a modal lasts three seconds, and a plan takes longer.
// https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
func Looking(kind action.Kind, app action.App) *View {
	return view(kind, fit("", blocks.Text(blocks.Plain(fmt.Sprintf("Checking %s…", sanitize.FullApp(app, maxName)))))...)
}

// Working is shown from the submission to its result.
func Working(kind action.Kind, app action.App) *View {
	return view(kind, fit("", blocks.Text(blocks.Plain(fmt.Sprintf("Working on %s…", sanitize.FullApp(app, maxName)))))...)
}

// Told says a sentence, and nothing can be done in it.
func Told(kind action.Kind, content string) *View {
	return view(kind, fit("", blocks.Text(blocks.Plain(text.UpperFirst(text.Sentence(content)))))...)
}

// Showing shows blocks that were made elsewhere.
func Showing(kind action.Kind, body []slack.Block) *View { return view(kind, body...) }

// Refused says why it is not done, and who could do it.
func Refused(kind action.Kind, what string, who action.Who) *View {
	return view(kind, fit("", blocks.Text(blocks.Bold("Nothing was done. "), blocks.Plain(text.UpperFirst(text.Sentence(what)))), could(who))...)
}

// Started leads to the thread, where it is told how it goes on. link is the address of the thread, "" for none.
func Started(record posted.Record, link string) *View {
	r := record.View()
	spans := []blocks.Span{blocks.Bold("Started. ")}
	if r.State == action.Waiting && r.Approval != nil {
		spans = []blocks.Span{blocks.Bold("Waiting for approval. ")}
	}
	if r.Summary != "" {
		spans = append(spans, blocks.Plain(text.UpperFirst(text.Sentence(r.Summary))+" "))
	}
	spans = append(spans, blocks.Plain("Follow progress in "), blocks.Link(link, "the thread"), blocks.Plain("."))
	body := []blocks.Block{blocks.Text(spans...)}
	if r.State == action.Waiting && r.Approval != nil {
		body = append(body, approvalLine(r.Approval))
	}
	return view(r.Kind, fit("", body...)...)
}

// Deny asks for the reason.
func Deny(app action.App, metadata string) *View {
	const maxReason = 500
	body := fit("", blocks.Text(blocks.Plain("The request for "), blocks.Bold(sanitize.FullApp(app, maxName)), blocks.Plain(" will not be carried out. Everyone in the thread will see that you denied it, and why.")))
	reason := slack.NewPlainTextInputBlockElement(blocks.PlainText("Reason for denying"), InputReason)
	reason.Multiline, reason.MaxLength = true, maxReason
	body = append(body, slack.NewInputBlock(InputReason, blocks.PlainText("Reason"), nil, reason).WithOptional(true))
	return submittable(view(deny, body...), "Deny", metadata)
}

// DenyLooking is the first view of Deny.
func DenyLooking(app action.App) *View { return Looking(deny, app) }

// DenyTold is the last.
func DenyTold(content string) *View { return Told(deny, content) }

// Title is what a kind of action is called, on its modal and elsewhere.
func Title(kind action.Kind) string { return titles[kind] }

// bullets is a list of at most limit lines, which says how many more there are.
func bullets(limit int, lines [][]blocks.Span) blocks.Block {
	if more := len(lines) - limit; more > 1 { // one more takes as much room as saying so
		lines = append(lines[:limit:limit], []blocks.Span{blocks.Plain("… and " + text.More(more))})
	}
	return blocks.Bullets(lines...)
}

// short is the end of a name, where long ones differ.
func short(s string, limit int) string { return sanitize.End(sanitize.Name(s), limit) }
