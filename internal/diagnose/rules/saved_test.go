package rules_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/terminal"
)

// ageLine is the only line of a report that may differ between two days on which a file is read.
var ageLine = regexp.MustCompile(`(?m)^   as of 20.* ago\), the newest date in the file; .*\n`)

// TestASavedApplicationSaysTheSameAMonthLater: every recorded Application as kubectl prints it, read when it was saved and 30 days after.
func TestASavedApplicationSaysTheSameAMonthLater(t *testing.T) {
	e, read, dated := engine(t), 0, 0
	for _, r := range recordedCases(t) {
		app := savedApplication(t, r.c)
		if app == nil || undated[r.name] {
			continue
		}
		saved := r.c.Now.Time
		then, atOnce := asFile(t, e, app, saved)
		later, afterwards := asFile(t, e, app, saved.Add(30*24*time.Hour))
		if then == "" {
			continue
		}
		read++
		if !atOnce.AsOf.IsZero() {
			dated++
			if !ageLine.MatchString(later) {
				t.Errorf("%s: does not say from when it is:\n%s", r.name, later)
			}
		}
		if a, b := ageLine.ReplaceAllString(then, ""), ageLine.ReplaceAllString(later, ""); a != b {
			t.Errorf("%s: when it was saved, it said\n%s\nand a month later\n%s", r.name, a, b)
		}
		if !atOnce.AsOf.Equal(afterwards.AsOf) {
			t.Errorf("%s: as of %s, and a month later of %s", r.name, atOnce.AsOf, afterwards.AsOf)
		}
	}
	t.Logf("%d Applications, %d of them with a date", read, dated)
	if read < 300 || dated < read*9/10 {
		t.Error("too few of the recorded Applications were read, or have a date")
	}
}

// savedApplication is the Application of a case, nil where it has none.
func savedApplication(t *testing.T, c *evidence.Case) json.RawMessage {
	t.Helper()
	var doc struct {
		Application json.RawMessage `json:"application"`
	}
	if err := json.Unmarshal(c.Document, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Application
}

// asFile is the report of an Application that is read from a file at that time; empty for one that is not whole.
func asFile(t *testing.T, e *diagnose.Engine, app json.RawMessage, at time.Time) (string, *diagnose.Report) {
	t.Helper()
	contents := evidence.Read(app, at)
	if len(contents.Cases) != 1 {
		return "", nil
	}
	c := contents.Cases[0]
	report := diagnosed(t, e, c)
	report.AsOf = c.AsOf.Time
	var b bytes.Buffer
	if err := terminal.Text(&b, report, terminal.Options{Now: at, Width: 500}); err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

// undated are new applications that no controller has written to: nothing in them tells when they were saved, so they are judged as of today.
var undated = map[string]bool{"control/progressing/just-created.json": true, "control/progressing/new-sync-requested.json": true}

// agedByItself are the cases in which the cause is how long nothing has happened, and nothing in the Application alone is newer than that.
var agedByItself = map[string]string{
	"compare/never-compared/reported-other-namespace.json":    "nothing but the creation has a date",
	"compare/never-compared/own-namespace.json":               "nothing but the creation has a date",
	"compare/never-compared/fresh-never.json":                 "nothing but the creation has a date",
	"compare/never-compared/fresh-never-other-namespace.json": "nothing but the creation has a date",
	"compare/not-compared/since-sync.json":                    "the end of the sync",
	"compare/refresh-pending/own-dated.json":                  "the request for the refresh",
	"compare/refresh-pending/reported-undated.json":           "the last comparison",
	"health/volume-pending/no-volume-at-all.json":             "the last change of the health",
	"health/volume-pending/volume-labels.json":                "the last change of the health",
	"health/volume-pending/volume-reserved.json":              "the last change of the health",
	"health/volume-pending/volume-taken-elsewhere.json":       "the last change of the health",
	"health/volume-pending/volume-too-small.json":             "the last change of the health",
	"drift/stale-revision/foreign-stale-revision-1.json":      "the last comparison",
	"drift/stale-revision/foreign-stale-revision-2.json":      "the last comparison",
	"health/stale/own-01.json":                                "the last comparison",
	"operation/not-started/own-01.json":                       "the last comparison",
	"health/deleting/reported-no-finalizer.json":              "the deletion",
	"health/namespace-terminating/h061.json":                  "the deletion",
	"health/config-missing/own-03.json":                       "the last change of the health",
	"health/crash-loop/operator-parts.json":                   "the last change of the health",
	"health/ingress-no-address/wrong-region.json":             "the last change of the health",
	"health/job-failed/operator-job-retries.json":             "the last change of the health",
	"health/job-failed/operator-job.json":                     "the last change of the health",
	"health/unschedulable/attach-limit-of-matching-node.json": "the last change of the health",
	"health/volume-pending/tied-to-cordoned-node.json":        "the last change of the health",
	"health/volume-pending/tied-to-lost-node.json":            "the last change of the health",
	"wave/blocked/k008.json":                                  "the beginning of the operation",
	"wave/blocked/lab-wave-stuck-9m.json":                     "for how long the probe has failed",
}

// TestASavedApplicationHasTheCauseOfItsTime: read a month later, it has the cause and the advice on a sync that it had when it was recorded.
func TestASavedApplicationHasTheCauseOfItsTime(t *testing.T) {
	e := engine(t)
	verdict := func(c *evidence.Case) string {
		report := diagnosed(t, e, c)
		rule := "no cause"
		if root := report.Root(); root != nil {
			rule = root.Rule
		}
		return rule + ", sync " + string(report.Sync.Verdict)
	}
	for _, r := range recordedCases(t) {
		app := savedApplication(t, r.c)
		if app == nil || undated[r.name] {
			continue
		}
		contents := evidence.Read(app, r.c.Now.Add(30*24*time.Hour))
		if len(contents.Cases) != 1 {
			continue
		}
		saved := contents.Cases[0]
		recordedThen := *saved
		recordedThen.Now = r.c.Now
		then, later := verdict(&recordedThen), verdict(saved)
		switch reason := agedByItself[r.name]; {
		case then != later && reason == "":
			t.Errorf("%s: %s when it was recorded, %s as of %s", r.name, then, later, saved.Now)
		case then == later && reason != "":
			t.Errorf("%s no longer changes: remove it from the list", r.name)
		}
	}
}
