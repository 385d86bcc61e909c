package story_test

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
	actionbolt "github.com/argo-why/argo-why/internal/action/bolt"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
)

// openActions sets up what people may do, as serve does.
func (b *bot) openActions(o slack.Options) error {
	l := b.lab
	journal, err := actionbolt.Open(b.journal.DB())
	if err != nil {
		return err
	}
	api := slack.NewClient(l.app.BotToken, "", o.APIURL, o.HTTP)
	groups, who := access.NewGroups(api, l.log), people.New(api, l.slack.TeamID(), l.log)
	asking := access.Standing{People: who, Viewer: audience.NewPolicy(l.seen.rules, groups.Fresh(), nil)}
	gateways := map[string]remedy.Gateway{}
	for _, name := range l.instances() {
		gateways[name] = gateway.Concealed{Gateway: actions{b}, Others: b.others}
	}
	b.actions = remedy.New(remedy.Options{
		Gateways: gateways, Policy: action.NewPolicy(l.rules, groups.Fresh(), who.FreshGuests()), Standing: asking,
		Journal: actionLogs{journal, b}, Notifier: deliver.Notes{Syncer: b.syncer, Threads: b.sender}, Mute: b.syncer.Mute, Look: b.look, Log: l.log,
	})
	return nil
}

// actionLogs is the journal of actions as one process has it.
type actionLogs struct {
	action.Journal
	bot *bot
}

func (j actionLogs) Get(ctx context.Context, app action.App) (l *action.Log, err error) {
	err = j.bot.reach(func() error { l, err = j.Journal.Get(ctx, app); return err })
	return l, err
}

func (j actionLogs) List(ctx context.Context) (l []*action.Log, err error) {
	err = j.bot.reach(func() error { l, err = j.Journal.List(ctx); return err })
	return l, err
}

func (j actionLogs) Put(ctx context.Context, l *action.Log) error {
	return j.bot.lab.around(j.bot, "put-action", func() error {
		return j.bot.reach(func() error { return j.Journal.Put(ctx, l) })
	})
}

func (j actionLogs) Delete(ctx context.Context, l *action.Log) error {
	return j.bot.reach(func() error { return j.Journal.Delete(ctx, l) })
}

// reach does something with the journal, unless it or the process is down. Reading is no step of a story.
func (b *bot) reach(do func() error) error {
	b.lab.mu.Lock()
	down := b.lab.logDown
	b.lab.mu.Unlock()
	switch {
	case b.dead.Load():
		return errDead
	case down:
		return errDown
	}
	return do()
}
