//go:build system

package system_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// TestCommand: how long Slack waits for the acknowledgement of a slash command. The person has an answer of the bot then, or sees that
// it is at work.
func TestCommand(t *testing.T) {
	in := install(t)
	in.put(recorded(t, wellCase, 5), 0, 100)
	in.run("1h")
	const n = 500
	took := make([]time.Duration, n)
	for i := range n {
		took[i] = call[time.Duration](t, in.ask.slack, "Slack.Command", "why "+appName(i%100))
	}
	results.within("slash command, 500 in a row", "acknowledged, p99", p99(took), 100*time.Millisecond, "p50 "+brief(p50(took)))
}

func p99(took []time.Duration) time.Duration { return percentile(took, 99) }
func p50(took []time.Duration) time.Duration { return percentile(took, 50) }

func percentile(took []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[(len(sorted)-1)*p/100]
}

// TestHooks: webhooks at a steady 200 a second for half a minute, however slow the answers are.
func TestHooks(t *testing.T) {
	in := install(t)
	in.put(recorded(t, wellCase, 5), 0, 1000)
	in.run("1h")
	const rate, n = 200, 6000
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	took := make([]time.Duration, n)
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	cpu := in.bot.processor(t)
	var group sync.WaitGroup
	for i := range n {
		due := <-tick.C
		group.Go(func() {
			if status := in.hook(client, appName(i%1000)); status != http.StatusAccepted {
				t.Errorf("a hook was answered with %d", status)
			}
			took[i] = time.Since(due)
		})
	}
	group.Wait()
	busy := (in.bot.processor(t) - cpu) * 100 / (n / rate * time.Second)
	results.within("webhooks, 200 a second", "answered, p99", p99(took), 20*time.Millisecond, "p50 "+brief(p50(took))+"; the diagnoses that follow keep "+percent(int(busy))+" of a core busy")
}

// hook is what Argo CD's notifications call.
func (in *installation) hook(client *http.Client, app string) (status int) {
	body := strings.NewReader(`{"app": "` + app + `", "namespace": "argocd"}`)
	r, err := http.NewRequestWithContext(in.t.Context(), http.MethodPost, "http://"+in.hooks+"/hooks/argocd/prod", body)
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+hookToken)
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

// questions asks about a healthy application, every few seconds, and returns a function that waits for the end and adds what the
// slowest answer took.
func (in *installation) questions(scenario string, app, n int) (end func()) {
	type answers struct {
		slowest time.Duration
		err     error
	}
	done := make(chan answers, 1)
	go func() {
		var a answers
		for range n {
			var took time.Duration
			if err := in.ask.slack.Call("Slack.Ask", appName(app), &took); err != nil {
				a.err = err
				break
			}
			a.slowest = max(a.slowest, took)
			time.Sleep(3 * time.Second) // the answers take the channel's time, too
		}
		done <- a
	}()
	return func() {
		in.t.Helper()
		a := <-done
		if a.err != nil {
			in.t.Errorf("a question was not answered: %v", a.err)
		}
		results.within(scenario, "`/argo why` meanwhile, the slowest of "+text.Number(n), a.slowest, 0, "an answer is a message in the channel, too")
	}
}
