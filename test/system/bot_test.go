//go:build system

package system_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/incident"
)

// installation is an Argo CD, a Slack and the bot between them.
type installation struct {
	t                  *testing.T
	argoCD, slack, bot *process
	ask                struct{ argoCD, slack *rpc.Client }
	dir                string
	hooks, metrics     string // addresses
	log                *lines
	began              time.Time // of the bot
	env                []string  // more of its environment
}

// install starts an Argo CD and a Slack. The bot comes later.
func install(t *testing.T) *installation {
	t.Helper()
	in := &installation{t: t, dir: t.TempDir()}
	in.argoCD, in.ask.argoCD = startArgoCD(t)
	in.slack, in.ask.slack = startSlack(t)
	return in
}

// settings are what people change for a quick test, and nothing else: failures are told after a second, as soon as the bot is sure that
// they are none of a moment.
var settings = template.Must(template.New("config.yaml").Parse(`slack:
  team: {{.Team}}
  botToken: {env: SLACK_BOT_TOKEN}
  appToken: {env: SLACK_APP_TOKEN}
  channel: ` + channel + `
  command: ` + command + `
  apiURL: {{.SlackAPI}}
argocd:
  - name: prod
    server: {{.ArgoCD}}
    url: https://argocd.example.com
    plainText: true
    token: {env: ARGOCD_TOKEN}
    webhookToken: {env: WEBHOOK_TOKEN}
incidents:
  openAfter: 1s
  quietAfter: {{.QuietAfter}}
journal: {kind: file, path: {{printf "%q" .Journal}}}
http: {listen: {{.Hooks}}, metrics: {{.Metrics}}}
log: {level: info, format: text}
`))

const hookToken = "system-hook-token"

// run starts the bot. quietAfter is that of the configuration: "0" has everything told that fails already.
func (in *installation) run(quietAfter string) {
	t := in.t
	t.Helper()
	where := call[Where](t, in.ask.slack, "Slack.Where", 0)
	in.hooks, in.metrics = demotest.FreeAddress(t), demotest.FreeAddress(t)
	var config bytes.Buffer
	if err := settings.Execute(&config, map[string]string{
		"Team": where.Team, "SlackAPI": where.URL, "ArgoCD": call[string](t, in.ask.argoCD, "ArgoCD.Address", 0), "QuietAfter": quietAfter,
		"Journal": filepath.Join(in.dir, "argo-why.db"), "Hooks": in.hooks, "Metrics": in.metrics,
	}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(in.dir, "config.yaml")
	if err := os.WriteFile(file, config.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), bot, "serve", "-c", file) // it ends in a clean-up
	cmd.Env = []string{
		"HOME=" + in.dir, "TMPDIR=" + in.dir, "KUBECONFIG=" + filepath.Join(in.dir, "no-cluster"), "SLACK_BOT_TOKEN=" + botToken,
		"SLACK_APP_TOKEN=" + appToken, "ARGOCD_TOKEN=" + argoCDToken, "WEBHOOK_TOKEN=" + hookToken,
	}
	cmd.Env = append(cmd.Env, in.env...)
	in.log = &lines{}
	cmd.Stdout, cmd.Stderr = in.log, in.log
	in.began = time.Now()
	in.bot = start(t, cmd)
	in.await("the bot to be ready", 5*time.Minute, func() bool {
		status, _ := in.get(in.metrics, "/readyz")
		return status == http.StatusOK
	})
}

// lines are what the bot logs.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// tail are the last few.
func (l *lines) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := strings.Split(strings.TrimSpace(l.text.String()), "\n")
	return strings.Join(all[max(0, len(all)-20):], "\n")
}

// await waits until something is so, and fails the test if it does not come to that: what takes this long is lost.
func (in *installation) await(what string, most time.Duration, is func() bool) {
	in.t.Helper()
	for until := time.Now().Add(most); !is(); time.Sleep(100 * time.Millisecond) {
		select {
		case <-in.bot.ended:
			in.t.Fatalf("the bot ended, waiting for %s:\n%s", what, in.log.tail())
		default:
		}
		if time.Now().After(until) {
			in.t.Fatalf("waited %s for %s; the bot says:\n%s", most, what, in.log.tail())
		}
	}
}

func (in *installation) get(address, path string) (status int, body string) {
	r, err := http.NewRequestWithContext(in.t.Context(), http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		in.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(text)
}

// metric is the sum of a metric over its labels.
func (in *installation) metric(name string) (sum float64) {
	_, body := in.get(in.metrics, "/metrics")
	for line := range strings.Lines(body) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok || !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "{") {
			continue
		}
		fields := strings.Fields(rest)
		value, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err == nil {
			sum += value
		}
	}
	return sum
}

// mapped says how much of the memory are files: the binary, and the journal, which bbolt maps. The kernel takes it back when it is short of it.
func (in *installation) mapped() string {
	in.t.Helper()
	return fmt.Sprintf("%d MB of them files", in.bot.memory(in.t, "RssFile"))
}

// put makes applications as a case has them, 5,000 a second: a stream that gets thousands in one moment drops them, here as in Argo CD.
func (in *installation) put(text []byte, from, to int) {
	in.t.Helper()
	if err := (<-in.begin(text, from, to).Done).Error; err != nil {
		in.t.Fatal(err)
	}
}

// begin is put, and returns while it goes on.
func (in *installation) begin(text []byte, from, to int) *rpc.Call {
	fleet := Fleet{Case: text, From: from, To: to, Every: 500, Pause: 100 * time.Millisecond}
	return in.ask.argoCD.Go("ArgoCD.Put", fleet, new(none), make(chan *rpc.Call, 1))
}

// answers reports whether it is the answer to a question.
func (m Message) answers() bool { return strings.HasPrefix(m.Incident, "answer-") }

// messages are those of the channel. That one is there twice fails the test.
func (in *installation) messages() []Message {
	in.t.Helper()
	all := call[[]Message](in.t, in.ask.slack, "Slack.Messages", 0)
	seen := map[string]bool{}
	for _, m := range all {
		id := fmt.Sprintf("%s %d", m.Incident, m.Number)
		if seen[id] {
			in.t.Fatalf("posted twice: %s %q", id, m.Text)
		}
		seen[id] = true
	}
	return all
}

// counts reports whether it says how many failures are still to be posted.
func (m Message) counts() bool { return strings.HasPrefix(m.Incident, incident.StillToPost) }

// roots are the messages of the channel itself about failures: no answers to people.
func (in *installation) roots() (out []Message) {
	in.t.Helper()
	for _, m := range in.messages() {
		if !m.Reply && !m.answers() && !m.counts() {
			out = append(out, m)
		}
	}
	return out
}
