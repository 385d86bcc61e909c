// Package digesttest has one week of incidents, for the tests of everything that writes a digest.
package digesttest

import (
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
)

// Monday is when the digest is due.
var Monday = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// App names an application of the week.
func App(name string) incident.App {
	return incident.App{Instance: "prod", Namespace: "argocd", Name: name}
}

func before(d time.Duration) time.Time { return Monday.Add(-d) }

const day = 24 * time.Hour

// one is an incident of one application.
func one(name, rule, title string, age time.Duration) *incident.Incident {
	return &incident.Incident{
		ID: name + "-1", Phase: incident.Open, Channel: "argo-alerts", Cause: incident.Cause{Rule: rule, Key: rule}, Since: before(age), Seen: before(age), OpenedAt: before(age),
		Members: []incident.Member{{App: App(name), Since: before(age)}},
		Report:  &diagnose.Report{App: App(name), Verdict: diagnose.VerdictFailing, Headline: name + ": " + title},
		Thread:  incident.Thread{Channel: "C0000000001", TS: "1." + name, Permalink: "https://slack.example.com/archives/C0000000001/p1" + name},
	}
}

func recovered(i *incident.Incident, ago time.Duration) *incident.Incident {
	i.Phase, i.RecoveredAt, i.Members[0].Well = incident.Recovered, before(ago), before(ago)
	i.Past = append(i.Past, incident.Spell{Rule: i.Cause.Rule, Since: i.Since, Until: i.RecoveredAt, End: incident.RecoveredNow})
	return i
}

// Week are incidents of a week as a journal holds them.
func Week() []*incident.Incident {
	migration := one("payments-api", "hook/job-failed", "PreSync hook db-migrate failed, connection to Postgres refused", 3*day)
	migration.Muted = &incident.Mute{By: action.Person{ID: "U0000000001", Name: "alice"}, Until: Monday.Add(6 * time.Hour)}
	flaps := one("cart", "health/crash-loop", "container cart exits with code 137, out of memory", 6*day)
	for n := range 4 {
		at := before(6*day - time.Duration(n)*day)
		flaps.Past = append(flaps.Past, incident.Spell{Rule: "health/crash-loop", Since: at, Until: at.Add(time.Duration(10+n) * time.Minute), End: incident.RecoveredNow})
	}
	flaps.ReopenedAt = before(2 * time.Hour)
	flaps.Members[0].Since = flaps.ReopenedAt
	outage := one("shop-a", "render/git-unreachable", "Git host git.example.com is unreachable", 40*time.Minute)
	outage.Cause = incident.Cause{Rule: "render/git-unreachable", Key: "render/git-unreachable: git host git.example.com", Group: "render/git-unreachable: git host git.example.com", Subject: "git host git.example.com"}
	for _, name := range []string{"shop-b", "shop-c", "shop-d"} {
		outage.Members = append(outage.Members, incident.Member{App: App(name), Since: before(38 * time.Minute)})
	}
	outage.Members[3].Well = before(time.Minute)
	left := one("reports", "drift/autosync-off", "newer commit bb498fd not synced yet", 9*day)
	hot := one("search", "drift/manual-edit", "Deployment/search changed outside Git", 2*time.Hour)
	edited := one("ledger", "drift/manual-edit", "Deployment/ledger changed outside Git", 2*day)
	gone := one("preview-17", "health/image-pull", "image cannot be pulled", 30*time.Hour)
	gone.Phase, gone.RecoveredAt = incident.Recovered, before(20*time.Hour)
	gone.Members[0].Well, gone.Members[0].Note = before(20*time.Hour), incident.NoteDeleted
	gone.Past = []incident.Spell{{Rule: "health/image-pull", Since: gone.Since, Until: gone.RecoveredAt, End: incident.Deleted}}
	long := recovered(one("archive", "health/image-pull", "image cannot be pulled", 20*day), 15*day)
	elsewhere := one("mail", "hook/job-failed", "PostSync hook smoke-test failed", time.Hour)
	elsewhere.Channel = "mail-alerts"
	return []*incident.Incident{
		migration, flaps, outage, left, hot, edited, gone, long, elsewhere,
		recovered(one("web", "hook/job-failed", "PreSync hook db-migrate failed", 30*time.Hour), 28*time.Hour),
		recovered(one("blog", "health/image-pull", "image blog:1.2.4 not found", 26*time.Hour), 25*time.Hour-14*time.Minute),
	}
}

// Options are those of the digest of the week.
func Options() digest.Options {
	return digest.Options{
		Now: Monday, Since: before(3 * day), Period: 7 * day, OutOfSyncAfter: day, Channel: "argo-alerts", Titles: map[string]string{
			"hook/job-failed": "Hook failed", "health/crash-loop": "Container keeps crashing", "render/git-unreachable": "Git repository unreachable",
			"drift/autosync-off": "Newer commit not synced yet", "drift/manual-edit": "Resource changed outside Git", "health/image-pull": "Image cannot be pulled",
		},
	}
}

// Of is the digest of the week.
func Of(o digest.Options) incident.Digest {
	s := incident.NewStore(incident.Policy{}, Week())
	return digest.Of(s.Failing(), s.All(), o)
}

// Outlook is what Argo CD says beside the incidents of the week.
func Outlook() *incident.Outlook {
	return &incident.Outlook{
		At: Monday, Until: Monday.Add(day),
		Windows: []incident.DigestWindow{
			{Instance: "prod", Project: "shop", Kind: "deny", Manual: true, Begins: before(time.Hour), Ends: Monday.Add(time.Hour)},
			{Instance: "prod", Project: "payments", Kind: "allow", Of: "applications payments-*", Begins: Monday.Add(12 * time.Hour), Ends: Monday.Add(14 * time.Hour), More: 1},
		},
		Hooks: []incident.DigestHook{
			{App: App("payments-api"), Kind: "Job", Name: "db-migrate", NoDeadline: true, NoDeletePolicy: true},
			{App: App("web"), Kind: "Job", Name: "seed", NoDeadline: true},
		},
	}
}
