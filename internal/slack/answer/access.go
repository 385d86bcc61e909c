package answer

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// access says who may do what.
type access struct {
	backend Backend
	actions Actions
	replies *request.Replier
	log     *slog.Logger
}

// answer says who may do what about an application. It names people, so only the person who asks is told: nobody is called.
func (a access) answer(ctx context.Context, q *query, k apps.Known) error {
	list, err := a.actions.Access(ctx, action.Person{ID: q.User, Name: q.Name}, k.App, k.Project)
	if err != nil {
		return fmt.Errorf("read who can do what with %s: %w", k.App.Name, err)
	}
	title := "Who can do what with " + k.App.Name
	m := render.Compose(title, []blocks.Block{blocks.Text(blocks.Bold(title), blocks.Plain(inProject(k)))}, "")
	var rows []slack.RichTextElement
	for _, each := range list {
		rows = append(rows, slack.NewRichTextSection(permission(each)...))
	}
	if len(rows) > 0 {
		m.Blocks = append(m.Blocks, slack.NewRichTextBlock("", slack.NewRichTextList(slack.RTEListBullet, 0, rows...)))
	}
	m.Blocks = append(m.Blocks, a.account(ctx, q, k.App.Instance)...)
	return a.replies.Privately(ctx, q.Request, *m)
}

// account says whom Argo CD takes the bot for: the one that rights are given to, whatever a configuration or an example calls it.
func (a access) account(ctx context.Context, q *query, instance string) []slack.Block {
	who := "The bot's account in " + strings.TrimSpace("Argo CD "+instance)
	name, err := a.backend.Account(ctx, instance)
	if err != nil {
		a.log.Warn("the bot's account not read", "question", q.ID, "instance", instance, "error", err)
		return render.Compose("", []blocks.Block{blocks.Context(who+" could not be read just now", "", never)}, "").Blocks
	}
	return render.Compose("", []blocks.Block{blocks.Text(blocks.Plain(who+": "), blocks.Mono(name))}, "").Blocks
}

func inProject(k apps.Known) string {
	where := ""
	if k.App.Instance != "" {
		where += " in " + k.App.Instance
	}
	if k.Project != "" {
		where += ", project " + k.Project
	}
	return where
}

// permission is a line: the action, whether you may, who may, who approves, why not now.
func permission(p action.Access) []slack.RichTextSectionElement {
	words := func(s string) slack.RichTextSectionElement { return slack.NewRichTextSectionTextElement(s, nil) }
	bold := slack.NewRichTextSectionTextElement(dialog.Title(p.Kind), &slack.RichTextSectionTextStyle{Bold: true})
	line := []slack.RichTextSectionElement{bold}
	could := dialog.People(p.Could)
	switch {
	case p.Guest:
		line = append(line, words(": 🚫 you can't, as a guest of this workspace who is not named under users"))
		if len(could) > 0 {
			line = slices.Concat(line, []slack.RichTextSectionElement{words("; allowed: ")}, could)
		}
	case p.Everybody && p.May:
		line = append(line, words(": ✅ anyone in the incident's channel can"))
	case p.May:
		line = append(line, words(": ✅ you can"))
		if len(could) > 0 {
			line = slices.Concat(line, []slack.RichTextSectionElement{words("; allowed: ")}, could)
		}
	case len(could) > 0:
		line = slices.Concat(line, []slack.RichTextSectionElement{words(": 🚫 you can't; allowed: ")}, could)
	default:
		line = append(line, words(": 🚫 no one can"))
	}
	if p.Approval != nil {
		line = append(line, words(". Someone else has to approve it"))
		if from := dialog.People(*p.Approval); len(from) > 0 {
			line = slices.Concat(line, []slack.RichTextSectionElement{words(": ")}, from)
		}
	}
	if p.NotNow != "" {
		line = append(line, words(". Not available now: "+render.ShortLine(p.NotNow, maxNotNow)))
	}
	return line
}

// maxNotNow is a line or two.
const maxNotNow = 300
