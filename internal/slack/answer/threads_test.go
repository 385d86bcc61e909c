package answer

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/slack/socket"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// emptyBackend knows one application, which has no history.
type emptyBackend struct{ Backend }

func (emptyBackend) Find(_ context.Context, t command.Target, _ func(apps.Known) bool) (apps.Found, error) {
	return apps.Found{Matches: []apps.Known{{App: incident.App{Namespace: "argocd", Name: t.Name}}}}, nil
}

func (emptyBackend) History(context.Context, incident.App) (History, error) { return History{}, nil }

type everybody struct{}

func (everybody) May(context.Context, string, string, incident.App, string) apps.Sight {
	return apps.Sight{May: true}
}

func (everybody) Hidden(context.Context, string, string) string { return "" }

// Slack brings a request again whose acknowledgement got lost, to any of the replicas.
func TestARequestThatAnotherReplicaHasAnsweredIsNotAnsweredAgain(t *testing.T) {
	for _, thread := range []string{"", "in a thread"} {
		t.Run(thread, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := workspacetest.New(t)
				bot := w.AddApp(workspace.App{})
				dana := w.AddUser(workspace.User{Name: "dana"})
				deploys := w.AddChannel("deploys", "dana", "argo")
				transport := &http.Client{Transport: w.Transport()}
				api := slack.New(bot.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(transport))
				replica := func() *Answerer {
					log := slog.New(slog.DiscardHandler)
					return New(Options{
						API: api, Team: socket.Team(w.TeamID()), Backend: emptyBackend{}, Viewer: everybody{}, Places: &audience.Places{Policy: everybody{}, Channels: shared.New(api, log), Project: func(audience.App) string { return "" }}, People: people.New(api, w.TeamID(), log), Channels: shared.New(api, log), Log: log,
						Replies: &request.Replier{API: api, HTTP: transport, Sender: deliver.New(deliver.Options{Client: api}), Log: log},
						Handler: request.NewHandler(time.Minute, nil, log),
					})
				}
				root := ""
				if thread != "" {
					root, _ = w.Say("dana", "deploys", "it hangs", "")
				}
				ts, err := w.Say("dana", "deploys", "<@"+bot.BotUserID+"> history web", root)
				if err != nil {
					t.Fatal(err)
				}
				ask := func(a *Answerer, again bool) string {
					time.Sleep(time.Minute)
					by := request.Request{Way: command.Mention, User: dana.ID, Channel: deploys.ID(), TS: ts, Thread: root, Self: socket.Identity{User: bot.BotUserID}}
					return a.handle(t.Context(), &query{
						Request: request.New(by), command: command.Command{Verb: command.History, Target: command.Target{Name: "web"}}, again: again,
					})
				}
				if got := ask(replica(), true); got != outcomeAnswered {
					t.Errorf("the first: %s", got)
				}
				if got := ask(replica(), true); got != outcomeDuplicate {
					t.Errorf("the second: %s", got)
				}
				if n := len(deploys.All()); n != 2 && root == "" || n != 3 && root != "" {
					t.Errorf("%d messages", n)
				}
			})
		})
	}
}
