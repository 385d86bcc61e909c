package slack_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// scene is a workspace with two people, a channel with the bot and one without it, and the bot at work.
type scene struct {
	*workspace.Workspace
	t            testing.TB
	bot          workspace.App
	dana, erin   workspace.User
	deploys, ops *workspace.Channel
	backend      *backend
	app          *slack.App
	registry     *prometheus.Registry
	options      slack.Options
	stop         func()
	stopped      chan struct{}
	log          bytes.Buffer
}

// play runs a story in a bubble, where seconds take none.
func play(t *testing.T, change func(*slack.Options), story func(t *testing.T, s *scene)) {
	t.Helper()
	playIn(t, workspace.Options{}, change, story)
}

// playIn runs a story in a workspace of another kind.
func playIn(t *testing.T, in workspace.Options, change func(*slack.Options), story func(t *testing.T, s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspacetest.New(t, in), "http://slack.test")
		s.options.HTTP = &http.Client{Transport: s.Transport()}
		s.options.Dial = s.DialContext
		s.start(change)
		defer s.end()
		synctest.Wait() // until it was greeted
		story(t, s)
	})
}

func newScene(t testing.TB, w *workspace.Workspace, url string) *scene {
	s := &scene{Workspace: w, t: t, backend: newBackend(t), registry: prometheus.NewRegistry()}
	s.bot = w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}})
	s.dana, s.erin = w.AddUser(workspace.User{Name: "dana"}), w.AddUser(workspace.User{Name: "erin"})
	s.deploys = w.AddChannel("deploys", "dana", "erin", "argo")
	s.ops = w.AddChannel("ops", "dana", "erin")
	s.options = slack.Options{
		BotToken: s.bot.BotToken, AppToken: s.bot.AppToken, Team: w.TeamID(), APIURL: url + "/api",
		Backend: s.backend, Viewer: audience.NewPolicy(nil, nil, nil), Registry: s.registry, Actions: newFakeActions(), Key: button.NewKey("secret"),
		Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	return s
}

// start starts the bot and waits until it is connected.
func (s *scene) start(change func(*slack.Options)) {
	s.t.Helper()
	s.listen(change)
	s.await("the bot to connect", func() bool { return s.Sockets(s.bot) == 1 })
}

// places are those where routes add nothing to what the viewer says, and no text names an application.
func (s *scene) places() *audience.Places {
	api := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
	return &audience.Places{
		Policy: s.options.Viewer, Channels: shared.New(api, slog.New(slog.DiscardHandler)),
		Project: func(app audience.App) string {
			for _, k := range s.options.Backend.Applications() {
				if k.App == app {
					return k.Project
				}
			}
			return ""
		},
		Text: func(_ context.Context, _ audience.Audience, _ audience.App, text string) string { return text },
	}
}

// listen starts the bot.
func (s *scene) listen(change func(*slack.Options)) {
	s.t.Helper()
	s.options.Sender = deliver.New(deliver.Options{Client: slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)})
	if change != nil {
		change(&s.options)
	}
	if s.options.People == nil {
		s.options.People = people.New(slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP), s.options.Team, slog.New(slog.DiscardHandler))
	}
	if s.options.Places == nil {
		s.options.Places = s.places()
	}
	app, err := slack.New(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.app = app
	ctx, cancel := context.WithCancel(s.t.Context())
	s.stop, s.stopped = cancel, make(chan struct{})
	go func() {
		defer close(s.stopped)
		if err := app.Run(ctx); err != nil {
			s.t.Error(err)
		}
	}()
}

func (s *scene) end() {
	s.t.Helper()
	s.stop()
	<-s.stopped
	if s.t.Failed() {
		s.t.Log(s.log.String())
	}
	for _, f := range s.Timeouts() {
		s.t.Errorf("a person saw it fail: %+v", f)
	}
}

func (s *scene) await(what string, condition func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	if err := s.Await(ctx, condition); err != nil {
		s.t.Fatalf("waited for %s: %v\n%s", what, err, s.all())
	}
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// settle lets the bot finish what it can: it posts one message per second into a channel.
func (s *scene) settle() {
	time.Sleep(10 * time.Second) // of the bubble
	synctest.Wait()
}

// slash gives a command as dana and waits until the bot has nothing more to say.
func (s *scene) slash(channel, text string) {
	s.t.Helper()
	s.must(s.Command("dana", channel, "/argo", text))
	s.settle()
}

// say writes in #deploys as dana and waits likewise.
func (s *scene) say(text, thread string) (ts string) {
	s.t.Helper()
	ts, err := s.Say("dana", "deploys", strings.ReplaceAll(text, "@argo", "<@"+s.bot.BotUserID+">"), thread)
	s.must(err)
	s.settle()
	return ts
}

// alone is what only dana sees in a channel, all of it.
func (s *scene) alone(channel string) string {
	var b strings.Builder
	for _, m := range s.Channel(channel).Ephemerals("dana") {
		b.WriteString(read(m) + "\n")
	}
	return b.String()
}

// menu is the newest message in #deploys that only dana sees and that has something to choose.
func (s *scene) menu() workspace.Message {
	s.t.Helper()
	for _, m := range slices.Backward(s.deploys.Ephemerals("dana")) {
		if strings.Contains(string(m.Blocks), `"actions"`) {
			return m
		}
	}
	s.t.Fatalf("dana has nothing to choose from\n%s", s.all())
	return workspace.Message{}
}

func (s *scene) all() string {
	var b strings.Builder
	for _, c := range s.Channels() {
		for _, m := range c.All() {
			fmt.Fprintf(&b, "#%s %s (thread %s): %s\n", c.Name(), m.TS, m.ThreadTS, read(m))
		}
		for _, m := range c.Ephemerals("dana") {
			fmt.Fprintf(&b, "#%s to dana alone: %s\n", c.Name(), read(m))
		}
	}
	return b.String()
}

// fromBot are the messages of the bot.
func (s *scene) fromBot(list []workspace.Message) []workspace.Message {
	return slices.DeleteFunc(list, func(m workspace.Message) bool { return m.User != s.bot.BotUserID })
}

func (s *scene) shows(got string, parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			s.t.Errorf("no %q in\n%s", part, got)
		}
	}
}

// read is a message as a person reads it: all texts of its blocks, links as text<address>, buttons as [text].
func read(m workspace.Message) string {
	var tree any
	if err := json.Unmarshal(m.Blocks, &tree); err != nil || len(m.Blocks) == 0 {
		return m.Text
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			kind, _ := v["type"].(string)
			text, isText := v["text"].(string)
			switch {
			case kind == "button":
				label, _ := v["text"].(map[string]any)
				fmt.Fprintf(&b, "[%v] ", label["text"])
				return
			case kind == "link":
				fmt.Fprintf(&b, "%s<%v>", text, v["url"])
			case kind == "user", kind == "usergroup", kind == "channel":
				fmt.Fprintf(&b, "@%v", cmp.Or(v["user_id"], v["usergroup_id"], v["channel_id"]))
			case kind == "date":
				fmt.Fprintf(&b, "%v", v["fallback"])
			case isText:
				b.WriteString(text)
			}
			walk(v["text"])
			walk(v["elements"])
			if options, ok := v["options"].([]any); ok {
				fmt.Fprintf(&b, "(%d options)", len(options))
			}
			if kind == "rich_text_section" || kind == "section" || kind == "header" || kind == "rich_text_preformatted" {
				b.WriteString("\n")
			}
		}
	}
	walk(tree)
	return b.String()
}

// oldButtons are those of a message that a former version has posted.
func oldButtons() slackgo.MsgOption {
	old := func(id, text string) *slackgo.ButtonBlockElement {
		return slackgo.NewButtonBlockElement(id, "v", slackgo.NewTextBlockObject(slackgo.PlainTextType, text, false, false))
	}
	return slackgo.MsgOptionBlocks(slackgo.NewActionBlock("", old("sync", "Sync…"), old("open-in-argocd", "Open in Argo CD").WithURL("https://argocd.example.com")))
}

// likeAnAnswer has the mark of an answer about courier-api.
func likeAnAnswer() slackgo.MsgOption {
	text := slackgo.NewTextBlockObject(slackgo.PlainTextType, "courier-api", false, false)
	return slackgo.MsgOptionBlocks(slackgo.NewHeaderBlock(text, slackgo.HeaderBlockOptionBlockID("argo_why_answer prod argocd courier-api ")))
}

// viewerFunc is a policy that is made when the IDs of people are known.
type viewerFunc func() *audience.Policy

func (f viewerFunc) May(ctx context.Context, user, channel string, app incident.App, project string) apps.Sight {
	return f().May(ctx, user, channel, app, project)
}

func (f viewerFunc) Hidden(ctx context.Context, user, channel string) string {
	return f().Hidden(ctx, user, channel)
}

// allIn are the members of every user group.
type allIn []string

func (a allIn) Members(context.Context, string) ([]string, error) { return a, nil }

// containsAct reports whether a message has a button that acts.
func containsAct(m workspace.Message) bool {
	return strings.Contains(string(m.Blocks), "argo_why_act_")
}
