package answer

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// lookingAt is said while the answer is on its way.
func lookingAt(c *command.Command) *render.Message {
	switch {
	case c.Verb == command.List:
		return render.Text("Looking at what is failing…")
	case c.Verb == command.Audit:
		return render.Text("Looking at what was done…")
	}
	return render.Text(fmt.Sprintf("Looking at %s…", command.Code(c.Target.String())))
}

// help is all that can be asked.
func help(call string) *render.Message {
	line := func(text string, words ...string) []blocks.Span {
		return []blocks.Span{blocks.Mono(strings.TrimSpace(call + " " + strings.Join(words, " "))), blocks.Plain("  " + text)}
	}
	return render.Compose("What can be asked", []blocks.Block{
		blocks.Text(blocks.Bold("What can be asked")),
		blocks.Bullets(
			line("why it is failing, and what helps", "why", "APP"),
			line("all that is failing now, by cause", "list"),
			line("what differs between Git and the cluster, and who wrote it", "diff", "APP"),
			line("the last deployments, and what failed when", "history", "APP"),
			line("who may do what about it: the buttons in its thread", "access", "APP"),
			line("what was done from here, by whom and with which result", "audit", "[APP]"),
		),
		blocks.Text(render.Spans("`APP` is `my-app`, `namespace/my-app`, `instance/namespace/my-app`, or the address of its page in Argo CD. Beside the slash command, mention me in a channel or write to me; in a thread about an application its name can be left out.")...),
	}, "")
}
