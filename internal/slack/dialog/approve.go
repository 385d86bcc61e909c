package dialog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// approving are the titles of what is approved, also on the button.
var approving = map[action.Kind]string{
	action.HardRefresh:   "Approve hard refresh",
	action.DeleteHookJob: "Approve deletion",
	action.Terminate:     "Approve termination",
	action.Sync:          "Approve sync",
	action.Mute:          "Approve mute",
}

// maxSince is how many changes since the request are listed.
const maxSince = 6

// Approve is what an approver confirms: what is lost by it, who requested what, what has changed since, and the plan as it is now.
func Approve(record posted.Record, plan posted.Plan, o Options) *View {
	r, p := record.View(), plan.View()
	var body []blocks.Block
	if o.Changed != "" {
		body = append(body, changedLine(o.Changed))
	}
	body = append(append(body, warning(p.Losses())...), heading(p))
	body = append(body, requested(r, p)...)
	body = append(body, particulars(p, decided)...)
	title := approvalTitle(r.Kind, p.Deletes())
	return submittable(titled(title, fit(inArgoCD, append(body, notes(p)...)...)...), title, o.Metadata)
}

// approvalTitle says that something is deleted where something is: no button of a modal is red.
func approvalTitle(kind action.Kind, deletes []string) string {
	if len(deletes) > 0 {
		kind = action.DeleteHookJob
	}
	return cmp.Or(approving[kind], titles[approve])
}

// requested says who asked for it and when, and what has changed since.
func requested(r *action.Record, p *action.Plan) []blocks.Block {
	line := []blocks.Span{blocks.Plain("Requested by " + who(r.By) + " "), blocks.Ago(r.At), blocks.Plain(".")}
	if r.Sync.Confirmed && p.Confirm != "" {
		line = append(line, blocks.Plain(" They confirmed that "+text.Sentence(p.Confirm)))
	}
	since := r.Since(p)
	if len(since) == 0 {
		return []blocks.Block{blocks.Text(append(line, blocks.Plain(" The plan has not changed since."))...)}
	}
	return []blocks.Block{blocks.Text(line...), blocks.Text(blocks.Bold("Changed since")), sentences(since)}
}

func sentences(list []string) blocks.Block {
	var lines [][]blocks.Span
	for _, s := range list {
		lines = append(lines, []blocks.Span{blocks.Plain(s)})
	}
	return bullets(maxSince, lines)
}

// Withdrawn is shown to an approver instead of what can no longer be approved: what has changed since the request, and the plan as it
// would be now. With Metadata the person may request that themselves, in the same modal; the plan is then their own.
func Withdrawn(record posted.Record, since []string, plan posted.Plan, o Options) *View {
	r, p := record.View(), plan.View()
	next := " Nothing was done. Below is the current plan."
	if o.Metadata != "" && p.RefusedBecause == "" {
		next += " If you confirm it, it becomes your own request."
	}
	body := []blocks.Block{blocks.Text(blocks.Bold("⚠️ "+who(r.By)+"'s request was withdrawn."), blocks.Plain(next))}
	since = slices.DeleteFunc(slices.Clone(since), func(s string) bool { // the plan itself says it
		return p.RefusedBecause != "" && strings.HasSuffix(s, text.Sentence(p.RefusedBecause))
	})
	if len(since) > 0 {
		body = append(body, sentences(since))
	}
	made := shown(p, body)
	if o.Metadata == "" {
		return titled(title(p), made...)
	}
	return confirmable(p, o, made)
}

// Approved says that it goes on. link is the address of the thread, "" for none.
func Approved(record posted.Record, link string) *View {
	r := record.View()
	return titled(approvalTitle(r.Kind, r.Deletes()), fit("", blocks.Text(
		blocks.Bold("Approved. "), blocks.Plain(text.UpperFirst(text.Sentence(r.Summary))+" Follow progress in "), blocks.Link(link, "the thread"), blocks.Plain("."),
	))...)
}

// ApproveLooking is the first view of Approve.
func ApproveLooking(app action.App) *View { return Looking(approve, app) }

// who is the name of a person.
func who(p action.Person) string {
	return sanitize.Name(cmp.Or(p.Name, p.ID))
}
