package slack_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// backend knows the applications of recorded cases.
type backend struct {
	silent    []string
	mu        sync.Mutex
	apps      []apps.Known
	cases     map[string]*evidence.Case
	reports   map[string]*diagnose.Report
	incidents []*incident.Incident
	history   map[string]answer.History
	// dependents are those of the connections of incidents, by ID.
	dependents map[string][]apps.Known
	// err is what all of it answers, whyErr all but Find, refreshErr a refresh. hold, if set, is waited for before an answer.
	err, whyErr, refreshErr, accountErr error
	hold                                chan struct{}
	panics                              bool
	asked, refreshed                    int
}

var casesDir = filepath.Join("..", "diagnose", "rules", "testdata", "cases")

func newBackend(t testing.TB) *backend {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	b := &backend{cases: map[string]*evidence.Case{}, reports: map[string]*diagnose.Report{}, history: map[string]answer.History{}}
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
		b.apps = append(b.apps, apps.Known{App: report.App, Project: report.Context.Project})
		b.reports[report.App.Name], b.cases[report.App.Name] = report, cases[0]
	}
	return b
}

// also is the same application elsewhere.
func (b *backend) also(instance, namespace, name, project string) {
	b.apps = append(b.apps, apps.Known{App: incident.App{Instance: instance, Namespace: namespace, Name: name}, Project: project})
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

func (b *backend) Find(ctx context.Context, t command.Target, visible func(apps.Known) bool) (apps.Found, error) {
	if err := b.begin(ctx); err != nil {
		return apps.Found{}, err
	}
	var f apps.Found
	for _, k := range b.apps {
		fits := (t.Instance == "" || t.Instance == k.App.Instance) && (t.Namespace == "" || t.Namespace == k.App.Namespace)
		switch {
		case !visible(k):
		case fits && k.App.Name == t.Name:
			f.Matches = append(f.Matches, k)
		case strings.HasPrefix(k.App.Name, t.Name[:min(4, len(t.Name))]):
			f.Near = append(f.Near, k)
		}
	}
	return f, nil
}

func (b *backend) Why(ctx context.Context, app incident.App, _ audience.Audience) (*diagnose.Report, error) {
	if err := b.beginWhy(ctx); err != nil {
		return nil, err
	}
	report := b.reports[app.Name]
	if report == nil {
		return nil, incident.ErrGone
	}
	return report, nil
}

func (b *backend) Diff(ctx context.Context, app incident.App, who audience.Audience) (posted.Diff, error) {
	if err := b.beginWhy(ctx); err != nil {
		return posted.Diff{}, err
	}
	c := b.cases[app.Name]
	return posted.DiffTo(who, app, c.Application, c.Managed.Items), nil
}

func (b *backend) History(ctx context.Context, app incident.App) (answer.History, error) {
	return b.history[app.Name], b.beginWhy(ctx)
}

func (b *backend) Applications() []apps.Known { return slices.Clone(b.apps) }

func (b *backend) Rules() map[string]string {
	titles := map[string]string{}
	for _, r := range rules.All() {
		titles[r.ID] = r.Doc.Title
	}
	return titles
}

func (b *backend) Account(context.Context, string) (string, error) { return "why-bot", b.accountErr }

func (b *backend) Silent() []string { return slices.Clone(b.silent) }

func (b *backend) Failing(ctx context.Context) ([]answer.Failing, error) {
	if err := b.beginWhy(ctx); err != nil {
		return nil, err
	}
	var out []answer.Failing
	for _, i := range b.incidents {
		f := answer.Failing{Incident: i, Dependents: b.dependents[i.ID]}
		for _, m := range i.Members {
			known := apps.Known{App: m.App, Project: "default"}
			for _, k := range b.apps {
				if k.App == m.App {
					known = k
				}
			}
			f.Members = append(f.Members, known)
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
	b.mu.Lock()
	b.refreshed++
	b.mu.Unlock()
	if b.refreshErr != nil {
		return nil, b.refreshErr
	}
	return b.IncidentOf(ctx, app)
}

// OpenThreads implements act.Opener.
func (b *backend) OpenThreads(context.Context, string, string) ([]incident.App, error) {
	return nil, nil
}
