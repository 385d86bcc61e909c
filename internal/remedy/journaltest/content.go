package journaltest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident/journaltest"
	"github.com/argo-why/argo-why/internal/remedy"
)

// web is the application of the tests.
var web = remedy.App{Instance: "prod", Namespace: "argocd", Name: "web"}

// Small is a log with one record, as it begins.
func Small(app remedy.App) *remedy.ActionLog {
	at := time.Date(2026, 11, 21, 9, 0, 7, 123456789, time.UTC)
	return &remedy.ActionLog{App: app, Records: []*remedy.Record{{
		ID: "a-1", Want: remedy.Want{Kind: remedy.HardRefresh, App: app}, By: remedy.Person{ID: "U1", Name: "dana"}, At: at, Click: "1.2",
		State: remedy.Waiting, Notes: []remedy.Note{{Number: 1, State: remedy.Waiting, At: at}},
	}}}
}

// Full is a log of which everything that is stored is set, each to something of its own: the fields of today and, because they
// are found by reflection, those of tomorrow.
func Full(app remedy.App) *remedy.ActionLog {
	l := &remedy.ActionLog{}
	journaltest.Fill(l, "log")
	l.App, l.Version = app, ""
	// These are not any text.
	l.Records[0].Kind, l.Records[0].State = remedy.DeleteHookJob, remedy.Running
	l.Records[1].Kind, l.Records[1].State = remedy.Sync, remedy.Interrupted
	return l
}

func full(t *testing.T, j remedy.Journal) {
	l := put(t, j, Full(web))
	holds(t, j, l)
	l.Records[1].LastNote++
	holds(t, j, put(t, j, l))
}

// empty: a journal that left out what is zero, or made a list of what is none, would show as a change that nobody made.
func empty(t *testing.T, j remedy.Journal) {
	l := put(t, j, &remedy.ActionLog{App: web})
	holds(t, j, l)
	l.Records = []*remedy.Record{}
	holds(t, j, put(t, j, l))
	l.Records = []*remedy.Record{{Want: remedy.Want{Kind: remedy.Mute}, State: remedy.Done}}
	holds(t, j, put(t, j, l))
}

// large is as many records as are kept, and a log of each that is about to be lost.
func large(t *testing.T, j remedy.Journal) {
	l := Small(web)
	for n := range 100 {
		r := Small(web).Records[0]
		r.ID, r.Result = fmt.Sprintf("a-%d", n), strings.Repeat("It was refused: ", 20)
		r.Notes[0].Log = strings.Repeat("dial tcp 10.0.1.45:5432: connect: connection refused\n", 50)
		l.Records = append(l.Records, r)
	}
	holds(t, j, put(t, j, l))
	l.Records = l.Records[:1] // and it may become a small one again
	holds(t, j, put(t, j, l))
}

func sharesNothing(t *testing.T, j remedy.Journal) {
	l := put(t, j, Full(web))
	stored := text(t, l)
	spoil := func(l *remedy.ActionLog) {
		r := l.Records[0]
		r.Result, r.Notes[0].Text, r.Approval.From.Users[0], r.Sync.Resources[0].Name = "spoilt", "spoilt", "spoilt", "spoilt"
	}
	spoil(l)
	read := get(t, j, web)
	if text(t, read) != stored {
		t.Fatalf("after a change of what was put: %s", text(t, read))
	}
	spoil(read)
	all, err := j.List(t.Context())
	if err != nil || len(all) != 1 || text(t, all[0]) != stored {
		t.Fatalf("after a change of what Get returned: %v, %v", all, err)
	}
	spoil(all[0])
	if read = get(t, j, web); text(t, read) != stored {
		t.Fatalf("after a change of what List returned: %s", text(t, read))
	}
}
