package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// metric is the sum of a metric, with a label that has that value if it is not "".
func metric(t *testing.T, from prometheus.Gatherer, name, label string) (sum int) {
	t.Helper()
	all, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range all {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			fits := label == ""
			for _, l := range m.GetLabel() {
				fits = fits || l.GetValue() == label
			}
			if fits {
				sum += int(m.GetGauge().GetValue() + m.GetCounter().GetValue())
			}
		}
	}
	return sum
}

// TestADigestAgreesWithTheListAndTheMetrics, from the bot and from the command alike, and after a restart: the journal is a file that is opened again.
func TestADigestAgreesWithTheListAndTheMetrics(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.db")
	j, err := bolt.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range digesttest.Week() {
		if err := j.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	held, err := j.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	s := &shard{election: alone{}, incidents: incident.NewStore(incident.Policy{}, held)}
	registry := prometheus.NewRegistry()
	incident.NewMetrics(registry, s.incidents)
	listed, err := (&slackBackend{shards: shards{s}}).Failing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inList := map[incident.App]bool{}
	for _, f := range listed {
		for _, m := range f.Incident.Failing() {
			inList[m.App] = true
		}
	}
	c := config.Default()
	c.Journal = config.Journal{Kind: config.JournalFile, Path: file}
	c.Slack.Channel = "argo-alerts"
	printed, err := ReadDigest(t.Context(), c, DigestOptions{Period: digest.Period, Now: digesttest.Monday})
	if err != nil {
		t.Fatal(err)
	}
	o := digesttest.Options()
	o.Channel = ""
	posted := digest.Of(s.incidents.Failing(), s.incidents.All(), o)
	open := metric(t, registry, "argo_why_incidents", "Open")
	if printed.Failing != len(inList) || posted.Failing != len(inList) || len(inList) != 9 {
		t.Errorf("%d applications fail as printed, %d as posted, %d in the list, want 9", printed.Failing, posted.Failing, len(inList))
	}
	if printed.Threads != open || posted.Threads != open || open != 7 {
		t.Errorf("%d threads are open as printed, %d as posted, %d by the metrics, want 7", printed.Threads, posted.Threads, open)
	}
	if len(printed.Causes) != len(posted.Causes) || len(posted.Causes) == 0 || printed.Causes[0] != (incident.DigestCause{
		Rule: "health/crash-loop", Title: ruleTitles()["health/crash-loop"], Failures: 5, Recovered: 4, Half: 12 * time.Minute,
	}) {
		t.Errorf("causes %+v as printed, %+v as posted", printed.Causes, posted.Causes)
	}
}

// TestADigestNeedsAJournal, and makes none.
func TestADigestNeedsAJournal(t *testing.T) {
	c := config.Default()
	c.Journal = config.Journal{Kind: config.JournalFile, Path: filepath.Join(t.TempDir(), "none.db")}
	if _, err := ReadDigest(t.Context(), c, DigestOptions{Period: time.Hour, Now: digesttest.Monday}); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("without a file: %v", err)
	}
	if _, err := os.Stat(c.Journal.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}

// TestOnlyWhoLeadsTheFirstArgoCDPostsDigests, once it has had time to read.
func TestOnlyWhoLeadsTheFirstArgoCDPostsDigests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config.Default()
		c.Slack.Channel, c.Digest.Schedule = "alerts", "0 0 * * *" // which is now
		plan, err := newPlan(c)
		if err != nil {
			t.Fatal(err)
		}
		var all shards
		for _, part := range incident.Shards([]string{"prod", "staging"}) {
			s := &shard{Shard: part, election: alone{}, incidents: incident.NewStore(incident.Policy{Shard: part}, nil)}
			s.syncer = incident.NewSyncer(s.incidents, snapshot{}, &deliver.DryRun{Log: slog.New(slog.DiscardHandler)}, slog.New(slog.DiscardHandler), incident.Metrics{})
			all = append(all, s)
		}
		b := &bot{shards: all}
		job := b.digestJob(c, plan)
		run := func(want int, when string) {
			t.Helper()
			if err := job.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := len(all[0].incidents.Digests("alerts")); n != want || len(all[1].incidents.Digests("alerts")) > 0 {
				t.Errorf("%d digests %s, want %d", n, when, want)
			}
		}
		all[1].begin()
		time.Sleep(2 * digestSettles)
		run(0, "where only the second is led")
		all[0].begin()
		run(0, "at once")
		time.Sleep(digestSettles)
		run(1, "later")
		run(1, "the second time")
		stopping, stop := context.WithCancel(t.Context())
		stop()
		time.Sleep(24 * time.Hour)
		if err := job.Run(stopping); !errors.Is(err, context.Canceled) {
			t.Errorf("while the bot stops: %v", err)
		}
		if n := len(all[0].incidents.Digests("alerts")); n != 1 {
			t.Errorf("%d digests, of which one was made while the bot stopped", n)
		}
		run(2, "the next day")
		all[0].end()
		ended, end := context.WithCancel(t.Context())
		end()
		for _, s := range all {
			if err := s.syncer.Run(ended); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestWithoutAScheduleThereIsNoPlan(t *testing.T) {
	if plan, err := newPlan(config.Default()); plan != nil || err != nil {
		t.Errorf("%+v, %v", plan, err)
	}
}
