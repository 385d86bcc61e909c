package slack

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack/act"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// Options are what the bot needs. Those without a default are required.
type Options struct {
	// BotToken is xoxb-…, AppToken xapp-… with connections:write.
	BotToken, AppToken string
	// Team is the ID of the only workspace that is served: T…, or E… of an organisation.
	Team string

	Backend Backend
	Viewer  apps.Viewer
	// Acting is the viewer for those who act; nil is Viewer.
	Acting apps.Viewer
	// Places say who reads what is answered.
	Places *audience.Places
	// People says who is a member.
	People *people.Directory
	Sender request.Sender
	// Links lead to the pages of the applications.
	Links render.Links
	// Actions takes what people want to have done. Key is what the values of their buttons are signed with.
	Actions Actions
	Key     button.Key
	// Jobs are those that the help names; nil for none.
	Jobs func(now time.Time) []answer.Job
	// Registry takes the metrics; nil for none.
	Registry prometheus.Registerer
	Log      *slog.Logger

	// APIURL is the address of the Web API, "" for Slack's own. HTTP and Dial make the connections; nil for the usual. HTTP has no
	// time-out of its own: see NewClient.
	APIURL string
	HTTP   *http.Client
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)

	// Workers answer at the same time, and as many do what was clicked; Queue requests wait for them.
	Workers, Queue int
	// Timeout is for one answer, Drain for all that are under way when the bot is stopped.
	Timeout, Drain time.Duration
}

// Backend knows the applications, for answering and acting.
type Backend interface {
	answer.Backend
	act.Opener
}

// Actions is where actions are asked for, and what knows of them; of *remedy.Service.
type Actions interface {
	act.Actions
	answer.Actions
}

var _ request.Sender = (*deliver.Sender)(nil)

func (o Options) withDefaults() Options {
	set := func(at *int, to int) {
		if *at == 0 {
			*at = to
		}
	}
	wait := func(at *time.Duration, to time.Duration) {
		if *at == 0 {
			*at = to
		}
	}
	set(&o.Workers, 8)               // a diagnosis waits for Argo CD nearly all the time
	set(&o.Queue, 128)               // at two seconds each, the last of them waits half a minute
	wait(&o.Timeout, 45*time.Second) // people leave earlier; all calls of an answer have it in common
	wait(&o.Drain, 15*time.Second)   // Kubernetes waits 30 s before it kills
	if o.Acting == nil {
		o.Acting = o.Viewer
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// App is the bot in Slack.
type App struct {
	socket *socket.Socket
	answer *answer.Answerer
	act    *act.Actor
}

// New makes the bot; nothing is connected yet.
func New(o Options) (*App, error) {
	for _, r := range []struct {
		name    string
		missing bool
	}{
		{"BotToken", o.BotToken == ""}, {"AppToken", o.AppToken == ""}, {"Team", o.Team == ""},
		{"Backend", o.Backend == nil}, {"Viewer", o.Viewer == nil}, {"Places", o.Places == nil}, {"People", o.People == nil}, {"Sender", o.Sender == nil},
		{"Actions", o.Actions == nil}, {"Key", o.Key.IsZero()},
	} {
		if r.missing {
			return nil, fmt.Errorf("slack: %s is not set", r.name)
		}
	}
	o = o.withDefaults()
	api, team := NewClient(o.BotToken, "", o.APIURL, o.HTTP), socket.Team(o.Team)
	opening := *o.HTTP
	opening.Timeout = socket.OpenTimeout
	replies := &request.Replier{API: api, HTTP: o.HTTP, Sender: o.Sender, Log: o.Log}
	handler := request.NewHandler(o.Timeout, o.Registry, o.Log)
	a := &App{
		answer: answer.New(answer.Options{
			API: api, Team: team, Backend: o.Backend, Viewer: o.Viewer, Places: o.Places, People: o.People, Channels: shared.New(api, o.Log), Actions: o.Actions, Links: o.Links, Key: o.Key,
			Replies: replies, Handler: handler, Registry: o.Registry, Log: o.Log, Jobs: o.Jobs,
		}),
		act: act.New(act.Options{
			API: api, Team: team, Apps: o.Backend, Viewer: o.Acting, Places: o.Places, People: o.People, Actions: o.Actions, Opener: o.Backend, Key: o.Key,
			Replies: replies, Handler: handler, Registry: o.Registry, Log: o.Log,
		}),
	}
	a.socket = socket.New(socket.Options{
		API: api, Opener: NewClient(o.BotToken, o.AppToken, o.APIURL, &opening), Team: team, Read: a.read, Dial: o.Dial, Workers: o.Workers, Queue: o.Queue, Drain: o.Drain, Registry: o.Registry, Log: o.Log,
	})
	return a, nil
}

// read has an envelope understood by those who know what it is about. It is pure but for the clock.
func (a *App) read(e socketmode.Event, self socket.Identity) socket.Envelope {
	switch data := e.Data.(type) {
	case slack.SlashCommand:
		return a.answer.Slash(data, self)
	case slackevents.EventsAPIEvent:
		return a.answer.Event(data, e.Request.RetryAttempt > 0, self)
	case slack.InteractionCallback:
		switch clicked := data.ActionCallback.BlockActions; {
		case data.Type == slack.InteractionTypeViewSubmission:
			return a.act.Submission(data, self)
		case data.Type == slack.InteractionTypeBlockActions && len(clicked) > 0 && act.Acts(clicked[0].ActionID):
			return a.act.Click(data, self)
		}
		return a.answer.Choice(data, self)
	}
	return socket.Envelope{Kind: string(e.Type), Foreign: true} // whose it is it does not say
}

// Run listens and answers until the context ends; then it takes nothing more, finishes what it has, for as long as
// Drain at most, and closes the socket. What it cannot finish is told to those who asked.
func (a *App) Run(ctx context.Context) error { return a.socket.Run(ctx) }

// Alive is nil while the bot hears Slack: what readiness asks. Else the error says what is wrong, and for how long.
func (a *App) Alive() error { return a.socket.Alive() }

// NewClient is a client of Slack's Web API without retries. appToken may be empty where no socket is opened, apiURL for
// Slack's own address, and client nil for one of its own.
//
// A call has the time of its context, and whoever makes it limits that: the client has no time-out for all calls, as it could
// not know what each of them is for.
func NewClient(botToken, appToken, apiURL string, client *http.Client) *slack.Client {
	if client == nil {
		client = &http.Client{}
	}
	options := []slack.Option{slack.OptionAppLevelToken(appToken), slack.OptionHTTPClient(client)}
	if apiURL != "" {
		options = append(options, slack.OptionAPIURL(strings.TrimSuffix(apiURL, "/")+"/"))
	}
	return slack.New(botToken, options...)
}
