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

	"github.com/argo-why/argo-why/internal/remedy"
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
	for _, k := range remedy.Kinds {
		kinds = append(kinds, string(k))
	}
	if got := record.Properties["kind"].Enum; !slices.Equal(got, kinds) {
		t.Errorf("kinds %v, want %v", got, kinds)
	}
	var states []string
	for _, s := range []remedy.State{
		remedy.Waiting, remedy.Ready, remedy.Running, remedy.Done, remedy.Failed, remedy.Changed, remedy.Denied, remedy.Expired, remedy.Withdrawn, remedy.Interrupted,
	} {
		states = append(states, string(s))
	}
	if got := record.Properties["state"].Enum; !slices.Equal(got, states) {
		t.Errorf("states %v, want %v", got, states)
	}
}

// action is one of so many bytes, about.
func action(id string, state remedy.State, size int) *remedy.Record {
	return &remedy.Record{
		ID: id, Want: remedy.Want{Kind: remedy.Sync, App: remedy.App{Namespace: "argocd", Name: "web"}}, State: state,
		By: remedy.Person{ID: "U1"}, At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Result: strings.Repeat("x", size),
	}
}

func TestALogThatIsTooLargeLosesTheOldestThatAreOver(t *testing.T) {
	const big = 300_000
	untold := action("untold", remedy.Done, big)
	untold.Notes = []remedy.Note{{Number: 1, State: remedy.Done}}
	for name, x := range map[string]struct {
		records []*remedy.Record
		want    string
	}{
		"all fit":                      {[]*remedy.Record{action("a", remedy.Done, big), action("b", remedy.Failed, big), action("c", remedy.Done, big)}, "a b c"},
		"no more than it takes":        {[]*remedy.Record{action("a", remedy.Done, big), action("b", remedy.Failed, big), action("c", remedy.Done, big), action("d", remedy.Done, big)}, "b c d"},
		"never what is going on":       {[]*remedy.Record{action("a", remedy.Waiting, big), action("b", remedy.Running, big), action("c", remedy.Ready, big), action("d", remedy.Denied, big)}, "a b c"},
		"never what is untold":         {[]*remedy.Record{untold, action("b", remedy.Done, big), action("c", remedy.Done, big), action("d", remedy.Running, big)}, "untold c d"},
		"neither is one that is small": {[]*remedy.Record{action("a", remedy.Done, 1), action("b", remedy.Running, big), action("c", remedy.Done, big), action("d", remedy.Done, 2*big)}, "b d"},
	} {
		t.Run(name, func(t *testing.T) {
			l := &remedy.ActionLog{App: remedy.App{Namespace: "argocd", Name: "web"}, Records: x.records}
			o, err := encodeActionLog(l)
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
	live := &remedy.ActionLog{App: remedy.App{Name: "web"}, Records: []*remedy.Record{action("a", remedy.Running, maxStatus), action("b", remedy.Done, 10)}}
	if _, err := encodeActionLog(live); err == nil || !strings.HasSuffix(err.Error(), " bytes, and a custom resource holds 1000000; keep the journal in a file instead") {
		t.Errorf("got %v", err)
	}
}

func TestTheNameOfAnActionLog(t *testing.T) {
	seen := map[string]remedy.App{}
	for _, app := range []remedy.App{
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
	if got := actionLogName(remedy.App{Instance: "prod", Namespace: "argocd", Name: "web"}); got != "web-93ae48cc81982044" {
		t.Errorf("got %s", got)
	}
}

func TestAnActionLogSaysWhatWasLast(t *testing.T) {
	r := action("a", remedy.Done, 0)
	r.By, r.Result = remedy.Person{ID: "U1", Name: "dana"}, "synced 3f2a91c"
	o, err := encodeActionLog(&remedy.ActionLog{App: remedy.App{Name: "web"}, Records: []*remedy.Record{action("b", remedy.Failed, 0), r}, Version: "7"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"action": "sync", "by": "dana", "state": "Done", "at": "2026-11-21T09:00:00Z", "result": "synced 3f2a91c"}
	if got := o.Object["last"]; fmt.Sprint(got) != fmt.Sprint(want) || o.GetResourceVersion() != "7" || o.GetLabels()["argo-why.dev/app"] != "web" {
		t.Errorf("got %v", o.Object)
	}
}
