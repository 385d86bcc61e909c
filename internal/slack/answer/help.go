package answer

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// lookingAt is said while the answer is on its way.
func lookingAt(c *command.Command) *render.Message {
	switch {
	case c.Verb == command.List:
		return render.Text("Checking what is failing…")
	case c.Verb == command.Audit:
		return render.Text("Reading the audit log…")
	}
	return render.Text(fmt.Sprintf("Checking %s…", command.Code(c.Target.String())))
}

// Job is what the bot does unasked, and when next; zero where it does it all the time.
type Job struct {
	What string
	Next time.Time
}

// help is all that can be asked, and what comes unasked.
func help(call string, jobs []Job) *render.Message {
	line := func(text string, words ...string) []blocks.Span {
		return []blocks.Span{blocks.Mono(strings.TrimSpace(call + " " + strings.Join(words, " "))), blocks.Plain("  " + text)}
	}
	body := []blocks.Block{
		blocks.Text(blocks.Bold("What you can ask")),
		blocks.Bullets(
			line("why it is failing and how to fix it", "why", "APP"),
			line("everything that is failing now, by cause, only for you", "list", "[FILTER…]"),
			line("what differs between Git and the cluster, and who changed it", "diff", "APP"),
			line("the latest deployments and failures", "history", "APP"),
			line("who can use the buttons in its thread", "access", "APP"),
			line("what was done from Slack, by whom, and how it ended", "audit", "[APP]"),
		),
		blocks.Text(render.Spans("`FILTER` is " + command.Filters + ". `list public` shows the list to everyone in the channel.")...),
		blocks.Text(render.Spans("`APP` is `my-app`, `namespace/my-app`, `instance/namespace/my-app`, or the URL of its page in Argo CD. Instead of the slash command you can mention the bot in a channel or send it a direct message. Slash commands don't work in threads, mentions do: in a thread about an application you can leave out its name.")...),
	}
	unasked := []string{"watches all applications"}
	var scheduled []blocks.Block
	for _, j := range jobs {
		if j.Next.IsZero() {
			unasked = append(unasked, j.What)
			continue
		}
		scheduled = append(scheduled, blocks.Text(blocks.Plain("Posted on schedule: "+j.What+", next "), blocks.Clock(j.Next)))
	}
	body = append(body, blocks.Text(blocks.Plain("Without being asked, the bot "+strings.Join(unasked, "; ")+".")))
	body = append(body, scheduled...)
	return render.Compose("What you can ask", body, "")
}
