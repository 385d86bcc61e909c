package dialog

import (
	"slices"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// People are shown by name, in a message to one person or in a modal, so no one is notified.
// Groups come first; of many the rest is counted.
func People(who action.Who) []blocks.Span {
	var all []blocks.Span
	for _, id := range sortedIDs(who.Groups) {
		all = append(all, blocks.Group(id))
	}
	for _, id := range sortedIDs(who.Users) {
		all = append(all, blocks.User(id))
	}
	var out []blocks.Span
	for i, s := range all[:min(maxPeople, len(all))] {
		if i > 0 {
			out = append(out, blocks.Plain(", "))
		}
		out = append(out, s)
	}
	if more := len(all) - maxPeople; more > 0 {
		out = append(out, blocks.Plain(" and "+text.More(more)))
	}
	return out
}

// maxPeople are named at most.
const maxPeople = 12

func sortedIDs(ids []string) []string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}

// between are spans with a text before and behind them.
func between(before string, spans []blocks.Span, behind string) []blocks.Span {
	return slices.Concat([]blocks.Span{blocks.Plain(before)}, spans, []blocks.Span{blocks.Plain(behind)})
}

// could is a line of those who could do it; empty when nobody can.
func could(who action.Who) blocks.Block {
	people := People(who)
	if len(people) == 0 {
		return blocks.Text()
	}
	return blocks.Text(between("People who can do this: ", people, ".")...)
}

// approvers says that somebody else has to agree, and who that is.
func approvers(who action.Who) blocks.Block {
	lead := []blocks.Span{blocks.Plain("Someone else has to approve this")}
	if people := People(who); len(people) > 0 {
		return blocks.Text(append(lead, between(": ", people, ".")...)...)
	}
	return blocks.Text(append(lead, blocks.Plain("."))...)
}

// approvalLine names the approvers and says until when they can approve.
func approvalLine(a *action.Approval) blocks.Block {
	line := []blocks.Span{blocks.Plain("Approvers")}
	if a.Expires.Unix() > 0 {
		line = append(line, blocks.Plain(" (until "), blocks.Clock(a.Expires), blocks.Plain(")"))
	}
	people := People(a.From)
	if len(people) == 0 {
		people = []blocks.Span{blocks.Plain("someone else")}
	}
	return blocks.Text(append(line, between(": ", people, ".")...)...)
}
