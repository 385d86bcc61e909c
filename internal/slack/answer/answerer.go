package answer

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// Options are what an Answerer needs. Registry may be nil.
type Options struct {
	API      *slack.Client
	Team     socket.Team
	Backend  Backend
	Viewer   apps.Viewer
	Places   *audience.Places
	People   *people.Directory
	Channels *shared.Channels
	Actions  Actions
	Links    render.Links
	Key      button.Key
	Replies  *request.Replier
	Handler  *request.Handler
	Registry prometheus.Registerer
	Log      *slog.Logger
	// Jobs are those that the help names; nil for none.
	Jobs func(now time.Time) []Job
}

// Answerer answers what people ask.
type Answerer struct {
	team    socket.Team
	people  *people.Directory
	handler *request.Handler
	replies *request.Replier
	answers *prometheus.CounterVec
	log     *slog.Logger
	jobs    func(time.Time) []Job

	threads threads
	finder  finder
	why     why
	list    list
	diff    diff
	history history
	access  access
	audit   audit
}

// New makes an Answerer.
func New(o Options) *Answerer {
	threads := threads{api: o.API, log: o.Log}
	post := poster{o.Replies}
	readers := readers{o.Channels}
	find := finder{backend: o.Backend, places: o.Places, viewer: o.Viewer, threads: threads, replies: o.Replies, readers: readers}
	return &Answerer{
		team: o.Team, people: o.People, handler: o.Handler, replies: o.Replies, answers: newMetrics(o.Registry), log: o.Log, jobs: o.Jobs,
		threads: threads, finder: find,
		why:     why{backend: o.Backend, places: o.Places, actions: o.Actions, post: post, links: o.Links, key: o.Key, log: o.Log},
		list:    list{backend: o.Backend, places: o.Places, viewer: o.Viewer, key: o.Key, post: post, readers: readers},
		diff:    diff{backend: o.Backend, places: o.Places, post: post},
		history: history{backend: o.Backend, places: o.Places, post: post},
		access:  access{backend: o.Backend, places: o.Places, actions: o.Actions, replies: o.Replies, log: o.Log},
		audit:   audit{actions: o.Actions, viewer: o.Viewer, places: o.Places, finder: find, post: post},
	}
}

// The outcomes of an answer.
const (
	outcomeAnswered  = "answered"
	outcomeForeign   = "foreign"   // the person is no member, or Slack does not say so
	outcomeAsked     = "asked"     // which application?
	outcomeDuplicate = "duplicate" // it was answered before, perhaps by another replica
)

func newMetrics(r prometheus.Registerer) *prometheus.CounterVec {
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "argo_why_slack_answers_total", Help: "Questions from people, by command and outcome.",
	}, []string{"command", "outcome"})
	if r != nil {
		r.MustRegister(answers)
	}
	return answers
}

// handle answers a query, and whatever happens the person hears of it.
func (a *Answerer) handle(ctx context.Context, q *query) (outcome string) {
	verb := string(q.command.Verb)
	if q.reply != "" {
		verb = "none"
	}
	outcome = a.handler.Handle(ctx, request.Job{
		Request: q.Request, Label: verb, About: []any{"command", q.command.Verb, "app", q.command.Target},
		Do:   func(ctx context.Context) (string, error) { return a.answer(ctx, q) },
		Tell: func(ctx context.Context, m *render.Message) error { return a.replies.Privately(ctx, q.Request, *m) },
	})
	a.answers.WithLabelValues(verb, outcome).Inc()
	return outcome
}

// answer understands the query and answers it.
func (a *Answerer) answer(ctx context.Context, q *query) (outcome string, err error) {
	if q.again && a.threads.answeredBefore(ctx, q) {
		return outcomeDuplicate, nil
	}
	if !q.foreign {
		kind, err := a.people.Kind(ctx, q.User, q.claim)
		no := request.Stranger(kind, err)
		switch {
		case kind == people.Bot || kind == people.Deactivated:
			return outcomeForeign, nil // nobody would read it
		case no != "":
			return outcomeForeign, a.replies.Privately(ctx, q.Request, *render.Text(no))
		}
	}
	if q.reply != "" {
		return outcomeAnswered, a.replies.Privately(ctx, q.Request, *render.Text(q.reply))
	}
	if q.chosen {
		if err := a.replies.Replace(ctx, q.RespondTo, "", *lookingAt(&q.command)); err != nil {
			a.log.Warn("menu not removed", "question", q.ID, "error", err)
		}
	}
	switch q.command.Verb {
	case command.Help:
		return outcomeAnswered, a.replies.Privately(ctx, q.Request, *a.help(q.Call))
	case command.List:
		return a.list.answer(ctx, q)
	case command.Audit:
		return a.audit.answer(ctx, q)
	case command.Why, command.Diff, command.History, command.Access:
	}
	app, outcome, err := a.finder.find(ctx, q)
	if err != nil || outcome != outcomeAnswered {
		return outcome, err
	}
	switch q.command.Verb {
	case command.Diff:
		return outcomeAnswered, a.diff.answer(ctx, q, app)
	case command.History:
		return outcomeAnswered, a.history.answer(ctx, q, app)
	case command.Access:
		return outcomeAnswered, a.access.answer(ctx, q, app)
	default:
		return outcomeAnswered, a.why.answer(ctx, q, app)
	}
}

// help is all that can be asked now.
func (a *Answerer) help(call string) *render.Message {
	if a.jobs == nil {
		return help(call, nil)
	}
	return help(call, a.jobs(time.Now()))
}
