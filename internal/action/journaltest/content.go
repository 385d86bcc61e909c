package journaltest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

// web is the application of the tests.
var web = action.App{Instance: "prod", Namespace: "argocd", Name: "web"}

// Small is a log with one record, as it begins.
func Small(app action.App) *action.Log {
	at := time.Date(2026, 11, 21, 9, 0, 7, 123456789, time.UTC)
	return &action.Log{App: app, Records: []*action.Record{{
		ID: "a-1", Request: action.Request{Kind: action.HardRefresh, App: app}, By: action.Person{ID: "U1", Name: "dana"}, At: at, Click: "1.2",
		State: action.Waiting, Notes: []action.Note{{Number: 1, State: action.Waiting, At: at}},
	}}}
}

// Full is a log of which everything that is stored is set, each to something of its own: the fields of today and, because they
// are found by reflection, those of tomorrow.
func Full(app action.App) *action.Log {
	l := &action.Log{}
	journaltest.Fill(l, "log")
	l.App, l.Version = app, ""
	// These are not any text.
	l.Records[0].Kind, l.Records[0].State = action.DeleteHookJob, action.Running
	l.Records[1].Kind, l.Records[1].State = action.Sync, action.Interrupted
	return l
}

func full(t *testing.T, j action.Journal) {
	l := put(t, j, Full(web))
	holds(t, j, l)
	l.Records[1].LastNote++
	holds(t, j, put(t, j, l))
}

// empty: a journal that left out what is zero, or made a list of what is none, would show as a change that nobody made.
func empty(t *testing.T, j action.Journal) {
	l := put(t, j, &action.Log{App: web})
	holds(t, j, l)
	l.Records = []*action.Record{}
	holds(t, j, put(t, j, l))
	l.Records = []*action.Record{{Request: action.Request{Kind: action.Mute}, State: action.Done}}
	holds(t, j, put(t, j, l))
}

// large is as many records as are kept, and a log of each that is about to be lost.
func large(t *testing.T, j action.Journal) {
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

func sharesNothing(t *testing.T, j action.Journal) {
	l := put(t, j, Full(web))
	stored := text(t, l)
	spoil := func(l *action.Log) {
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
