package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// backend answers what people ask: it implements slack.Backend over all Argo CD instances and the book of incidents.
type backend struct {
	instances []*instance
	book      *incident.Store
}

// Find implements slack.Backend.
func (b *backend) Find(_ context.Context, t command.Target) (slack.Found, error) {
	among, err := b.meant(t)
	if err != nil {
		return slack.Found{}, err
	}
	var all []slack.Known
	var silent []string
	for _, in := range among {
		if in.known.size() == 0 && in.hears() != nil {
			silent = append(silent, in.name)
		}
		all = append(all, in.known.all()...)
	}
	found := slack.Search(t, all)
	if len(found.Matches) == 0 && len(silent) > 0 { // it may be there
		return slack.Found{}, &slack.Trouble{What: "Argo CD " + strings.Join(silent, ", ") + " has not answered yet", Remedy: "try again in a minute; the bot's readiness (/readyz) says what is wrong"}
	}
	return found, nil
}

// meant are the instances that a target may be in.
func (b *backend) meant(t command.Target) ([]*instance, error) {
	if t.Instance == "" && t.Host == "" {
		return b.instances, nil
	}
	var out []*instance
	var names []string
	for _, in := range b.instances {
		names = append(names, in.name)
		if t.Instance == in.name || t.Host != "" && t.Host == hostOf(in.url) {
			out = append(out, in)
		}
	}
	if len(out) == 0 {
		return nil, &slack.Trouble{What: fmt.Sprintf("there is no Argo CD %q", cmp.Or(t.Instance, t.Host)), Remedy: "this bot knows " + strings.Join(names, ", ")}
	}
	return out, nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// known is an application with its project; of one that is gone that of its last incident.
func (b *backend) known(app incident.App) slack.Known {
	project := ""
	if in := b.instance(app.Instance); in != nil {
		project, _ = in.known.project(app)
	}
	return slack.Known{App: app, Project: project}
}

func (b *backend) instance(name string) *instance {
	for _, in := range b.instances {
		if in.name == name {
			return in
		}
	}
	return nil
}

// Why implements slack.Backend.
func (b *backend) Why(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	in := b.instance(app.Instance)
	if in == nil {
		return nil, incident.ErrGone
	}
	report, err := in.Read(ctx, app)
	return report, trouble(err)
}

// Refresh implements slack.Backend.
func (b *backend) Refresh(ctx context.Context, app incident.App) (*incident.Incident, error) {
	in := b.instance(app.Instance)
	if in == nil {
		return nil, incident.ErrGone
	}
	if err := in.reconciler.Look(ctx, app); err != nil {
		return nil, trouble(err)
	}
	return b.book.Of(app), nil
}

// Failing implements slack.Backend.
func (b *backend) Failing(context.Context) ([]slack.Failing, error) {
	var out []slack.Failing
	for _, i := range b.book.Failing() {
		f := slack.Failing{Incident: i}
		for _, m := range i.Members {
			f.Members = append(f.Members, b.known(m.App))
		}
		out = append(out, f)
	}
	return out, nil
}

// Silent implements slack.Backend.
func (b *backend) Silent() (names []string) {
	for _, in := range b.instances {
		if in.hears() != nil {
			names = append(names, in.name)
		}
	}
	return names
}

// IncidentOf implements slack.Backend.
func (b *backend) IncidentOf(_ context.Context, app incident.App) (*incident.Incident, error) {
	return b.book.Of(app), nil
}

// IncidentByThread implements slack.Backend.
func (b *backend) IncidentByThread(_ context.Context, channel, ts string) (*incident.Incident, error) {
	return b.book.ByThread(channel, ts), nil
}

// History implements slack.Backend.
func (b *backend) History(ctx context.Context, app incident.App) (slack.History, error) {
	subject, err := b.subject(ctx, app)
	if err != nil {
		return slack.History{}, err
	}
	h := slack.History{Deployments: subject.Status.History}
	for _, i := range b.book.All() {
		if i.Member(app) != nil {
			h.Incidents = append(h.Incidents, i)
		}
	}
	return h, nil
}

func (b *backend) subject(ctx context.Context, app incident.App) (*evidence.Application, error) {
	in := b.instance(app.Instance)
	if in == nil {
		return nil, incident.ErrGone
	}
	subject, err := in.application(app).Subject(ctx)
	switch {
	case in.unknown(app, err):
		return nil, incident.ErrGone
	case err != nil:
		return nil, trouble(err)
	case subject.Application == nil:
		return nil, &slack.Trouble{What: "Argo CD does not show " + app.Name + ": " + evidence.OneLine(subject.Refusal), Remedy: "ask why " + app.Name}
	}
	return subject.Application, nil
}

// Diff implements slack.Backend.
func (b *backend) Diff(ctx context.Context, app incident.App) (slack.Diff, error) {
	in := b.instance(app.Instance)
	if in == nil {
		return slack.Diff{}, incident.ErrGone
	}
	source := in.source(in.application(app))
	subject, err := source.Subject(ctx)
	if err != nil || subject.Application == nil {
		_, err = b.subject(ctx, app) // says what is wrong
		return slack.Diff{}, err
	}
	managed, err := source.ManagedResources(ctx)
	if err != nil {
		return slack.Diff{}, trouble(err)
	}
	return slack.Compare(subject.Application, managed), nil
}

// trouble is an error of Argo CD in words for the person who asked.
func trouble(err error) error {
	var problem *argo.Error
	switch {
	case err == nil, errors.Is(err, incident.ErrGone):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &slack.Trouble{What: "Argo CD did not answer in time", Remedy: "try again", Err: err}
	case errors.As(err, &problem):
		what, remedy, _ := strings.Cut(problem.Error(), "; ")
		return &slack.Trouble{What: what, Remedy: remedy, Err: err}
	}
	return err
}
