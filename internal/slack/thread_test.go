package slack

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// emptyBackend knows one application, which has no history.
type emptyBackend struct{ Backend }

func (emptyBackend) Find(_ context.Context, t command.Target) (Found, error) {
	return Found{Matches: []Known{{App: incident.App{Namespace: "argocd", Name: t.Name}}}}, nil
}

func (emptyBackend) History(context.Context, incident.App) (History, error) { return History{}, nil }

// noDesk is asked for nothing.
type noDesk struct{ Actions }

type everybody struct{}

func (everybody) May(context.Context, string, string, incident.App, string) (bool, string) {
	return true, ""
}

// Slack brings a question again whose acknowledgement got lost, to any of the replicas.
func TestAQuestionThatAnotherReplicaHasAnsweredIsNotAnsweredAgain(t *testing.T) {
	for _, thread := range []string{"", "in a thread"} {
		t.Run(thread, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := workspacetest.New(t)
				bot := w.AddApp(workspace.App{})
				w.AddUser(workspace.User{Name: "dana"})
				deploys := w.AddChannel("deploys", "dana", "argo")
				replica := func() *App {
					transport := &http.Client{Transport: w.Transport()}
					a, err := New(Options{
						BotToken: bot.BotToken, AppToken: bot.AppToken, Team: w.TeamID(), APIURL: "http://slack.test/api", HTTP: transport, Registry: prometheus.NewRegistry(),
						Backend: emptyBackend{}, Viewer: everybody{}, Actions: noDesk{}, Key: button.NewKey("secret"), Sender: deliver.New(deliver.Options{Client: NewClient(bot.BotToken, "", "http://slack.test/api", transport)}),
					})
					if err != nil {
						t.Fatal(err)
					}
					if err := a.identify(t.Context()); err != nil {
						t.Fatal(err)
					}
					return a
				}
				root := ""
				if thread != "" {
					root, _ = w.Say("dana", "deploys", "it hangs", "")
				}
				ts, err := w.Say("dana", "deploys", "<@"+bot.BotUserID+"> history web", root)
				if err != nil {
					t.Fatal(err)
				}
				ask := func(a *App, again bool) string {
					time.Sleep(time.Minute)
					q := newQuestion(asker{way: command.Mention, channel: deploys.ID(), ts: ts, thread: root}, command.Command{Verb: command.History, Target: command.Target{Name: "web"}})
					q.again = again
					return a.handle(t.Context(), q)
				}
				if got := ask(replica(), true); got != answered {
					t.Errorf("the first: %s", got)
				}
				if got := ask(replica(), true); got != answerDuplicate {
					t.Errorf("the second: %s", got)
				}
				if n := len(deploys.All()); n != 2 && root == "" || n != 3 && root != "" {
					t.Errorf("%d messages", n)
				}
			})
		})
	}
}
