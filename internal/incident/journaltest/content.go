package journaltest

import (
	"fmt"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

func full(t *testing.T, j incident.Journal) {
	i := put(t, j, Full("web-1"))
	holds(t, j, i)
	i.LastReply++
	holds(t, j, put(t, j, i))
}

// empty: a journal that left out what is zero, or made a list of what is none, would show as a change that nobody made.
func empty(t *testing.T, j incident.Journal) {
	i := put(t, j, &incident.Incident{ID: "web-1", Phase: incident.Pending})
	holds(t, j, i)
	i.Members, i.Report = []incident.Member{}, Full("web-1").Report
	i.Report.Findings = nil
	i.Report.Effects = []string{}
	holds(t, j, put(t, j, i))
}

// many is an outage.
func many(id string, apps int) *incident.Incident {
	i := Full(id)
	i.Members = nil
	for n := range apps {
		i.Members = append(i.Members, incident.Member{
			App:      incident.App{Instance: "prod-eu", Namespace: "team-payments", Name: fmt.Sprintf("payments-ledger-reconciler-%04d", n)},
			Since:    time.Date(2026, 11, 21, 9, 0, 0, n, time.UTC),
			Headline: fmt.Sprintf("payments-ledger-reconciler-%04d: the repository git.example.com/payments/ledger-%04d.git cannot be reached: connection refused", n, n),
		})
	}
	return i
}

func large(t *testing.T, j incident.Journal) {
	const apps = 5_000
	i := put(t, j, many("outage-1", apps))
	holds(t, j, i)
	i.Members[apps-1].Well = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	i.Members[apps-1].Note = "deleted"
	holds(t, j, put(t, j, i))
	all, err := j.List(t.Context())
	if err != nil || len(all) != 1 || text(t, all[0]) != text(t, i) {
		t.Errorf("list: %d entries, %v", len(all), err)
	}
	i.Members = i.Members[:1] // and it may become a small one again
	holds(t, j, put(t, j, i))
}

func sharesNothing(t *testing.T, j incident.Journal) {
	i := put(t, j, Full("web-1"))
	stored := text(t, i)
	spoil := func(i *incident.Incident) {
		i.Members[0].Note, i.Outbox[0].Notes[0], i.Resolution[0], i.Report.Headline = "spoilt", "spoilt", "spoilt", "spoilt"
		i.Actions[0].Result, i.Outbox[0].Action.Result, i.Outbox[0].Note.Text, i.Muted.By.Name, i.Noted[0].Record = "spoilt", "spoilt", "spoilt", "spoilt", "spoilt"
	}
	spoil(i)
	read, err := j.Get(t.Context(), "web-1")
	if err != nil || text(t, read) != stored {
		t.Fatalf("after a change of what was put: %s, %v", text(t, read), err)
	}
	spoil(read)
	all, err := j.List(t.Context())
	if err != nil || len(all) != 1 || text(t, all[0]) != stored {
		t.Fatalf("after a change of what Get returned: %v, %v", all, err)
	}
	spoil(all[0])
	if read, err = j.Get(t.Context(), "web-1"); err != nil || text(t, read) != stored {
		t.Fatalf("after a change of what List returned: %s, %v", text(t, read), err)
	}
}
