package rules_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// marked is a case whose application has one more annotation.
func marked(c *evidence.Case, annotation, value string) *evidence.Case {
	out, app := *c, *c.Application
	app.Metadata.Annotations = maps.Clone(app.Metadata.Annotations)
	if app.Metadata.Annotations == nil {
		app.Metadata.Annotations = map[string]string{}
	}
	app.Metadata.Annotations[annotation] = value
	out.Application = &app
	return &out
}

// requested is a case whose application has waited that long for a hard refresh, and was not compared either.
func requested(c *evidence.Case, wait time.Duration) *evidence.Case {
	out := marked(c, evidence.AnnotationRefresh, "hard")
	at := evidence.Time{Time: c.Now.Add(-wait)}
	written := evidence.ManagedFields{Time: at}
	written.Fields.Metadata.Annotations.Refresh = &struct{}{}
	out.Application.Metadata.ManagedFields = append([]evidence.ManagedFields{written}, out.Application.Metadata.ManagedFields...)
	if compared := &out.Application.Status.ReconciledAt; compared.IsZero() || compared.After(at.Time) {
		*compared = at
	}
	return out
}

var (
	// asks is a command that the application controller has to carry out.
	asks = regexp.MustCompile(`argocd app (sync|rollback|terminate-op|delete|wait)\b|argocd app \S+ .*--(hard-)?refresh`)
	// asksRefresh is one that requests nothing but a refresh.
	asksRefresh = regexp.MustCompile(`^argocd app (get|diff) .*--(hard-)?refresh`)
)

// TestNothingIsAdvisedThatNobodyDoes: in each recorded case the application is taken from Argo CD, or waits in vain for a refresh. The cause is
// the same, and whatever Argo CD would have to do comes after what has it act again.
func TestNothingIsAdvisedThatNobodyDoes(t *testing.T) {
	e := engine(t)
	for name, c := range map[string]struct {
		of         func(*evidence.Case) *evidence.Case
		rule, why  string
		hardInVain bool
	}{
		"skip-reconcile": {
			of:   func(c *evidence.Case) *evidence.Case { return marked(c, evidence.AnnotationSkip, "1") },
			rule: "compare/skip-reconcile", why: "skip-reconcile",
		},
		"refresh pending": {
			of:   func(c *evidence.Case) *evidence.Case { return requested(c, 30*time.Minute) },
			rule: "compare/refresh-pending", why: "application controller", hardInVain: true,
		},
	} {
		n, steps := 0, 0
		for _, r := range recordedCases(t) {
			if app := r.c.Application; app == nil || app.NeverCompared() || evidence.IsSkipped(app.Metadata.Annotations) {
				continue
			}
			n++
			was, is := diagnosed(t, e, r.c), diagnosed(t, e, c.of(r.c))
			var by *diagnose.Finding
			for i := range is.Findings {
				if is.Findings[i].Rule == c.rule {
					by = &is.Findings[i]
				}
			}
			if by == nil || is.Unattended == "" {
				t.Errorf("%s, %s: %q does not say that nobody acts on it", r.name, name, is.Headline)
				continue
			}
			if a, b := was.Root(), is.Root(); a != nil && was.Unattended == "" && (b == nil || b.Rule != a.Rule) && a.Rule != "health/stale" && a.Rule != "drift/stale-revision" && !c.hardInVain {
				t.Errorf("%s, %s: the cause was %s, and is %q", r.name, name, a.Rule, is.Headline)
			}
			steps += checkUnattended(t, r.name+", "+name, is, by, c.hardInVain)
			if v := is.Sync; v.Verdict != diagnose.SyncPointless && v.Verdict != diagnose.SyncBlocked || !strings.Contains(v.Why, c.why) && r.c.Application.Metadata.DeletionTimestamp.IsZero() || v.Newer != "" {
				t.Errorf("%s, %s: a sync is %s: %s", r.name, name, v.Verdict, v.Why)
			}
		}
		if n < 300 || steps < 100 {
			t.Errorf("%s: only %d cases with %d steps that Argo CD has to take: not worth a test", name, n, steps)
		}
	}
}

// checkUnattended looks at the steps and buttons of a report, and counts the steps that Argo CD has to take.
func checkUnattended(t *testing.T, name string, is *diagnose.Report, by *diagnose.Finding, hardInVain bool) int {
	t.Helper()
	steps := 0
	for i, f := range is.Findings {
		for n, step := range f.Fix {
			if !asks.MatchString(step.Command) {
				continue
			}
			steps++
			if first := f.Fix[0]; n == 0 || first.Command != by.Fix[0].Command {
				t.Errorf("%s: %s advises %q before Argo CD acts again", name, f.Rule, step.Command)
			}
			if asksRefresh.MatchString(step.Command) && (hardInVain || !strings.Contains(step.Command, "hard")) {
				t.Errorf("%s: %s advises %q, and Argo CD compares anyway", name, f.Rule, step.Command)
			}
		}
		if i == 0 && len(f.Fix) > 0 && f.Fix[0].Command != by.Fix[0].Command {
			t.Errorf("%s: %s begins with %q", name, f.Rule, f.Fix[0].Text)
		}
	}
	for _, a := range is.Actions {
		if a.ID != diagnose.ActionDeleteHookJob && (a.RefusedBecause == "" || a.Once != "") {
			t.Errorf("%s: offers %s", name, a.ID)
		}
	}
	return steps
}

// TestARefreshIsNotRequestedTwice: one that was requested a moment ago is waited for.
func TestARefreshIsNotRequestedTwice(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || r.c.Application.NeverCompared() {
			continue
		}
		is := diagnosed(t, e, requested(r.c, 10*time.Second))
		for _, f := range is.Findings {
			if len(f.Fix) > 0 && strings.HasPrefix(f.Fix[0].Text, "Wait for the refresh") {
				n++
			}
			if len(f.Fix) > 0 && asksRefresh.MatchString(f.Fix[0].Command) {
				t.Errorf("%s: %s begins with %q", r.name, f.Rule, f.Fix[0].Command)
			}
		}
		for _, a := range is.Actions {
			if a.ID == diagnose.ActionHardRefresh && a.RefusedBecause == "" {
				t.Errorf("%s: offers another hard refresh", r.name)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d cases advise a refresh first: not worth a test", n)
	}
}
