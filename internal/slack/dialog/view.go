package dialog

import (
	"cmp"
	"fmt"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
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
	noEmoji               = false
	cancel                = "Cancel"
	closeView             = "Close"
)

func plainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, noEmoji, false)
}

// view is a modal without a button but the one that closes it.
func view(kind action.Kind, body ...slack.Block) *View {
	return titled(cmp.Or(titles[kind], "Argo CD"), body...)
}

// titled is a modal with a title of its own.
func titled(title string, body ...slack.Block) *View {
	return &View{Type: slack.VTModal, Title: plainText(title), Close: plainText(closeView), Blocks: slack.Blocks{BlockSet: body}}
}

// submittable makes it one that can be submitted, with what comes back then.
func submittable(v *View, submit, metadata string) *View {
	v.Submit, v.Close, v.CallbackID, v.PrivateMetadata = plainText(submit), plainText(cancel), Confirm, metadata
	return v
}

// fit is a body that Slack takes; where it had to be cut, rest says where the rest is.
func fit(rest string, body ...blocks.Block) []slack.Block { return blocks.Fit(body, nil, rest) }

// Looking is shown at once: the right to open a modal lasts three seconds, and a plan takes longer.
// https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
func Looking(kind action.Kind, app action.App) *View {
	return view(kind, fit("", blocks.Text(plain(fmt.Sprintf("Checking %s…", app.Name))))...)
}

// Working is shown from the submission to its result.
func Working(kind action.Kind, app action.App) *View {
	return view(kind, fit("", blocks.Text(plain(fmt.Sprintf("Working on %s…", app.Name))))...)
}

// Told says a sentence, and nothing can be done in it.
func Told(kind action.Kind, content string) *View {
	return view(kind, fit("", blocks.Text(plain(text.UpperFirst(text.Sentence(content)))))...)
}

// Showing shows blocks that were made elsewhere.
func Showing(kind action.Kind, body []slack.Block) *View { return view(kind, body...) }

// Refused says why it is not done, and who could do it.
func Refused(kind action.Kind, what string, could action.Who) *View {
	body := fit("", blocks.Text(blocks.Bold("Nothing was done. "), plain(text.UpperFirst(text.Sentence(what)))))
	if people := Could(could); people != nil {
		body = append(body, people)
	}
	return view(kind, body...)
}

// Started leads to the thread, where it is told how it goes on. link is the address of the thread, "" for none.
func Started(r *action.Record, link string) *View {
	spans := []blocks.Span{blocks.Bold("Started. ")}
	if r.State == action.Waiting && r.Approval != nil {
		spans = []blocks.Span{blocks.Bold("Waiting for approval. ")}
	}
	if r.Summary != "" {
		spans = append(spans, plain(text.UpperFirst(text.Sentence(r.Summary))+" "))
	}
	spans = append(spans, plain("Follow progress in "), blocks.Link(link, "the thread"), plain("."))
	body := fit("", blocks.Text(spans...))
	if r.State == action.Waiting && r.Approval != nil {
		body = append(body, approvalLine(r.Approval))
	}
	return view(r.Kind, body...)
}

// Deny asks for the reason.
func Deny(app action.App, metadata string) *View {
	const maxReason = 500
	body := fit("", blocks.Text(plain("The request for "), blocks.Bold(sanitize.Text(app.Name)), plain(" will not be carried out. Everyone in the thread will see that you denied it, and why.")))
	reason := slack.NewPlainTextInputBlockElement(plainText("Reason for denying"), InputReason)
	reason.Multiline, reason.MaxLength = true, maxReason
	body = append(body, slack.NewInputBlock(InputReason, plainText("Reason"), nil, reason).WithOptional(true))
	return submittable(view(deny, body...), "Deny", metadata)
}

// DenyLooking is the first view of Deny.
func DenyLooking(app action.App) *View { return Looking(deny, app) }

// DenyTold is the last.
func DenyTold(content string) *View { return Told(deny, content) }

// Title is what a kind of action is called, on its modal and elsewhere.
func Title(kind action.Kind) string { return titles[kind] }

// plain is a text from outside as it is.
func plain(s string) blocks.Span { return blocks.Plain(sanitize.Text(s)) }

// mono is one to be copied.
func mono(s string) blocks.Span { return blocks.Mono(sanitize.Text(s)) }

// bullets is a list of at most limit lines, which says how many more there are.
func bullets(limit int, lines [][]blocks.Span) blocks.Block {
	if more := len(lines) - limit; more > 1 { // one more takes as much room as saying so
		lines = append(lines[:limit:limit], []blocks.Span{plain("… and " + text.More(more))})
	}
	return blocks.Bullets(lines...)
}

// short is the end of a text, where long names differ.
func short(s string, limit int) string {
	return sanitize.End(text.OneLine(sanitize.Text(s)), limit)
}
