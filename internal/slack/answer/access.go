package answer

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// access says who may do what.
type access struct {
	backend Backend
	places  *audience.Places
	actions Actions
	replies *request.Replier
	log     *slog.Logger
}

// answer says who may do what about an application. It names people, so only the person who asks is told: nobody is called.
func (a access) answer(ctx context.Context, q *query, k apps.Known) error {
	list, err := a.actions.Access(ctx, action.Person{ID: q.User, Name: q.Name}, k.App, k.Project)
	if err != nil {
		return fmt.Errorf("read who can do what with %s: %w", k.App.Full(), err)
	}
	who := a.places.Person(ctx, q.User, q.Channel)
	title := "Who can do what with " + k.App.Label()
	var rows [][]blocks.Span
	for _, each := range list {
		rows = append(rows, permission(posted.AccessTo(who, k.App, each)))
	}
	body := []blocks.Block{blocks.Text(blocks.Bold(title), blocks.Plain(inProject(k))), blocks.Bullets(rows...), a.account(ctx, q, k.App.Instance)}
	return a.replies.Privately(ctx, q.Request, *render.Compose(title, body, ""))
}

// account says whom Argo CD takes the bot for: the one that rights are given to, whatever a configuration or an example calls it.
func (a access) account(ctx context.Context, q *query, instance string) blocks.Block {
	who := "The bot's account in " + strings.TrimSpace("Argo CD "+instance)
	name, err := a.backend.Account(ctx, instance)
	if err != nil {
		a.log.Warn("the bot's account not read", "question", q.ID, "instance", instance, "error", err)
		return blocks.Context(who+" could not be read just now", "", never)
	}
	return blocks.Text(blocks.Plain(who+": "), blocks.Mono(name))
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
func permission(seen posted.Access) []blocks.Span {
	p := seen.View()
	line := []blocks.Span{blocks.Bold(dialog.Title(p.Kind))}
	could := dialog.People(p.Could)
	switch {
	case p.Guest:
		line = append(line, blocks.Plain(": 🚫 you can't, as a guest of this workspace who is not named under users"))
		if len(could) > 0 {
			line = slices.Concat(line, []blocks.Span{blocks.Plain("; allowed: ")}, could)
		}
	case p.Everybody && p.May:
		line = append(line, blocks.Plain(": ✅ anyone in the incident's channel can"))
	case p.May:
		line = append(line, blocks.Plain(": ✅ you can"))
		if len(could) > 0 {
			line = slices.Concat(line, []blocks.Span{blocks.Plain("; allowed: ")}, could)
		}
	case len(could) > 0:
		line = slices.Concat(line, []blocks.Span{blocks.Plain(": 🚫 you can't; allowed: ")}, could)
	default:
		line = append(line, blocks.Plain(": 🚫 no one can"))
	}
	if p.Approval != nil {
		line = append(line, blocks.Plain(". Someone else has to approve it"))
		if from := dialog.People(*p.Approval); len(from) > 0 {
			line = slices.Concat(line, []blocks.Span{blocks.Plain(": ")}, from)
		}
	}
	if p.NotNow != "" {
		line = append(line, blocks.Plain(". Not available now: "+render.ShortLine(string(p.NotNow), maxNotNow)))
	}
	return line
}

// maxNotNow is a line or two.
const maxNotNow = 300
