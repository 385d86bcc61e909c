package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// maxWait is for the slowest machine; what is awaited comes within a second or two.
const maxWait = 2 * time.Minute

// hookToken is what Argo CD's notifications show.
const hookToken = "0123456789abcdef0123456789abcdef"

// scene is the whole bot: an Argo CD with recorded applications and a Slack workspace, both over a port.
type scene struct {
	*testing.T
	*workspace.Workspace
	argo *argotest.Server
	http string // for hooks
	// metrics is for everything else that is asked over HTTP.
	metrics string
	ended   chan error
	cancel  context.CancelFunc
}

func play(t *testing.T, cases ...string) *scene {
	t.Helper()
	return playWith(t, "", cases...)
}

// playWith adds lines to the list of Argo CD instances.
func playWith(t *testing.T, instances string, cases ...string) *scene {
	t.Helper()
	var raw [][]byte
	for _, name := range cases {
		raw = append(raw, recorded(t, name, ""))
	}
	return playOn(t, argotest.NewServer(t, raw...), instances)
}

// playOn starts the bot beside an Argo CD.
func playOn(t *testing.T, argo *argotest.Server, instances string) *scene {
	t.Helper()
	s, c := set(t, argo, instances)
	s.start(Options{Config: c, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{ReplaceAttr: sanitizeAttr}))})
	return s
}

// set is a scene without a bot, and the bot's configuration.
func set(t *testing.T, argo *argotest.Server, instances string) (*scene, *config.Config) {
	t.Helper()
	w, url := workspacetest.Start(t)
	app := w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"}})
	w.AddUser(workspace.User{Name: "alice"})
	w.AddChannel("alerts", "alice", app.BotUserID)
	w.AddChannel("random", "alice")
	s := &scene{T: t, Workspace: w, argo: argo, ended: make(chan error, 1)}
	s.http, s.metrics = freeAddresses(t)
	t.Setenv("BOT_TOKEN", app.BotToken)
	t.Setenv("APP_TOKEN", app.AppToken)
	t.Setenv("ARGOCD_TOKEN", argotest.Token)
	t.Setenv("HOOK_TOKEN", hookToken)
	c, err := config.Parse([]byte(fmt.Sprintf(`
slack: {team: %s, botToken: {env: BOT_TOKEN}, appToken: {env: APP_TOKEN}, channel: alerts, apiURL: %s/api/}
argocd:
  - {name: prod, server: %q, plainText: true, token: {env: ARGOCD_TOKEN}, webhookToken: {env: HOOK_TOKEN}, url: https://argocd.example.com}
%s
incidents: {openAfter: 1ms, openAfterByRule: {"*": 1ms}, holdFor: 1ms, quietAfter: 0s}
journal: {kind: file, path: %s}
http: {listen: %q, metrics: %q}
`, w.TeamID(), url, s.argo.Address, instances, filepath.Join(t.TempDir(), "journal.db"), s.http, s.metrics)))
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func (s *scene) start(o Options) {
	s.Helper()
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(s.Context()))
	o.Version = "test"
	go func() { s.ended <- Run(ctx, o) }()
	s.Cleanup(s.stop)
	s.eventually("the bot listens", func() bool {
		c, err := new(net.Dialer).DialContext(s.Context(), "tcp", s.metrics) // the last
		return err == nil && c.Close() == nil
	})
}

// stop is SIGTERM, and what follows.
func (s *scene) stop() {
	if s.cancel == nil {
		return
	}
	s.cancel()
	s.cancel = nil
	select {
	case err := <-s.ended:
		if err != nil {
			s.Errorf("the bot ended with %v", err)
		}
	case <-time.After(maxWait):
		s.Error("the bot does not end")
	}
}

// recorded is a recorded case, of an application of another name if one is given.
func recorded(t *testing.T, name, app string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../diagnose/rules/testdata/cases", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if app == "" {
		return text
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	metadata, ok := evidence.Object(document).At("application", "metadata").(map[string]any)
	if !ok {
		t.Fatalf("%s has no application", name)
	}
	metadata["name"] = app
	text, err = json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// freeAddresses are two that differ, which two calls for one need not.
func freeAddresses(t *testing.T) (string, string) {
	t.Helper()
	a, b := listen(t), listen(t)
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	return a.Addr().String(), b.Addr().String()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// await waits until somebody sees a text in a channel: in a message, a reply, or one for alice alone.
func (s *scene) await(channel, text string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), maxWait)
	defer cancel()
	if err := s.Await(ctx, func() bool { return strings.Contains(s.shown(channel), text) }); err != nil {
		s.Fatalf("nobody sees %q in #%s:\n%s", text, channel, s.shown(channel))
	}
}

// eventually waits for something that nobody in the workspace sees.
func (s *scene) eventually(what string, is func() bool) {
	s.Helper()
	for deadline := time.Now().Add(maxWait); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("never: %s", what)
		}
	}
}

func (s *scene) shown(channel string) string {
	var b strings.Builder
	c := s.Channel(channel)
	for _, m := range append(c.All(), c.Ephemerals("alice")...) {
		fmt.Fprintln(&b, m.Text, string(m.Blocks))
	}
	return b.String()
}

func (s *scene) get(path string) (status int, body string) {
	s.Helper()
	return s.do(http.MethodGet, s.metrics, path, "", "")
}

func (s *scene) do(method, address, path, token, body string) (status int, answer string) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const (
	hookFailed = "hook/job-failed/lab-presync-hook-failed" // courier-api
	well       = "control/healthy/lab-healthy"
)

// TestFailureHasItsThreadAndTurnsGreen is the life of a failure, through every part of the bot.
func TestFailureHasItsThreadAndTurnsGreen(t *testing.T) {
	s := play(t, hookFailed, well)
	s.await("alerts", "courier-api: ")
	if roots := s.Channel("alerts").Messages(); len(roots) != 1 {
		t.Fatalf("%d threads, want one", len(roots))
	}
	if status, body := s.get("/readyz"); status != http.StatusOK {
		t.Errorf("not ready: %s", body)
	}
	if _, body := s.get("/metrics"); !strings.Contains(body, `argo_why_incidents{phase="Open"} 1`) {
		t.Error("the metrics know of no incident")
	}

	s.argo.AwaitWatch(t, 1)
	s.argo.Put(t, recorded(t, well, "courier-api"))
	s.await("alerts", "🟢 prod/courier-api: recovered")
	if roots := s.Channel("alerts").Messages(); len(roots) != 1 {
		t.Errorf("%d threads, want the one, updated", len(roots))
	}
}

// TestWhatPeopleAsk goes through the commands.
func TestWhatPeopleAsk(t *testing.T) {
	s := play(t, hookFailed, well)
	s.argo.Rename("chat-reader")
	s.await("alerts", "courier-api: ")
	s.eventually("told", func() bool { // message by message
		_, body := s.get("/metrics")
		return regexp.MustCompile(`argo_why_tells_total{outcome="ok"} [2-9]`).MatchString(body) // the root message, then the evidence
	})
	thread := s.Channel("alerts").Permalink(s.Channel("alerts").Messages()[0].TS)
	for ask, want := range map[string]string{
		"why courier-api":     thread,
		"why currier-api":     "No application named currier-api. Did you mean:",
		"list":                "is failing",
		"history courier-api": "History of prod/courier-api",
		"diff courier-api":    "courier-api",
		"access courier-api":  "chat-reader",
		"why nowhere/x":       "No application named",
		"help":                "What you can ask",
	} {
		t.Run(ask, func(t *testing.T) {
			s := &scene{T: t, Workspace: s.Workspace}
			if err := s.Command("alice", "random", "/argo", ask); err != nil {
				t.Fatal(err)
			}
			s.await("random", want)
		})
	}
	s.stop() // answers that are under way are finished
	if failures := s.Timeouts(); len(failures) > 0 {
		t.Errorf("people saw failures: %v", failures)
	}
}

// TestTwoArgoCDs: both are watched, the same name in both is asked about with a menu, and the silence of one does not keep the
// other from being told about.
func TestTwoArgoCDs(t *testing.T) {
	staging := argotest.NewServer(t, recorded(t, well, "courier-api"))
	s := playWith(t, fmt.Sprintf("  - {name: staging, server: %q, plainText: true, token: {env: ARGOCD_TOKEN}}", staging.Address), well)
	s.eventually("both have listed what they have", func() bool { status, _ := s.get("/readyz"); return status == http.StatusOK })
	staging.Delay("", time.Hour)
	s.argo.AwaitWatch(t, 1)
	s.argo.Put(t, recorded(t, hookFailed, ""))
	s.await("alerts", "courier-api: ")

	if err := s.Command("alice", "alerts", "/argo", "why courier-api"); err != nil {
		t.Fatal(err)
	}
	s.await("alerts", "2 applications are named")
	// "Checking …" goes through the socket and may arrive after the menu.
	seen := s.Channel("alerts").Ephemerals("alice")
	at := slices.IndexFunc(seen, func(m workspace.Message) bool { return strings.Contains(string(m.Blocks), "2 applications are named") })
	if at < 0 {
		t.Fatalf("no menu: %v", seen)
	}
	if text := string(seen[at].Blocks); !strings.Contains(text, "staging") || !strings.Contains(text, "prod") {
		t.Fatalf("no choice: %s", text)
	}
}

// TestHookBringsAFailureThatTheWatchIsSilentAbout: Argo CD's notifications call, and nothing else tells.
func TestHookBringsAFailureThatTheWatchIsSilentAbout(t *testing.T) {
	s := play(t, well)
	s.argo.AwaitWatch(t, 1)
	s.argo.Mute(true)
	failing := recorded(t, hookFailed, "")
	s.argo.Put(t, failing)
	for token, want := range map[string]int{"wrong": http.StatusUnauthorized, hookToken: http.StatusAccepted} {
		if status, body := s.do(http.MethodPost, s.http, "/hooks/argocd/prod", token, `{"app": "courier-api", "namespace": "argocd"}`); status != want {
			t.Fatalf("with token %s: %d %s, want %d", token, status, body, want)
		}
	}
	s.await("alerts", "courier-api: ")
}

// TestArgoCDThatIsAwayIsNoRecovery: what cannot be read says nothing.
func TestArgoCDThatIsAwayIsNoRecovery(t *testing.T) {
	s := play(t, hookFailed, well)
	s.await("alerts", "courier-api: ")
	s.argo.Stop()
	if err := s.Command("alice", "random", "/argo", "why courier-api"); err != nil {
		t.Fatal(err)
	}
	s.eventually("the person hears that Argo CD is away", func() bool { // how depends on when the connection broke
		said := s.shown("random")
		return strings.Contains(said, "does not answer") || strings.Contains(said, "closed the connection")
	})
	if strings.Contains(s.shown("alerts"), "🟢") {
		t.Error("called recovered while nobody knows")
	}
	s.eventually("not ready", func() bool { status, _ := s.get("/readyz"); return status == http.StatusServiceUnavailable })
	s.argo.Start(t)
	s.argo.AwaitWatch(t, 2)
	s.argo.Put(t, recorded(t, well, "courier-api"))
	s.await("alerts", "🟢 prod/courier-api: recovered")
}
