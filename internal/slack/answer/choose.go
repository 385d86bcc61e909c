package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

const (
	// chooseAction is the action of a menu; a button has its number behind it, as an action is unique in its block.
	chooseAction = "argo_why_choose"
	// linkAction begins the actions of buttons that open an address.
	linkAction = "open-"
	// maxButtons is how many choices are buttons: one tap on a phone. More become a menu.
	maxButtons = 5
	// https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element,
	// https://docs.slack.dev/reference/block-kit/composition-objects/option-object
	maxOptions = 100
	maxLabel   = 75
	maxValue   = 150
)

// offer asks which application is meant.
func (f finder) offer(ctx context.Context, q *query, content string, list []apps.Known) error {
	return f.replies.Privately(ctx, q.Request, *menu(q.command.Verb, q.Thread, content, list))
}

// menu offers applications as buttons or as a menu. The choice carries all that is needed to answer: after a restart, and
// on another replica, nothing is remembered. What does not fit into it, or into a menu, is to be written.
func menu(verb command.Verb, thread, content string, list []apps.Known) *render.Message {
	var left int
	values := make([]string, 0, len(list))
	labels := make([]string, 0, len(list))
	oneInstance := !slices.ContainsFunc(list, func(k apps.Known) bool { return k.App.Instance != list[0].App.Instance })
	for _, k := range list {
		value := choice(verb, k.App)
		if len(value) > maxValue || len(values) == maxOptions {
			left++
			continue
		}
		values, labels = append(values, value), append(labels, label(k.App, oneInstance))
	}
	if left > 0 {
		content += fmt.Sprintf(" (%d more are not listed: use `instance/namespace/name`.)", left)
	}
	m := render.Text(content)
	if len(values) > 0 {
		m.Blocks = append(m.Blocks, choices(values, labels).with(thread))
	}
	return m
}

type row struct{ *slack.ActionBlock }

// with keeps the thread, which a click on an ephemeral message does not tell.
func (r row) with(thread string) slack.Block {
	r.BlockID = chooseAction + " " + thread
	return r.ActionBlock
}

func choices(values, labels []string) row {
	if len(values) <= maxButtons {
		var buttons []slack.BlockElement
		for i, v := range values {
			buttons = append(buttons, slack.NewButtonBlockElement(fmt.Sprintf("%s_%d", chooseAction, i), v, blocks.PlainText(labels[i])))
		}
		return row{slack.NewActionBlock("", buttons...)}
	}
	var options []*slack.OptionBlockObject
	for i, v := range values {
		options = append(options, slack.NewOptionBlockObject(v, blocks.PlainText(labels[i]), nil))
	}
	return row{slack.NewActionBlock("", slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, blocks.PlainText("Choose an application"), chooseAction, options...))}
}

// label is the application as people tell it from the others. Of one that is too long the end is shown: that is where
// long names differ.
func label(app incident.App, oneInstance bool) string {
	before := app.Namespace + "/"
	if !oneInstance && app.Instance != "" {
		before = app.Instance + "/" + before
	}
	const least = 10 // a namespace has up to 63 characters
	before = sanitize.End(before, maxLabel-least)
	return before + sanitize.End(app.Name, maxLabel-utf8.RuneCountInString(before)) //nolint:forbidigo // its namespace is in front
}

// choice is the value of an option, readChosen reads it. Blanks are in none of the parts.
func choice(verb command.Verb, app incident.App) string {
	return strings.Join([]string{string(verb), app.Instance, app.Namespace, app.Name}, " ")
}

func readChosen(value string) (command.Command, bool) {
	parts := strings.Split(value, " ")
	if len(parts) != 4 || parts[3] == "" {
		return command.Command{}, false
	}
	verb := command.Verb(parts[0])
	return command.Command{Verb: verb, Target: command.Target{Instance: parts[1], Namespace: parts[2], Name: parts[3]}},
		verb == command.Why || verb == command.Diff || verb == command.History
}
