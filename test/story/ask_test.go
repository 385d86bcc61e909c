package story_test

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// listen has the bot hear what people ask.
func (b *bot) listen(ctx context.Context, o slack.Options) error {
	o.BotToken, o.AppToken, o.Team = b.lab.app.BotToken, b.lab.app.AppToken, b.lab.slack.TeamID()
	o.People = people.New(slack.NewClient(o.BotToken, "", o.APIURL, o.HTTP), o.Team, b.lab.log)
	viewer := audience.NewPolicy(nil, nil, o.People.Guests())
	o.Backend, o.Viewer, o.Acting, o.Sender, o.Dial, o.Log = backend{b}, viewer, viewer.Acting(), b.sender, b.dial, b.lab.log
	o.Actions = b.actions
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
	c, err := b.lab.slack.DialContext(ctx, network, addr)
	if err == nil {
		context.AfterFunc(b.alive, func() { _ = c.Close() })
	}
	return c, err
}

// backend answers out of the lab and the store of one process.
type backend struct{ *bot }

func (b backend) Find(_ context.Context, t command.Target, visible func(apps.Known) bool) (apps.Found, error) {
	b.lab.mu.Lock()
	defer b.lab.mu.Unlock()
	return apps.Search(t, b.lab.known(), visible), nil
}

// known are the applications that exist, as a directory has them.
func (l *lab) known() (all []apps.Known) {
	for app, r := range l.reports {
		to := r.Context.Destination
		all = append(all, apps.Known{App: app, Project: r.Context.Project, Cluster: cmp.Or(to.Name, to.Server)})
	}
	return all
}

func (b backend) Applications() []apps.Known {
	b.lab.mu.Lock()
	defer b.lab.mu.Unlock()
	return b.lab.known()
}

func (b backend) Rules() map[string]string {
	titles := map[string]string{}
	for _, r := range rules.All() {
		titles[r.ID] = r.Doc.Title
	}
	return titles
}

func (b backend) Account(context.Context, string) (string, error) { return "argo-why", nil }

func (b backend) Why(ctx context.Context, app incident.App, _ audience.Audience) (*diagnose.Report, error) {
	r, err := b.lab.Read(ctx, app)
	if err != nil {
		err = &request.Error{What: "Argo CD does not answer", Remedy: "try again", Err: err}
	}
	return r, err
}

func (b backend) Diff(context.Context, incident.App, audience.Audience) (answer.Diff, error) {
	return answer.Diff{}, nil
}

func (b backend) History(context.Context, incident.App) (answer.History, error) {
	return answer.History{}, nil
}

func (b backend) Failing(context.Context) ([]answer.Failing, error) {
	var out []answer.Failing
	for _, i := range b.store.Failing() {
		f := answer.Failing{Incident: i}
		all := b.Applications()
		for _, m := range i.Members {
			known := apps.Known{App: m.App}
			if at := slices.IndexFunc(all, func(k apps.Known) bool { return k.App == m.App }); at >= 0 {
				known = all[at]
			}
			f.Members = append(f.Members, known)
		}
		if len(i.Disconnected()) > 0 { // all depend on it
			f.Dependents = all
		}
		out = append(out, f)
	}
	return out, nil
}

func (b backend) IncidentOf(_ context.Context, app incident.App) (*incident.Incident, error) {
	return b.store.Of(app), nil
}

func (b backend) IncidentByThread(_ context.Context, channel, ts string) (*incident.Incident, error) {
	return b.store.ByThread(channel, ts), nil
}

func (b backend) Silent() []string {
	b.lab.mu.Lock()
	defer b.lab.mu.Unlock()
	if b.lab.argoDown {
		return []string{"prod"}
	}
	return nil
}

func (b backend) OpenThreads(_ context.Context, backlog, line string) ([]incident.App, error) {
	opened, touched := b.store.OpenThreads(backlog, line, time.Now())
	b.syncer.Touch(touched...)
	for _, app := range opened {
		b.reconciler.Add(app)
	}
	return opened, nil
}

func (b backend) Refresh(ctx context.Context, app incident.App) (*incident.Incident, error) {
	if err := b.reconciler.Look(ctx, app); err != nil {
		return nil, &request.Error{What: "Argo CD does not answer", Remedy: "try again", Err: err}
	}
	return b.store.Of(app), nil
}
