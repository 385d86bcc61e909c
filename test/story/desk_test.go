package story_test

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	actionbolt "github.com/argo-why/argo-why/internal/remedy/bolt"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// openDesk sets up what people may do, as serve does.
func (b *bot) openDesk(o slack.Options) error {
	w := b.world
	journal, err := actionbolt.Open(b.journal.DB())
	if err != nil {
		return err
	}
	groups := access.NewGroups(slack.NewClient(w.app.BotToken, "", o.APIURL, o.HTTP), w.log)
	b.desk = remedy.New(remedy.Options{
		Worlds: map[string]remedy.World{"prod": actions{b}}, Policy: remedy.NewPolicy(w.rules, groups.Fresh()),
		Journal: actionLogs{journal, b}, Teller: teller{b, o.Links}, Log: w.log,
	})
	return nil
}

// actionLogs is the journal of actions as one process has it.
type actionLogs struct {
	remedy.Journal
	bot *bot
}

func (j actionLogs) Get(ctx context.Context, app remedy.App) (l *remedy.ActionLog, err error) {
	err = j.bot.reach(func() error { l, err = j.Journal.Get(ctx, app); return err })
	return l, err
}

func (j actionLogs) List(ctx context.Context) (l []*remedy.ActionLog, err error) {
	err = j.bot.reach(func() error { l, err = j.Journal.List(ctx); return err })
	return l, err
}

func (j actionLogs) Put(ctx context.Context, l *remedy.ActionLog) error {
	return j.bot.world.around(j.bot, "put-action", func() error {
		return j.bot.reach(func() error { return j.Journal.Put(ctx, l) })
	})
}

// reach does something with the journal, unless it or the process is down. Reading is no step of a story.
func (b *bot) reach(do func() error) error {
	b.world.mu.Lock()
	down := b.world.logDown
	b.world.mu.Unlock()
	switch {
	case b.dead.Load():
		return errDead
	case down:
		return errDown
	}
	return do()
}

// teller is what serve has between actions and incidents.
type teller struct {
	*bot
	links render.Links
}

func (t teller) Tell(ctx context.Context, r *remedy.Record, n remedy.Note) error {
	number, touched, ok := t.book.Note(r, n, time.Now())
	if !ok {
		_, err := t.sender.Answer(ctx, r.Place.Channel, r.Place.Thread, render.Acted(r, n, t.links))
		return err
	}
	t.keeper.Touch(touched...)
	return t.keeper.Await(ctx, r.Place.Incident, number)
}

func (t teller) Show(r *remedy.Record) { t.keeper.Touch(t.book.Show(r, time.Now())...) }

func (t teller) Mute(app incident.App, by remedy.Person, until time.Time) bool {
	touched, ok := t.book.Mute(app, by, until, time.Now())
	t.keeper.Touch(touched...)
	return ok
}

func (t teller) Look(app incident.App) { t.reconciler.Add(app) }

func (t teller) Redraw(instance string) { t.keeper.Touch(t.book.Redraw(instance)...) }
