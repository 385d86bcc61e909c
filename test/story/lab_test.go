package story_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// cases is where `fail APP CASE` looks.
const cases = "../../internal/diagnose/rules/testdata/cases"

var errDown = errors.New("connection refused")

// lab is everything but the bot: Argo CD, Slack, the disk with the journal, and what goes wrong with them.
type lab struct {
	t     *testing.T
	slack *workspace.Workspace
	app   workspace.App
	file  string
	log   *slog.Logger

	policy incident.Policy
	// digests are when there is one, if digested.
	digests  schedule.Wall
	digested bool

	mu sync.Mutex
	// reports are what Argo CD would show of each application; nil of one that is gone.
	reports map[incident.App]*diagnose.Report
	// seen is who sees what.
	seen              sight
	argoDown, logDown bool
	// removed: the configuration does not name the Argo CD.
	removed bool
	// simulated are the applications that people can act on; effects is what happened to them and their clusters, events
	// the Kubernetes Events by the record that they are about.
	simulated map[incident.App]*simulated
	effects   []string
	events    map[string]string
	// connections are those that Argo CD shows, by address.
	connections map[string]evidence.Connection
	// dependents are the applications that depend on a connection, where these are not all.
	dependents map[string][]incident.App
	// silent is since when the application controller has not reported on the clusters; zero where it does.
	silent time.Time
	// tokens are those that Argo CD has issued, by ID.
	tokens map[string]evidence.Token
	// windows are the sync windows of Argo CD's projects.
	windows []evidence.ProjectWindow
	// rules are who may do what.
	rules []action.Grant
	// steps are how often each step was taken; all of them together are "".
	steps map[string]int
	kill  killing
	bot   *bot
	// succession is another replica taking over.
	succession sync.WaitGroup
}

// killing is what is done to the bot, and when: before or after the nth step of a name.
type killing struct {
	how   func(*bot)
	after bool
	step  string
	nth   int
}

func newLab(t *testing.T) *lab {
	l := &lab{
		t: t, slack: workspacetest.New(t, workspace.Options{Pace: true}), file: filepath.Join(t.TempDir(), "journal.db"),
		log:     slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelInfo})),
		reports: map[incident.App]*diagnose.Report{}, seen: newSight(), steps: map[string]int{},
		connections: map[string]evidence.Connection{}, dependents: map[string][]incident.App{}, tokens: map[string]evidence.Token{},
		simulated: map[incident.App]*simulated{}, events: map[string]string{},
		policy: incident.Policy{
			OpenAfter: func(string) time.Duration { return time.Minute }, Ignored: func(string) bool { return false },
			HoldFor: time.Minute, ReopenWithin: 24 * time.Hour, RemindAfter: 4 * time.Hour, GroupFrom: 3, GatherFor: 3 * time.Second, KeepFor: 30 * 24 * time.Hour, QuietAfter: time.Hour,
		},
	}
	l.policy.Channel, l.policy.ConnectionChannel = l.seen.route, "alerts"
	l.app = l.slack.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"}})
	l.slack.AddUser(workspace.User{Name: "alice"})
	l.slack.AddChannel("alerts", l.app.BotUserID, "alice")
	return l
}

// testLog shows the log of the bot with -v.
type testLog struct{ t *testing.T }

func (l testLog) Write(b []byte) (int, error) {
	if testing.Verbose() {
		l.t.Log(strings.TrimSpace(string(b)))
	}
	return len(b), nil
}

// read is what Argo CD and the diagnosis give.
func (l *lab) read(app incident.App) (*diagnose.Report, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch report, ok := l.reports[app]; {
	case l.argoDown:
		return nil, errDown
	case !ok || report == nil:
		return nil, incident.ErrGone
	default:
		return report, nil
	}
}

// set changes what Argo CD shows, and has the bot hear of it unless nobody tells.
func (l *lab) set(app incident.App, r *diagnose.Report, heard bool) {
	l.seen.exists(app, r)
	l.mu.Lock()
	l.reports[app] = r
	b := l.bot
	heard = heard && !l.removed
	l.mu.Unlock()
	if heard && b != nil {
		b.look(app)
		b.actions.Changed(app)
	}
}

// list has the bot look at all that a watch would tell of at its start, and a sweep at any time.
func (l *lab) list(b *bot) {
	l.mu.Lock()
	apps := slices.SortedFunc(maps.Keys(l.reports), incident.Compare)
	down := l.argoDown || l.removed
	bad := map[incident.App]bool{}
	for app, r := range l.reports {
		bad[app] = r != nil && r.Verdict != diagnose.VerdictHealthy
	}
	l.mu.Unlock()
	if down {
		return
	}
	for _, app := range apps {
		if bad[app] || b.store.Live(app) {
			b.reconciler.Add(app)
		}
	}
	b.reconciler.FirstLook(slices.DeleteFunc(apps, func(app incident.App) bool { return !bad[app] }))
}

// around takes a step of the bot: it is killed here if the story wants that, and nothing happens once it is dead.
func (l *lab) around(b *bot, name string, do func() error) error {
	if l.step(b, name, false) {
		return errDead
	}
	err := do()
	if l.step(b, name, true) {
		return errDead
	}
	return err
}

var errDead = errors.New("the process is gone")

// step counts, and reports whether the bot is dead.
func (l *lab) step(b *bot, name string, after bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.dead.Load() {
		return true
	}
	if !after {
		l.steps[name]++
		l.steps[""]++
	}
	if l.kill.nth > 0 && l.kill.after == after && l.steps[l.kill.step] == l.kill.nth && (l.kill.step == "" || l.kill.step == name) {
		how := l.kill.how
		l.kill = killing{}
		how(b)
		return true
	}
	return false
}

// RoundTrip implements http.RoundTripper for one bot.
func (b *bot) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	broken := b.lab.around(b, path.Base(r.URL.Path), func() error {
		answer, err = b.lab.slack.Transport().RoundTrip(r) //nolint:bodyclose // who asked closes it
		return err
	})
	if broken != nil {
		if answer != nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
		return nil, broken
	}
	return answer, nil
}

var engine = sync.OnceValues(func() (*diagnose.Engine, error) { return diagnose.New(rules.All()) })

// recorded is a recorded case, decoded, with the names of the story.
func (l *lab) recorded(name string) (*evidence.Case, error) {
	text, err := os.ReadFile(filepath.Join(cases, name+".json"))
	if err != nil {
		return nil, err
	}
	text = l.seen.renamed(text)
	all, err := evidence.DecodeCases(text, time.Time{})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// diagnosed is the report of a case, about another application.
func diagnosed(c *evidence.Case, app incident.App) (*diagnose.Report, error) {
	e, err := engine()
	if err != nil {
		return nil, err
	}
	r, err := e.Diagnose(context.Background(), c.Source(), c.Now.Time)
	if err != nil {
		return nil, err
	}
	r.App = app
	r.SetInstance(app.Instance) // the headline is as long as the name allows
	return sanitize.Report(r), nil
}

// redate moves what Argo CD dated when the case was recorded, which is in the future here, to when the application began to fail.
func redate(r *diagnose.Report, failed time.Time) {
	for _, at := range []*time.Time{&r.Context.Since, &r.Context.CauseSince} {
		if at.After(time.Now()) {
			*at = failed
		}
	}
}

// healthy is the report of an application that is well, or on its way, since now.
func healthy(app incident.App, v diagnose.Verdict) *diagnose.Report {
	r := &diagnose.Report{App: app, Verdict: v, Headline: fmt.Sprintf("%s: %s", app.Label(), v), Context: diagnose.Context{Revision: "9c1e0d2f0e1d2c3b4a5968778695a4b3c2d1e0f9"}}
	if v == diagnose.VerdictHealthy {
		r.Well = &diagnose.Well{Since: time.Now()}
	}
	return r
}

// settle lets everything happen that needs no time.
func settle() { synctest.Wait() }
