package story_test

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// listen has the bot hear what people ask.
func (b *bot) listen(ctx context.Context, o slack.Options) error {
	o.BotToken, o.AppToken, o.Team = b.lab.app.BotToken, b.lab.app.AppToken, b.lab.slack.TeamID()
	o.Backend, o.Sender, o.Dial, o.Log, o.Actions = backend{b}, b.sender, b.dial, b.lab.log, b.actions
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
	return apps.Search(t, b.Applications(), visible), nil // not under the lock: what is visible may depend on Slack
}

// known are the applications that exist, as a directory has them.
func (l *lab) known() (all []apps.Known) {
	for app, r := range l.reports {
		to := r.Context.Destination
		all = append(all, apps.Known{App: app, Project: l.seen.project(app), Cluster: cmp.Or(to.Name, to.Server)})
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

func (b backend) Why(ctx context.Context, app incident.App, who audience.Audience) (*diagnose.Report, error) {
	r, err := reader(b).readFor(ctx, app, who)
	if err != nil {
		err = &request.Error{What: "Argo CD does not answer", Remedy: "try again", Err: err}
	}
	return r, err
}

func (b backend) Diff(ctx context.Context, app incident.App, who audience.Audience) (posted.Diff, error) {
	c, err := b.lab.caseOf(app)
	if err != nil {
		return posted.Diff{}, err
	}
	source := gateway.NewOthers("prod", listing{b.lab}, who).Conceal(c.Source(), app)
	subject, err := source.Subject(ctx)
	if err != nil {
		return posted.Diff{}, err
	}
	managed, err := source.ManagedResources(ctx)
	if err != nil && !errors.Is(err, evidence.ErrAbsent) {
		return posted.Diff{}, err
	}
	return posted.DiffTo(who, app, subject.Application, managed), nil
}

func (b backend) History(_ context.Context, app incident.App) (answer.History, error) {
	c, err := b.lab.caseOf(app)
	if err != nil {
		return answer.History{}, err
	}
	h := answer.History{Deployments: c.Application.Status.History}
	for _, i := range b.store.All() {
		switch m := i.Member(app); {
		case m == nil:
		case i.Backlog():
			h.Incidents = append(h.Incidents, i.Part(*m))
		default:
			h.Incidents = append(h.Incidents, i)
		}
	}
	return h, nil
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
		f.Dependents = b.dependents(i, all)
		out = append(out, f)
	}
	return out, nil
}

// dependents are the applications that depend on the connections of an incident that fail: all, unless the story says which.
func (b backend) dependents(i *incident.Incident, all []apps.Known) []apps.Known {
	down := i.Disconnected()
	b.lab.mu.Lock()
	defer b.lab.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(all), func(k apps.Known) bool {
		return !slices.ContainsFunc(down, func(c incident.Connection) bool {
			of := b.lab.dependents[c.Address]
			return of == nil || slices.Contains(of, k.App)
		})
	})
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
