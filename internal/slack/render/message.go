package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// Message is what chat.postMessage and chat.update take.
type Message struct {
	// Text is for notifications and screen readers: headline, cause and the advice on a sync, escaped.
	Text   string
	Blocks []slack.Block
}

// Digest is equal for messages that show the same.
func (m Message) Digest() string {
	raw, err := json.Marshal(m)
	if err != nil { // cannot be: these are plain structs
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// Links say where applications can be opened, and what the bot's command is.
type Links struct {
	// ArgoCD are the addresses of the user interfaces by the name of the instance: "" for the only one. An instance that is
	// not listed has no links.
	ArgoCD map[string]string
	// Command is the slash command, "/argo" where it is empty.
	Command string
}

func (l Links) command() string { return cmp.Or(l.Command, "/argo") }

// App is the address of an application's page, "" where there is none.
func (l Links) App(app diagnose.AppName) string {
	base := strings.TrimRight(l.ArgoCD[app.Instance], "/")
	if base == "" || app.Name == "" || posted.Private(app.Name) {
		return ""
	}
	path := base + "/applications/"
	if app.Namespace != "" {
		path += url.PathEscape(app.Namespace) + "/"
	}
	return path + url.PathEscape(app.Name)
}

// asked is a report whose commands people in Slack can use: they have no command line of ours, and ask here. It changes the
// report, which is a copy.
func (l Links) asked(r *diagnose.Report) *diagnose.Report {
	for i := range r.Findings {
		for j := range r.Findings[i].Fix {
			fix := &r.Findings[i].Fix[j]
			if app, ok := strings.CutPrefix(fix.Command, program.Name()+" why "); ok {
				fix.Command = l.command() + " why " + app
			}
		}
	}
	return r
}

// open is all there is to do about an application that no longer fails here.
func (l Links) open(app diagnose.AppName) blocks.Block {
	return blocks.Buttons(blocks.Button{ID: openInArgoCD, Text: "Open in Argo CD", URL: l.App(app)})
}

// message puts a message together. Where it is too long, rest says where the rest is.
func message(body, foot []blocks.Block, rest string, notice ...string) Message {
	var lines []string
	for _, line := range notice {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return Message{Text: blocks.Fallback(strings.Join(lines, "\n")), Blocks: blocks.Fit(body, foot, rest)}
}
