//go:build system && live

package system_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/test/cluster"
)

// argoCDs are as many as the replicas share.
const argoCDs = 4

// TestShards: one, two and four replicas share four Argo CDs, of which each has a leader of its own, and half of all applications begin to fail
// at once: an outage in each Argo CD. Then a replica joins, and one is killed. It needs a lab: make bench-shards. SHARDAPPS is how many
// applications each Argo CD has.
func TestShards(t *testing.T) {
	apps := 2_500
	if n, err := strconv.Atoi(os.Getenv("SHARDAPPS")); err == nil {
		apps = n
	}
	for _, replicas := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(replicas), func(t *testing.T) {
			f := newFleet(t, apps)
			for range replicas {
				f.join()
			}
			f.even(fmt.Sprintf("%d replicas share 4 Argo CDs of %d applications", replicas, apps), "all led")
			f.storm()
			if replicas == 2 {
				f.joinAndLeave()
			}
		})
	}
}

// fleet are some Argo CDs, a Slack, and replicas of the bot, whose journal is on a real API server.
type fleet struct {
	*installation
	cluster  *cluster.Cluster
	argoCDs  []*process
	ask      []*rpc.Client
	replicas []*replica
	apps     int
	scenario string
}

// replica is one process of the bot.
type replica struct {
	*process
	metrics string
	log     *lines
}

func newFleet(t *testing.T, apps int) *fleet {
	t.Helper()
	var names []string
	for n := range argoCDs {
		names = append(names, argoCDName(n))
	}
	f := &fleet{installation: &installation{t: t, dir: t.TempDir()}, cluster: cluster.NewWithJournal(t, "shards", names...), apps: apps}
	f.slack, f.installation.ask.slack = startSlack(t)
	for range argoCDs {
		p, ask := startArgoCD(t)
		f.argoCDs, f.ask = append(f.argoCDs, p), append(f.ask, ask)
		f.put(ask, wellCase, 0, apps)
	}
	return f
}

func argoCDName(n int) string { return fmt.Sprintf("prod-%d", n) }

// put makes applications of an Argo CD as a case has them.
func (f *fleet) put(ask *rpc.Client, name string, from, to int) {
	f.t.Helper()
	call[none](f.t, ask, "ArgoCD.Put", Fleet{Case: recorded(f.t, name, resources), From: from, To: to, Every: 500, Pause: 100 * time.Millisecond})
}

var fleetSettings = template.Must(template.New("config.yaml").Parse(`slack:
  team: {{.Team}}
  botToken: {env: SLACK_BOT_TOKEN}
  appToken: {env: SLACK_APP_TOKEN}
  channel: ` + channel + `
  command: ` + command + `
  apiURL: {{.SlackAPI}}
argocd:
{{- range $n, $address := .ArgoCDs}}
  - {name: prod-{{$n}}, server: "{{$address}}", url: https://argocd-{{$n}}.example.com, plainText: true, token: {env: ARGOCD_TOKEN}}
{{- end}}
incidents: {openAfter: 1s, quietAfter: 0}
journal: {kind: kubernetes, leaders: per-argocd}
http: {listen: {{.Hooks}}, metrics: {{.Metrics}}}
log: {level: info, format: text}
`))

// join starts another replica, and waits until it answers people.
func (f *fleet) join() {
	t := f.t
	t.Helper()
	where := call[Where](t, f.installation.ask.slack, "Slack.Where", 0)
	r := &replica{metrics: demotest.FreeAddress(t), log: &lines{}}
	var addresses []string
	for _, ask := range f.ask {
		addresses = append(addresses, call[string](t, ask, "ArgoCD.Address", 0))
	}
	var config bytes.Buffer
	if err := fleetSettings.Execute(&config, map[string]any{
		"Team": where.Team, "SlackAPI": where.URL, "ArgoCDs": addresses, "Hooks": demotest.FreeAddress(t), "Metrics": r.metrics,
	}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(f.dir, fmt.Sprintf("config-%d.yaml", len(f.replicas)))
	if err := os.WriteFile(file, config.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), bot, "serve", "-c", file)
	cmd.Env = []string{
		"HOME=" + f.dir, "TMPDIR=" + f.dir, "KUBECONFIG=" + f.cluster.Kubeconfig, "SLACK_BOT_TOKEN=" + botToken, "SLACK_APP_TOKEN=" + appToken, "ARGOCD_TOKEN=" + argoCDToken,
	}
	cmd.Stdout, cmd.Stderr = r.log, r.log
	r.process = start(t, cmd)
	f.replicas = append(f.replicas, r)
	f.await("a replica to be ready", func() bool {
		status, _ := f.get(r.metrics, "/readyz")
		return status == http.StatusOK
	})

}

// await waits until something is so, and fails the test if it does not come to that.
func (f *fleet) await(what string, is func() bool) (took time.Duration) {
	f.t.Helper()
	began := time.Now()
	for !is() {
		time.Sleep(100 * time.Millisecond)
		if time.Since(began) > 5*time.Minute {
			for _, r := range f.replicas {
				f.t.Logf("a replica says:\n%s", r.log.tail())
			}
			f.t.Fatalf("waited in vain for %s", what)
		}
	}
	return time.Since(began)
}

// led is how many Argo CDs each replica leads, the fewest first.
func (f *fleet) led() (each []int, all int) {
	for _, r := range f.replicas {
		f.metrics = r.metrics
		n := int(f.metric("argo_why_leading"))
		each, all = append(each, n), all+n
	}
	slices.Sort(each)
	return each, all
}

// even waits until each Argo CD is led, and no replica leads two more than another.
func (f *fleet) even(scenario, what string) {
	f.t.Helper()
	f.scenario = scenario
	var each []int
	took := f.await("each Argo CD to be led, by all replicas alike", func() bool {
		var all int
		each, all = f.led()
		return all == argoCDs && each[len(each)-1]-each[0] <= 1
	})
	results.within(scenario, what, took, 0, fmt.Sprintf("each leads %s", strings.Trim(fmt.Sprint(each), "[]")))
}

// storm has half of the applications of each Argo CD fail with one cause.
func (f *fleet) storm() {
	t := f.t
	t.Helper()
	time.Sleep(5 * time.Second)
	failing := f.apps / 2
	var before []time.Duration
	for _, r := range f.replicas {
		before = append(before, r.processor(t))
		r.forgetPeak(t)
	}
	began := time.Now()
	for _, ask := range f.ask {
		ask.Go("ArgoCD.Put", Fleet{Case: recorded(t, sharedCase, resources), From: 0, To: failing, Every: 500, Pause: 100 * time.Millisecond}, new(none), nil)
	}
	f.await("the first message", func() bool { return len(f.roots()) > 0 })
	results.within(f.scenario, "first message, half of them fail", f.roots()[0].At.Sub(began), firstMessage, "")
	f.await("all to be counted", func() bool { return f.counted() >= argoCDs*failing })
	took := time.Since(began)
	var most, sum time.Duration
	peak := 0
	for n, r := range f.replicas {
		used := r.processor(t) - before[n]
		most, sum, peak = max(most, used), sum+used, max(peak, r.memory(t, "VmHWM"))
	}
	results.within(f.scenario, "all counted", took, 0, fmt.Sprintf("processor %s in all, %s the busiest replica", brief(sum), brief(most)))
	results.atMost(f.scenario, "memory, peak of one replica", peak, mostMemory, "MB", "")
	if n := len(f.roots()); n != argoCDs {
		t.Errorf("%d threads for one outage in each of %d Argo CDs", n, argoCDs)
	}
}

// counted is how many applications the root messages say are failing.
func (f *fleet) counted() (all int) {
	for _, m := range f.roots() {
		most := 0
		for word := range strings.FieldsSeq(m.Text) {
			if n, err := strconv.Atoi(strings.ReplaceAll(word, ",", "")); err == nil {
				most = max(most, n)
			}
		}
		all += most
	}
	return all
}

// joinAndLeave adds a replica and kills the first one: each moves its share, and nothing is lost or told twice.
func (f *fleet) joinAndLeave() {
	t := f.t
	t.Helper()
	f.join()
	moved := f.terms()
	f.even(f.scenario+", one joins", "shared evenly")
	results.atMost(f.scenario, "Argo CDs that changed their leader", f.terms()-moved, 0, "", "")
	f.replicas[0].kill()
	f.replicas = f.replicas[1:]
	threads := len(f.roots())
	for _, ask := range f.ask { // while nobody leads some of them
		f.put(ask, ownCase, f.apps-1, f.apps)
	}
	f.even(strings.TrimSuffix(f.scenario, ", one joins")+", one is killed", "all led")
	f.await("the failures of that moment", func() bool { return len(f.roots()) >= threads+argoCDs })
	time.Sleep(5 * time.Second) // in which one might be told twice
	if n := len(f.roots()); n != threads+argoCDs {
		t.Errorf("%d threads, want %d", n, threads+argoCDs)
	}
}

// terms is how often a replica has begun to lead something.
func (f *fleet) terms() (n int) {
	for _, r := range f.replicas {
		r.log.mu.Lock()
		n += strings.Count(r.log.text.String(), "msg=leading ")
		r.log.mu.Unlock()
	}
	return n
}
