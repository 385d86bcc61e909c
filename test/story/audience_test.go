package story_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/story"
)

// sight is what the configuration says about who sees what, and what Argo CD lists. It has a lock of its own: the lab asks it while it holds
// its own.
type sight struct {
	mu *sync.Mutex
	// routes are the channels of applications that are not reported in alerts, routesOf those of projects.
	routes   map[incident.App]string
	routesOf map[string]string
	// listed are the projects of all applications that exist, given those that the story says.
	listed, given map[incident.App]string
	rules         []audience.Rule
	// names are what cases call something, and what the story calls it.
	names [][2]string
}

func newSight() sight {
	return sight{
		mu: new(sync.Mutex), routes: map[incident.App]string{}, routesOf: map[string]string{},
		listed: map[incident.App]string{}, given: map[incident.App]string{},
	}
}

// route is the channel of an application. Where the project is not said it is known here.
func (s *sight) route(app incident.App, project string) string {
	project = cmp.Or(project, s.project(app))
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.routes[app], s.routesOf[project], "alerts")
}

// channels are all that something is reported in.
func (s *sight) channels() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{"alerts"}, slices.Sorted(maps.Values(s.routesOf))...)
}

// project is that of an application.
func (s *sight) project(app incident.App) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.given[app], s.listed[app])
}

// exists has Argo CD list an application as its report shows it, or no longer. One that is well stays in its project.
func (s *sight) exists(app incident.App, r *diagnose.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == nil {
		delete(s.listed, app)
		return
	}
	s.listed[app] = cmp.Or(r.Context.Project, s.listed[app], "default")
}

// place has an application be in the project that the story says.
func (s *sight) place(app incident.App, c *evidence.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to := s.given[app]; to != "" && c.Application != nil {
		c.Application.Spec.Project = to
	}
}

// renamed is a case with the names of the story.
func (s *sight) renamed(text []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.names {
		old := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(n[0]) + `($|[^\w-])`)
		for range 2 { // two that share a separator do not both fit
			text = old.ReplaceAll(text, []byte("${1}"+n[1]+"${2}"))
		}
	}
	return text
}

// restricted reports whether there are applications that not everybody sees.
func (s *sight) restricted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rules) > 0
}

// audience takes a step about who sees what.
func (s *script) audience(step story.Step) error {
	args := step.Args
	var rule audience.Rule
	if step.Verb == "access" {
		var err error
		if rule, err = s.accessRule(args[0], args[1], len(args) > 2); err != nil {
			return err
		}
	}
	at := &s.seen
	at.mu.Lock()
	defer at.mu.Unlock()
	switch {
	case step.Verb == "access":
		at.rules = append(at.rules, rule)
	case step.Verb == "called":
		at.names = append(at.names, [2]string{args[0], args[1]})
	case step.Verb == "project":
		for _, app := range args[1:] {
			at.given[named(app)] = args[0]
		}
	case len(args) == 3:
		at.routesOf[args[1]] = args[2]
	default:
		at.routes[named(args[0])] = args[1]
	}
	return nil
}

func (s *script) accessRule(projects, who string, public bool) (audience.Rule, error) {
	r := audience.Rule{Projects: strings.Split(projects, ","), Publish: public}
	if who == "everyone" {
		return r, nil
	}
	ids := story.IDs(s.slack)
	for name := range strings.SplitSeq(who, ",") {
		channel, is := strings.CutPrefix(name, "#")
		switch {
		case is:
			r.Channels = append(r.Channels, s.slack.Channel(channel).ID())
		case ids[name] == "":
			return r, fmt.Errorf("no person or group named %s", name)
		case strings.HasPrefix(name, "@"):
			r.Groups = append(r.Groups, ids[name])
		default:
			r.Users = append(r.Users, ids[name])
		}
	}
	return r, nil
}

// audiences sets up who sees what, as serve does.
func (b *bot) audiences(o *slack.Options, channelID func(context.Context, string) (string, error)) {
	l := b.lab
	api := slack.NewClient(l.app.BotToken, "", o.APIURL, o.HTTP)
	o.People = people.New(api, l.slack.TeamID(), l.log)
	viewer := audience.NewPolicy(l.seen.rules, access.NewGroups(api, l.log), o.People.Guests())
	channels := shared.New(api, l.log)
	channels.ID = channelID
	b.places = &audience.Places{Policy: viewer, Route: l.seen.route, Channels: channels, Project: l.seen.project}
	b.places.Text = func(ctx context.Context, who audience.Audience, app incident.App, text string) string {
		return gateway.NewOthers(app.Instance, listing{l}, who).Text(ctx, app, text)
	}
	o.Viewer, o.Acting, o.Places = viewer, viewer.Acting(), b.places
}

// reader reads applications for those who read the report: it implements incident.Reader.
type reader struct{ *bot }

// Read implements incident.Reader.
func (r reader) Read(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	return r.readFor(ctx, app, r.places.Reported(ctx, app, r.store.ChannelOf(app)))
}

func (r reader) readFor(ctx context.Context, app incident.App, who audience.Audience) (*diagnose.Report, error) {
	report, err := r.lab.read(app)
	if err != nil || !r.lab.seen.restricted() || report.Verdict == diagnose.VerdictHealthy || report.Verdict == diagnose.VerdictProgressing {
		return report, err
	}
	c, err := r.lab.caseOf(app)
	if err != nil {
		return nil, err
	}
	return r.lab.diagnosedFor(ctx, c, app, who)
}

// others are those that an application's evidence names, as those see them who read its thread.
func (b *bot) others(ctx context.Context, app incident.App) *gateway.Others {
	return gateway.NewOthers(app.Instance, listing{b.lab}, b.places.Reported(ctx, app, b.store.ChannelOf(app)))
}

// caseOf is an application as its Argo CD has it now.
func (l *lab) caseOf(app incident.App) (*evidence.Case, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.simulated[app]
	if s == nil {
		return nil, action.ErrGone
	}
	c, as := *s.Case, *s.Application
	as.Status.Resources = slices.Clone(as.Status.Resources)
	c.Application = &as
	return &c, nil
}

// diagnosedFor is the report of an application as somebody may read it: what internal/gateway makes of the evidence.
func (l *lab) diagnosedFor(ctx context.Context, c *evidence.Case, app incident.App, who audience.Audience) (*diagnose.Report, error) {
	e, err := engine()
	if err != nil {
		return nil, err
	}
	others := gateway.NewOthers(app.Instance, listing{l}, who)
	r, err := e.Diagnose(ctx, others.Conceal(c.Source(), app), c.Now.Time)
	if err != nil {
		return nil, err
	}
	r.App = app
	r = others.Report(r)
	l.mu.Lock()
	if s := l.simulated[app]; s != nil {
		redate(r, s.failed)
	}
	l.mu.Unlock()
	return r, nil
}

// listing implements gateway.Listing.
type listing struct{ *lab }

func (l listing) Named(name string) (apps []incident.App) {
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	for app := range l.seen.listed {
		if app.Name == name {
			apps = append(apps, app)
		}
	}
	slices.SortFunc(apps, incident.Compare)
	return apps
}

func (l listing) ProjectOf(app incident.App) (string, bool) {
	project := l.seen.project(app)
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	_, listed := l.seen.listed[app]
	return project, listed
}

func (l listing) HasProject(name string) bool {
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	for app, project := range l.seen.listed {
		if cmp.Or(l.seen.given[app], project) == name {
			return true
		}
	}
	return false
}
