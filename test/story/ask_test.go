package story_test

import (
	"context"
	"net"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// listen has the bot hear what people ask.
func (b *bot) listen(ctx context.Context, o slack.Options) error {
	o.BotToken, o.AppToken, o.Team = b.world.app.BotToken, b.world.app.AppToken, b.world.slack.TeamID()
	o.Backend, o.Viewer, o.Sender, o.Dial, o.Log = backend{b}, access.New(nil, nil), b.sender, b.dial, b.world.log
	o.Actions = b.desk
	app, err := slack.New(o)
	if err != nil {
		return err
	}
	b.ended.Go(func() { _ = app.Run(ctx) })
	return nil
}

// dial opens a connection that breaks when the process dies.
func (b *bot) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if b.dead.Load() {
		return nil, errDead
	}
	c, err := b.world.slack.DialContext(ctx, network, addr)
	if err == nil {
		context.AfterFunc(b.alive, func() { _ = c.Close() })
	}
	return c, err
}

// backend answers out of the world and the book of one process.
type backend struct{ *bot }

func (b backend) Find(_ context.Context, t command.Target) (slack.Found, error) {
	b.world.mu.Lock()
	defer b.world.mu.Unlock()
	var all []slack.Known
	for app := range b.world.reports {
		all = append(all, slack.Known{App: app})
	}
	return slack.Search(t, all), nil
}

func (b backend) Why(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	r, err := b.world.Read(ctx, app)
	if err != nil {
		err = &slack.Trouble{What: "Argo CD does not answer", Remedy: "try again", Err: err}
	}
	return r, err
}

func (b backend) Diff(context.Context, incident.App) (slack.Diff, error) { return slack.Diff{}, nil }

func (b backend) History(context.Context, incident.App) (slack.History, error) {
	return slack.History{}, nil
}

func (b backend) Failing(context.Context) ([]slack.Failing, error) {
	var out []slack.Failing
	for _, i := range b.book.Failing() {
		f := slack.Failing{Incident: i}
		for _, m := range i.Members {
			f.Members = append(f.Members, slack.Known{App: m.App})
		}
		out = append(out, f)
	}
	return out, nil
}

func (b backend) IncidentOf(_ context.Context, app incident.App) (*incident.Incident, error) {
	return b.book.Of(app), nil
}

func (b backend) IncidentByThread(_ context.Context, channel, ts string) (*incident.Incident, error) {
	return b.book.ByThread(channel, ts), nil
}

func (b backend) Silent() []string {
	b.world.mu.Lock()
	defer b.world.mu.Unlock()
	if b.world.argoDown {
		return []string{"prod"}
	}
	return nil
}

func (b backend) Refresh(ctx context.Context, app incident.App) (*incident.Incident, error) {
	if err := b.reconciler.Look(ctx, app); err != nil {
		return nil, &slack.Trouble{What: "Argo CD does not answer", Remedy: "try again", Err: err}
	}
	return b.book.Of(app), nil
}
