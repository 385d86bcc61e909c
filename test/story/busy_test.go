package story_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/workspace"
)

// What is open, and what happens meanwhile.
const (
	manyOpen    = 200
	commitEvery = 6 * time.Second
	failEvery   = 23 * time.Second
	// slackTakes is how long each call takes.
	slackTakes = 200 * time.Millisecond
)

// busy is a lab with many open incidents and a Slack that holds to its limits.
type busy struct {
	*lab
	reportOf map[incident.App]*diagnose.Report
}

func newBusy(t *testing.T) *busy {
	b := &busy{lab: newLab(t), reportOf: map[incident.App]*diagnose.Report{}}
	if err := b.start(); err != nil {
		t.Fatal(err)
	}
	for n := range manyOpen {
		b.fails(fmt.Sprintf("app-%d", n))
	}
	time.Sleep(12 * time.Minute) // a root and its evidence take about two seconds
	if n := len(b.roots()); n != manyOpen {
		t.Fatalf("%d threads, want %d", n, manyOpen)
	}
	b.slack.Fault(workspace.Fault{Times: -1, Delay: slackTakes})
	return b
}

func (b *busy) fails(name string) {
	b.t.Helper()
	c, err := b.recorded("health/crash-loop/failed-migration")
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := diagnosed(c, named(name))
	if err != nil {
		b.t.Fatal(err)
	}
	b.reportOf[named(name)] = r
	b.set(named(name), r, true)
}

// commit moves Git on for all applications of the repository, and changes what else a report shows.
func (b *busy) commit(n int, change func(*diagnose.Report)) {
	for app, was := range b.reportOf {
		r := *was
		r.Context.Revision = fmt.Sprintf("%07x", 0xabc0000+n)
		if change != nil {
			change(&r)
		}
		b.set(app, &r, true)
	}
}

// roots are when the root messages were posted, by the name of their application.
func (b *busy) roots() map[string]time.Time {
	out := map[string]time.Time{}
	stands := map[string]bool{}
	for _, m := range b.slack.Channel("alerts").Messages() {
		stands[m.TS] = true
	}
	for _, i := range b.bot.store.All() {
		if stands[i.Thread.TS] {
			at, err := strconv.ParseFloat(i.Thread.TS, 64)
			if err != nil {
				b.t.Fatal(err)
			}
			out[i.Members[0].App.Name] = time.UnixMicro(int64(at * 1e6))
		}
	}
	return out
}

// limited counts how often Slack had to refuse.
func (b *busy) limited() (n int) {
	for _, call := range b.slack.Log("") {
		if call.Status == http.StatusTooManyRequests {
			n++
		}
	}
	return n
}

// play lets five minutes of commits and new failures pass, and returns the slowest root message, counted from the decision.
func (b *busy) play(change func(*diagnose.Report), also func(second int)) (slowest time.Duration) {
	b.t.Helper()
	decided := map[string]time.Time{}
	for second := range 300 {
		now := time.Duration(second) * time.Second
		if now%commitEvery == 0 {
			b.commit(second, change)
		}
		if now%failEvery == 0 && now < 3*time.Minute {
			name := fmt.Sprintf("late-%d", second)
			b.fails(name)
			decided[name] = time.Now().Add(b.policy.OpenAfter(""))
		}
		if also != nil {
			also(second)
		}
		time.Sleep(time.Second)
	}
	stands := b.roots()
	for name, at := range decided {
		posted, ok := stands[name]
		if !ok {
			b.t.Errorf("%s has no thread", name)
		}
		slowest = max(slowest, posted.Sub(at))
	}
	return slowest
}

func (b *busy) end() {
	b.t.Helper()
	if n := b.limited(); n > 0 {
		b.t.Errorf("Slack had to refuse %d calls", n)
	}
	b.gone()
	b.slack.Close()
}

// soonEnough is how soon after the decision a new failure has to stand in the channel.
const soonEnough = 2 * time.Second

// TestCommitsElsewhereDelayNoNewFailure: where Git is changes with each commit, and is no reason to edit a message.
func TestCommitsElsewhereDelayNoNewFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBusy(t)
		edits := b.slack.Calls("chat.update")
		if slowest := b.play(nil, nil); slowest > soonEnough {
			t.Errorf("a new failure stood in the channel %v after the decision", slowest)
		}
		if n := b.slack.Calls("chat.update") - edits; n != 0 {
			t.Errorf("%d edits for nothing but commits", n)
		}
		b.end()
	})
}

// TestEditsKeepNobodyWaiting: each commit changes what all open incidents show, far more than Slack lets anybody edit. New failures,
// people, and what is wrong by now go before.
func TestEditsKeepNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBusy(t)
		attempt, recovering, asked := int64(0), map[string]time.Time{}, map[string]time.Time{}
		slowest := b.play(func(r *diagnose.Report) {
			attempt++
			r.Context.Attempt, r.Context.Attempts = attempt, 1e6
		}, func(second int) {
			if second%50 == 5 {
				app := named(fmt.Sprintf("app-%d", second/50+100))
				delete(b.reportOf, app)
				b.set(app, healthy(app, diagnose.VerdictHealthy), true)
				recovering[app.Name] = time.Now().Add(b.policy.HoldFor)
			}
			if second%50 == 30 {
				ts, err := b.slack.Say("alice", "alerts", "<@"+b.app.BotUserID+"> why app-1", "")
				if err != nil {
					t.Fatal(err)
				}
				asked[ts] = time.Now()
			}
			b.within(recovering, 5*time.Second, "the root message of %s still says that it fails", func(app string) bool {
				return strings.HasPrefix(b.rootOf(app).Text, "🟢")
			})
			b.within(asked, 3*time.Second, "the question of %s is not answered", func(ts string) bool {
				return len(b.slack.Channel("alerts").Thread(ts)) > 1
			})
		})
		if slowest > soonEnough {
			t.Errorf("a new failure stood in the channel %v after the decision", slowest)
		}
		if n := b.slack.Calls("chat.update"); n < 180 {
			t.Errorf("%d edits in five minutes: the messages are not kept up to date", n)
		}
		if n := len(recovering) + len(asked); n > 3 {
			t.Errorf("%d waited in the end", n)
		}
		b.end()
	})
}

// within complains about what is due for longer than that, and strikes off what is done.
func (b *busy) within(due map[string]time.Time, limit time.Duration, complaint string, done func(string) bool) {
	for what, since := range due {
		switch {
		case done(what):
			delete(due, what)
		case time.Since(since) > limit:
			b.t.Errorf(complaint+" after %v", what, time.Since(since))
			delete(due, what)
		}
	}
}

func (b *busy) rootOf(app string) (root workspace.Message) {
	i := b.bot.store.All()[slices.IndexFunc(b.bot.store.All(), func(i *incident.Incident) bool { return i.Members[0].App.Name == app })]
	for _, m := range b.slack.Channel("alerts").Thread(i.Thread.TS) {
		if m.TS == i.Thread.TS {
			root = m
		}
	}
	return root
}
