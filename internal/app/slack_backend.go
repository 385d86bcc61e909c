package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// slackBackend answers what people ask: it implements answer.Backend over all Argo CD instances and the store of incidents.
type slackBackend struct {
	instances []*instance
	shards    shards
	rules     map[string]string // titles by ID
}

// Find implements answer.Backend.
func (b *slackBackend) Find(_ context.Context, t command.Target, visible func(apps.Known) bool) (apps.Found, error) {
	among, err := b.candidates(t, visible)
	if err != nil {
		return apps.Found{}, err
	}
	var all []apps.Known
	var unlisted []string // whose applications are not known yet
	for _, in := range among {
		if in.Directory.Len() == 0 && in.ConnectionState() != nil {
			unlisted = append(unlisted, in.Name)
		}
		all = append(all, in.known()...)
	}
	found := apps.Search(t, all, visible)
	if len(found.Matches) == 0 && len(unlisted) > 0 { // it may be there
		return apps.Found{}, &request.Error{What: "Argo CD " + strings.Join(unlisted, ", ") + " has not responded yet", Remedy: "try again in a minute; the bot's /readyz endpoint shows what is wrong"}
	}
	return found, nil
}

// candidates are the instances that a target may be in. What it names as one may be a cluster instead, which is what messages call an application
// by where there is one instance.
func (b *slackBackend) candidates(t command.Target, visible func(apps.Known) bool) ([]*instance, error) {
	if t.Instance == "" && t.Host == "" {
		return b.instances, nil
	}
	var out []*instance
	var names []string
	for _, in := range b.instances {
		names = append(names, in.Name)
		if t.Instance == in.Name || t.Host != "" && t.Host == hostOf(in.url) {
			out = append(out, in)
		}
	}
	if len(out) == 0 && slices.ContainsFunc(b.Applications(), func(k apps.Known) bool { return k.IsOn(t.Instance) && visible(k) }) {
		return b.instances, nil
	}
	if len(out) == 0 {
		return nil, &request.Error{What: fmt.Sprintf("no Argo CD named %q", cmp.Or(t.Instance, t.Host)), Remedy: "the configured ones are " + strings.Join(names, ", ")}
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

// known are the applications that an Argo CD lists.
func (in *instance) known() (all []apps.Known) {
	for app, e := range in.Directory.All() {
		all = append(all, knownAs(app, e))
	}
	return all
}

func knownAs(app incident.App, e gateway.Entry) apps.Known {
	return apps.Known{App: app, Project: e.Project, Cluster: e.Cluster, Labels: e.Labels}
}

// Applications implements answer.Backend.
func (b *slackBackend) Applications() (all []apps.Known) {
	for _, in := range b.instances {
		all = append(all, in.known()...)
	}
	return all
}

// Rules implements answer.Backend.
func (b *slackBackend) Rules() map[string]string { return b.rules }

// Account implements answer.Backend.
func (b *slackBackend) Account(ctx context.Context, name string) (string, error) {
	in := instanceOf(b.instances, name)
	if in == nil {
		return "", incident.ErrGone
	}
	account, err := in.Account(ctx)
	return account, inWords(err)
}

// entry is what is known of an application; of one that is gone, what it had.
func (b *slackBackend) entry(app incident.App) apps.Known {
	var e gateway.Entry
	if in := instanceOf(b.instances, app.Instance); in != nil {
		e, _ = in.Directory.Entry(app)
	}
	return knownAs(app, e)
}

// Why implements answer.Backend.
func (b *slackBackend) Why(ctx context.Context, app incident.App, who audience.Audience) (*diagnose.Report, error) {
	in := instanceOf(b.instances, app.Instance)
	if in == nil {
		return nil, incident.ErrGone
	}
	report, err := in.Examine(ctx, app, who)
	return report, inWords(err)
}

// Refresh implements answer.Backend.
func (b *slackBackend) Refresh(ctx context.Context, app incident.App) (*incident.Incident, error) {
	s := b.shards.of(app.Instance)
	in := instanceOf(s.instances, app.Instance)
	switch {
	case in == nil:
		return nil, incident.ErrGone
	case s.handsOver():
		return s.refreshElsewhere(ctx, app)
	}
	if err := in.reconciler.Look(ctx, app); err != nil {
		return nil, inWords(err)
	}
	return s.incidents.Of(app), nil
}

const (
	// refreshWithin is how long the leader may take to read an application that somebody asks another replica about, and to write that down.
	refreshWithin = 10 * time.Second
	// refreshLook is how often to see whether it has.
	refreshLook = 100 * time.Millisecond
)

// refreshElsewhere has the leader read the application, and waits until the journal shows what it read.
func (s *shard) refreshElsewhere(ctx context.Context, app incident.App) (*incident.Incident, error) {
	ctx, cancel := context.WithTimeout(ctx, refreshWithin)
	defer cancel()
	was := s.incidents.Of(app)
	s.handOver.Ask(app)
	for ctx.Err() == nil {
		is := s.incidents.Of(app)
		if is == nil || was == nil || is.Version != was.Version || is.ID != was.ID {
			return is, nil
		}
		pause(ctx, refreshLook)
	}
	return nil, &request.Error{What: "the replica that updates the threads did not do it in time", Remedy: "see the lease " + kube.LeaseName(s.Name) + " for which one it is"}
}

// Failing implements answer.Backend.
func (b *slackBackend) Failing(context.Context) ([]answer.Failing, error) {
	var out []answer.Failing
	for _, i := range b.shards.merged((*incident.Store).Failing) {
		f := answer.Failing{Incident: i}
		for _, m := range i.Members {
			f.Members = append(f.Members, b.entry(m.App))
		}
		f.Dependents = b.dependents(i)
		out = append(out, f)
	}
	return out, nil
}

// Silent implements answer.Backend.
func (b *slackBackend) Silent() []string { return silentOf(b.instances) }

// silentOf are the names of those that do not respond.
func silentOf(instances []*instance) (names []string) {
	for _, in := range instances {
		if in.ConnectionState() != nil {
			names = append(names, in.Name)
		}
	}
	return names
}

// IncidentOf implements answer.Backend.
func (b *slackBackend) IncidentOf(_ context.Context, app incident.App) (*incident.Incident, error) {
	return b.shards.of(app.Instance).incidents.Of(app), nil
}

// IncidentByThread implements answer.Backend.
func (b *slackBackend) IncidentByThread(_ context.Context, channel, ts string) (*incident.Incident, error) {
	for _, s := range b.shards {
		if i := s.incidents.ByThread(channel, ts); i != nil {
			return i, nil
		}
	}
	return nil, nil
}

// History implements answer.Backend.
func (b *slackBackend) History(ctx context.Context, app incident.App) (answer.History, error) {
	in := instanceOf(b.instances, app.Instance)
	if in == nil {
		return answer.History{}, incident.ErrGone
	}
	subject, err := in.Application(ctx, app)
	if err != nil {
		return answer.History{}, inWords(err)
	}
	h := answer.History{Deployments: subject.Status.History}
	for _, i := range b.shards.of(app.Instance).incidents.All() {
		m := i.Member(app)
		switch {
		case m == nil:
		case i.Backlog():
			h.Incidents = append(h.Incidents, i.Part(*m))
		default:
			h.Incidents = append(h.Incidents, i)
		}
	}
	return h, nil
}

// OpenThreads implements act.Opener.
func (b *slackBackend) OpenThreads(ctx context.Context, backlog, line string) ([]incident.App, error) {
	for _, s := range b.shards {
		switch {
		case !s.incidents.Holds(backlog):
			continue
		case s.handsOver():
			return incident.Want(ctx, s.cluster, backlog, line)
		}
		opened, touched := s.incidents.OpenThreads(backlog, line, time.Now())
		s.syncer.Touch(touched...)
		for _, app := range opened {
			s.lookFirst(app)
		}
		return opened, nil
	}
	return nil, nil
}

// merged are the incidents of all shards, the newest first.
func (all shards) merged(of func(*incident.Store) []*incident.Incident) (out []*incident.Incident) {
	for _, s := range all {
		out = append(out, of(s.incidents)...)
	}
	slices.SortStableFunc(out, func(x, y *incident.Incident) int { return y.Seen.Compare(x.Seen) })
	return out
}

// Diff implements answer.Backend.
func (b *slackBackend) Diff(ctx context.Context, app incident.App, who audience.Audience) (posted.Diff, error) {
	in := instanceOf(b.instances, app.Instance)
	if in == nil {
		return posted.Diff{}, incident.ErrGone
	}
	subject, managed, err := in.Compare(ctx, app, who)
	if err != nil {
		return posted.Diff{}, inWords(err)
	}
	return posted.DiffTo(who, app, subject, managed), nil
}

// inWords is an error of Argo CD in words for the person who asked.
func inWords(err error) error {
	var problem *argo.Error
	var refused *gateway.RefusedError
	switch {
	case err == nil, errors.Is(err, incident.ErrGone):
		return err
	case errors.As(err, &refused):
		return &request.Error{What: "Argo CD does not show " + refused.Name + ": " + string(refused.Refusal), Remedy: "ask why " + refused.Name}
	case errors.Is(err, context.DeadlineExceeded):
		return &request.Error{What: "Argo CD did not answer in time", Remedy: "try again", Err: err}
	case errors.As(err, &problem):
		what, remedy, _ := strings.Cut(problem.Error(), "; ")
		return &request.Error{What: what, Remedy: remedy, Err: err}
	}
	return err
}
