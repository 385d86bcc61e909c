package kube

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/action"
)

// TestTheDefinitionKnowsEveryFieldOfAnAction: what it does not know, the API server would refuse, and every action with it.
func TestTheDefinitionKnowsEveryFieldOfAnAction(t *testing.T) {
	s := schemaOf(t, "actionlogs.yaml")
	for _, ofEveryObject := range []string{"apiVersion", "kind", "metadata"} {
		delete(s.Properties, ofEveryObject)
	}
	agree(t, "actionlog", s, reflect.TypeFor[actionLog]())
	record := s.Properties["records"].Items
	var kinds []string
	for _, k := range action.Kinds {
		kinds = append(kinds, string(k))
	}
	if got := record.Properties["kind"].Enum; !slices.Equal(got, kinds) {
		t.Errorf("kinds %v, want %v", got, kinds)
	}
	var states []string
	for _, s := range []action.State{
		action.Waiting, action.Ready, action.Running, action.Done, action.Failed, action.Changed, action.Denied, action.Expired, action.Withdrawn, action.Interrupted,
	} {
		states = append(states, string(s))
	}
	if got := record.Properties["state"].Enum; !slices.Equal(got, states) {
		t.Errorf("states %v, want %v", got, states)
	}
}

// recordOf is one of so many bytes, about.
func recordOf(id string, state action.State, size int) *action.Record {
	return &action.Record{
		ID: id, Request: action.Request{Kind: action.Sync, App: action.App{Namespace: "argocd", Name: "web"}}, State: state,
		By: action.Person{ID: "U1"}, At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Result: strings.Repeat("x", size),
	}
}

func TestALogThatIsTooLargeLosesTheOldestThatAreOver(t *testing.T) {
	const big = 300_000
	untold := recordOf("untold", action.Done, big)
	untold.Notes = []action.Note{{Number: 1, State: action.Done}}
	for name, x := range map[string]struct {
		records []*action.Record
		want    string
	}{
		"all fit":                      {[]*action.Record{recordOf("a", action.Done, big), recordOf("b", action.Failed, big), recordOf("c", action.Done, big)}, "a b c"},
		"no more than it takes":        {[]*action.Record{recordOf("a", action.Done, big), recordOf("b", action.Failed, big), recordOf("c", action.Done, big), recordOf("d", action.Done, big)}, "b c d"},
		"never what is going on":       {[]*action.Record{recordOf("a", action.Waiting, big), recordOf("b", action.Running, big), recordOf("c", action.Ready, big), recordOf("d", action.Denied, big)}, "a b c"},
		"never what is untold":         {[]*action.Record{untold, recordOf("b", action.Done, big), recordOf("c", action.Done, big), recordOf("d", action.Running, big)}, "untold c d"},
		"neither is one that is small": {[]*action.Record{recordOf("a", action.Done, 1), recordOf("b", action.Running, big), recordOf("c", action.Done, big), recordOf("d", action.Done, 2*big)}, "b d"},
	} {
		t.Run(name, func(t *testing.T) {
			l := &action.Log{App: action.App{Namespace: "argocd", Name: "web"}, Records: x.records}
			o, _, err := encodeActionLog(l)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(o.Object)
			if err != nil || len(raw) > maxStatus+1000 {
				t.Errorf("%d bytes, %v", len(raw), err)
			}
			again, err := decodeActionLog(o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range again.Records {
				got = append(got, r.ID)
			}
			if strings.Join(got, " ") != x.want || len(l.Records) != len(x.records) {
				t.Errorf("kept %v of %d, want %s", got, len(l.Records), x.want)
			}
		})
	}
	live := &action.Log{App: action.App{Name: "web"}, Records: []*action.Record{recordOf("a", action.Running, maxStatus), recordOf("b", action.Done, 10)}}
	if _, _, err := encodeActionLog(live); err == nil || !strings.HasSuffix(err.Error(), " bytes, and the limit of a custom resource is 1000000; keep the journal in a file (journal.kind: file)") {
		t.Errorf("got %v", err)
	}
}

func TestTheNameOfAnActionLog(t *testing.T) {
	seen := map[string]action.App{}
	for _, app := range []action.App{
		{Name: "web"}, {Namespace: "argocd", Name: "web"}, {Instance: "argocd", Name: "web"}, {Instance: "prod", Namespace: "argocd", Name: "web"},
		{Name: "web.eu"}, {Name: "web-eu"}, {Name: "größer"}, {Name: "🔴"}, {Name: strings.Repeat("very-long.", 25)}, {Name: strings.Repeat("very-long.", 25) + "x"},
	} {
		name := actionLogName(app)
		if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
			t.Errorf("%+v: %s: %v", app, name, problems)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%+v and %+v share %s", app, other, name)
		}
		seen[name] = app
	}
	// It must never change: a log that is not found is an empty one.
	if got := actionLogName(action.App{Instance: "prod", Namespace: "argocd", Name: "web"}); got != "web-93ae48cc81982044" {
		t.Errorf("got %s", got)
	}
}

func TestAnActionLogSaysWhatWasLast(t *testing.T) {
	r := recordOf("a", action.Done, 0)
	r.By, r.Result = action.Person{ID: "U1", Name: "dana"}, "synced 3f2a91c"
	o, _, err := encodeActionLog(&action.Log{App: action.App{Name: "web"}, Records: []*action.Record{recordOf("b", action.Failed, 0), r}, Version: "7"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"action": "sync", "by": "dana", "state": "Done", "at": "2026-11-21T09:00:00Z", "result": "synced 3f2a91c"}
	if got := o.Object["last"]; fmt.Sprint(got) != fmt.Sprint(want) || o.GetResourceVersion() != "7" || o.GetLabels()["argo-why.dev/app"] != "web" {
		t.Errorf("got %v", o.Object)
	}
}
