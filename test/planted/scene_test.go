package planted_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/test/planted"
)

// maxWait is for the slowest machine, shortWait for what would only be more to look at.
const maxWait, shortWait = 2 * time.Minute, 10 * time.Second

const argoToken = "token-of-the-account"

// scene is a bot as a process between an Argo CD, a Slack and a cluster.
type scene struct {
	*testing.T
	*chat
	table *planted.Table
	argo  *simulator.Server
	http  string // where the bot listens for hooks
	// metrics is where it is asked how it is.
	metrics string
	log     *locked
	file    string // the journal, where it is one
	packs   []planted.Pack
	// stop ends the bot, once.
	stop func()
}

// locked is written to and read in parallel.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// journal is where the bot keeps what it knows, and how it logs.
type journal struct{ kind, format string }

func newScene(t *testing.T, table *planted.Table, packs []planted.Pack, j journal) *scene {
	t.Helper()
	argo, err := simulator.New(simulator.Options{Token: argoToken, Recent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = argo.Close() })
	for _, p := range packs {
		if err := argo.Put(p.Case()); err != nil {
			t.Fatalf("%s: %v", p.Place(), err)
		}
	}
	dir := t.TempDir()
	s := &scene{
		T: t, chat: newChat(t, table), table: table, argo: argo, http: demotest.FreeAddress(t), metrics: demotest.FreeAddress(t), log: &locked{},
		file: filepath.Join(dir, "journal.db"), packs: packs,
	}
	file := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte(s.config(j)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), bot, "serve", "-c", file)
	cmd.Stdout, cmd.Stderr, cmd.Dir = s.log, s.log, dir
	cmd.Env = []string{
		"HOME=" + dir, "TMPDIR=" + dir, "KUBECONFIG=" + newCluster(t, table),
		"BOT_TOKEN=" + s.app.BotToken, "APP_TOKEN=" + s.app.AppToken, "ARGOCD_TOKEN=" + argoToken,
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // an Argo CD or a Slack that ended before it is no failure
	})
	t.Cleanup(s.stop)
	return s
}

func (s *scene) config(j journal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "slack: {team: %s, botToken: {env: BOT_TOKEN}, appToken: {env: APP_TOKEN}, channel: %s, apiURL: %s/api/}\n", s.TeamID(), channels[0], s.url)
	fmt.Fprintf(&b, "argocd: [{name: prod, server: %q, plainText: true, token: {env: ARGOCD_TOKEN}, url: https://argocd.example.com}]\n", s.argo.Address())
	b.WriteString("routes:\n")
	for i, channel := range channels {
		fmt.Fprintf(&b, "  - {match: {application: \"*%d\"}, channel: %s}\n", i, channel)
	}
	b.WriteString("incidents:\n  {openAfter: 1ms, holdFor: 1h, quietAfter: 0s, groupFrom: 1000, openAfterByRule: {")
	for _, rule := range slices.Sorted(maps.Keys(config.Default().Incidents.OpenAfterByRule)) {
		fmt.Fprintf(&b, "%q: 1ms, ", rule)
	}
	b.WriteString("}}\n")
	people := map[string]string{}
	for _, u := range s.Users() {
		people[u.Name] = u.ID
	}
	fmt.Fprintf(&b, "actions:\n  - {actions: [sync, delete-hook-job], users: [%s]}\n", people["alice"])
	fmt.Fprintf(&b, "  - {actions: [hard-refresh], users: [%s], approval: {users: [%s], expireAfter: 15m}}\n", people["alice"], people["bob"])
	fmt.Fprintf(&b, "journal: {kind: %s, path: %s, namespace: bot}\nhttp: {listen: %q, metrics: %q}\nlog: {level: debug, format: %s}\n", j.kind, s.file, s.http, s.metrics, j.format)
	return b.String()
}

// within waits until something is so, and reports whether it is.
func within(limit time.Duration, is func() bool) bool {
	for deadline := time.Now().Add(limit); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

func (s *scene) eventually(is func() bool) bool { return within(maxWait, is) }

// maybe waits for what does not matter if it comes too late.
func (s *scene) maybe(is func() bool) { within(shortWait, is) }

func (s *scene) mustEventually(what string, is func() bool) {
	s.Helper()
	if !s.eventually(is) {
		s.Fatalf("never: %s\n%s", what, last(s.log.String()))
	}
}

// last is the end of a log.
func last(log string) string { return log[max(0, len(log)-3000):] }

// get asks the bot how it is.
func (s *scene) get(path string) string {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), maxWait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.metrics+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatal(err)
	}
	return string(body)
}
