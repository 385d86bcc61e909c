package render

import (
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// remainderRoot is the message that says how many failures are still to be posted in its channel.
func remainderRoot(i *incident.Incident, l Links) Message {
	if i.Phase == incident.Recovered {
		title := "✅ All waiting failures have been posted"
		return message([]blocks.Block{blocks.Header(title)}, nil, "", title)
	}
	title := "⏳ " + text.Count(i.Waiting, "more failure is", "more failures are") + " waiting to be posted"
	pace, list := "Slack accepts about one message per second in a channel. The most important come first.", "All of them now: "
	lines := blocks.Text(blocks.Plain(pace+"\n"+list), blocks.Mono(l.command()+" list"))
	return message([]blocks.Block{blocks.Header(title), lines}, nil, "", title, pace)
}
