package dialog

import (
	"slices"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

// People are shown by name, in a message to one person or in a modal, so no one is notified.
// Groups come first; of many the rest is counted.
func People(who action.Who) []slack.RichTextSectionElement {
	var all []slack.RichTextSectionElement
	for _, id := range sortedIDs(who.Groups) {
		all = append(all, slack.NewRichTextSectionUserGroupElement(id))
	}
	for _, id := range sortedIDs(who.Users) {
		all = append(all, slack.NewRichTextSectionUserElement(id, nil))
	}
	var out []slack.RichTextSectionElement
	for i, e := range all[:min(maxPeople, len(all))] {
		if i > 0 {
			out = append(out, words(", "))
		}
		out = append(out, e)
	}
	if more := len(all) - maxPeople; more > 0 {
		out = append(out, words(" and "+text.More(more)))
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

func words(s string) slack.RichTextSectionElement {
	return slack.NewRichTextSectionTextElement(s, nil)
}

func section(elements ...slack.RichTextSectionElement) slack.Block {
	return slack.NewRichTextBlock("", slack.NewRichTextSection(elements...))
}

// Could is a line of those who could do it; nil when nobody can.
func Could(who action.Who) slack.Block {
	people := People(who)
	if len(people) == 0 {
		return nil
	}
	return section(slices.Concat([]slack.RichTextSectionElement{words("People who can do this: ")}, people, []slack.RichTextSectionElement{words(".")})...)
}

// approvers says that somebody else has to agree, and who that is.
func approvers(who action.Who) slack.Block {
	line := []slack.RichTextSectionElement{words("Someone else has to approve this")}
	if people := People(who); len(people) > 0 {
		line = slices.Concat(line, []slack.RichTextSectionElement{words(": ")}, people)
	}
	return section(append(line, words("."))...)
}

// approvalLine names the approvers and says until when they can approve.
func approvalLine(a *action.Approval) slack.Block {
	line := []slack.RichTextSectionElement{words("Approvers")}
	if a.Expires.Unix() > 0 {
		line = append(line, words(" (until "), clock(a.Expires), words(")"))
	}
	people := People(a.From)
	if len(people) == 0 {
		people = []slack.RichTextSectionElement{words("someone else")}
	}
	line = append(line, words(": "))
	return section(slices.Concat(line, people, []slack.RichTextSectionElement{words(".")})...)
}

// clock is a time of day where the reader is.
// https://docs.slack.dev/messaging/formatting-message-text#date-formatting
func clock(at time.Time) slack.RichTextSectionElement {
	fallback := text.Timestamp(at)
	return slack.NewRichTextSectionDateElement(at.Unix(), "{date_short_pretty} {time}", nil, &fallback)
}
