package slack_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// scene is a workspace with two people, a channel with the bot and one without it, and the bot at work.
type scene struct {
	*workspace.Workspace
	t            *testing.T
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
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspacetest.New(t), "http://slack.test")
		s.options.HTTP = &http.Client{Transport: s.Transport()}
		s.options.Dial = s.DialContext
		s.start(change)
		defer s.end()
		story(t, s)
	})
}

func newScene(t *testing.T, w *workspace.Workspace, url string) *scene {
	s := &scene{Workspace: w, t: t, backend: newBackend(t), registry: prometheus.NewRegistry()}
	s.bot = w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}})
	s.dana, s.erin = w.AddUser(workspace.User{Name: "dana"}), w.AddUser(workspace.User{Name: "erin"})
	s.deploys = w.AddChannel("deploys", "dana", "erin", "argo")
	s.ops = w.AddChannel("ops", "dana", "erin")
	s.options = slack.Options{
		BotToken: s.bot.BotToken, AppToken: s.bot.AppToken, Team: w.TeamID(), APIURL: url + "/api",
		Backend: s.backend, Viewer: access.New(nil, nil), Registry: s.registry,
		Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	return s
}

func (s *scene) start(change func(*slack.Options)) {
	s.t.Helper()
	s.options.Sender = deliver.New(deliver.Options{Client: slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)})
	if change != nil {
		change(&s.options)
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
	s.await("the bot to connect", func() bool { return s.Sockets(s.bot) == 1 && app.Alive() == nil })
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

// say writes as dana and waits likewise.
func (s *scene) say(channel, text, thread string) (ts string) {
	s.t.Helper()
	ts, err := s.Say("dana", channel, strings.ReplaceAll(text, "@argo", "<@"+s.bot.BotUserID+">"), thread)
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

// menu is the newest message that only dana sees and that has something to choose.
func (s *scene) menu(channel string) workspace.Message {
	s.t.Helper()
	for _, m := range slices.Backward(s.Channel(channel).Ephemerals("dana")) {
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

// backend knows the applications of recorded cases.
type backend struct {
	mu        sync.Mutex
	apps      []slack.Known
	cases     map[string]*evidence.Case
	reports   map[string]*diagnose.Report
	incidents []*incident.Incident
	history   map[string]slack.History
	// err is what all of it answers, whyErr all but Find, refreshErr a refresh. hold, if set, is waited for before an answer.
	err, whyErr, refreshErr error
	hold                    chan struct{}
	panics                  bool
	asked                   int
}

var casesDir = filepath.Join("..", "diagnose", "rules", "testdata", "cases")

func newBackend(t *testing.T) *backend {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	b := &backend{cases: map[string]*evidence.Case{}, reports: map[string]*diagnose.Report{}, history: map[string]slack.History{}}
	for _, file := range []string{"hook/job-failed/lab-presync-hook-failed.json", "drift/manual-edit/lab-scale-drift.json"} {
		text, err := os.ReadFile(filepath.Join(casesDir, file))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := evidence.DecodeCases(text, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := engine.Diagnose(t.Context(), cases[0].Source(), cases[0].Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		report.App.Instance = "prod"
		b.apps = append(b.apps, slack.Known{App: report.App, Project: report.Context.Project})
		b.reports[report.App.Name], b.cases[report.App.Name] = report, cases[0]
	}
	return b
}

// also is the same application elsewhere.
func (b *backend) also(instance, namespace, name, project string) {
	b.apps = append(b.apps, slack.Known{App: incident.App{Instance: instance, Namespace: namespace, Name: name}, Project: project})
}

func (b *backend) begin(ctx context.Context) error {
	b.mu.Lock()
	b.asked++
	hold, panics, err := b.hold, b.panics, b.err
	b.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return fmt.Errorf("read application: %w", ctx.Err())
		}
	}
	if panics {
		panic("a rule fell over")
	}
	return err
}

func (b *backend) beginWhy(ctx context.Context) error {
	if err := b.begin(ctx); err != nil {
		return err
	}
	return b.whyErr
}

func (b *backend) Find(ctx context.Context, t command.Target) (slack.Found, error) {
	if err := b.begin(ctx); err != nil {
		return slack.Found{}, err
	}
	var f slack.Found
	for _, k := range b.apps {
		fits := (t.Instance == "" || t.Instance == k.App.Instance) && (t.Namespace == "" || t.Namespace == k.App.Namespace)
		switch {
		case fits && k.App.Name == t.Name:
			f.Matches = append(f.Matches, k)
		case strings.HasPrefix(k.App.Name, t.Name[:min(4, len(t.Name))]):
			f.Near = append(f.Near, k)
		}
	}
	return f, nil
}

func (b *backend) Why(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	if err := b.beginWhy(ctx); err != nil {
		return nil, err
	}
	report := b.reports[app.Name]
	if report == nil {
		return nil, incident.ErrGone
	}
	return report, nil
}

func (b *backend) Diff(ctx context.Context, app incident.App) (slack.Diff, error) {
	if err := b.beginWhy(ctx); err != nil {
		return slack.Diff{}, err
	}
	c := b.cases[app.Name]
	return slack.Compare(c.Application, c.Managed.Items), nil
}

func (b *backend) History(ctx context.Context, app incident.App) (slack.History, error) {
	return b.history[app.Name], b.beginWhy(ctx)
}

func (b *backend) Failing(ctx context.Context) ([]slack.Failing, error) {
	if err := b.beginWhy(ctx); err != nil {
		return nil, err
	}
	var out []slack.Failing
	for _, i := range b.incidents {
		f := slack.Failing{Incident: i}
		for _, m := range i.Members {
			project := "default"
			for _, k := range b.apps {
				if k.App == m.App {
					project = k.Project
				}
			}
			f.Members = append(f.Members, slack.Known{App: m.App, Project: project})
		}
		out = append(out, f)
	}
	return out, nil
}

func (b *backend) IncidentOf(_ context.Context, app incident.App) (*incident.Incident, error) {
	for _, i := range b.incidents {
		if i.Phase == incident.Open && i.Member(app) != nil {
			return i, nil
		}
	}
	return nil, nil
}

func (b *backend) IncidentByThread(_ context.Context, channel, ts string) (*incident.Incident, error) {
	for _, i := range b.incidents {
		if i.Thread.Channel == channel && i.Thread.TS == ts {
			return i, nil
		}
	}
	return nil, nil
}

func (b *backend) Refresh(ctx context.Context, app incident.App) (*incident.Incident, error) {
	if b.refreshErr != nil {
		return nil, b.refreshErr
	}
	return b.IncidentOf(ctx, app)
}

// oldButtons are those of a message that a former version has posted.
func oldButtons() slackgo.MsgOption {
	button := func(id, text string) *slackgo.ButtonBlockElement {
		return slackgo.NewButtonBlockElement(id, "v", slackgo.NewTextBlockObject(slackgo.PlainTextType, text, false, false))
	}
	return slackgo.MsgOptionBlocks(slackgo.NewActionBlock("", button("sync", "Sync…"), button("open-in-argocd", "Open in Argo CD").WithURL("https://argocd.example.com")))
}
