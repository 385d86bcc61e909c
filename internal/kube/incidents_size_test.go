package kube

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

// crowd is an incident with members whose names are as long and as irregular as Kubernetes allows: they hardly pack.
func crowd(members int, headline int) *incident.Incident {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(size int) string {
		var b strings.Builder
		for range size {
			b.WriteByte(byte('a' + random.IntN(26)))
		}
		return b.String()
	}
	i := journaltest.Full("web-1")
	i.Members = nil
	for n := range members {
		i.Members = append(i.Members, incident.Member{
			App: incident.App{Instance: "prod", Namespace: "argocd", Name: text(63)}, Since: time.Date(2026, 11, 21, 9, 0, 0, n, time.UTC), Headline: text(headline),
		})
	}
	return i
}

// roundTrip is what is read again, with the size of what was stored and what it says was left out.
func roundTrip(t *testing.T, i *incident.Incident) (again *incident.Incident, size int, cut []any, plain int) {
	t.Helper()
	status, err := encodeStatus(i)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	o := newObject(i)
	o.Object["status"] = status
	if again, err = decodeIncident(o); err != nil {
		t.Fatal(err)
	}
	cut, _ = status["cut"].([]any)
	members, _ := status["members"].([]any)
	return again, len(raw), cut, len(members)
}

func TestAStatusFitsAndLosesNoMember(t *testing.T) {
	long := crowd(3, 80)
	long.Report.Headline = strings.Repeat("x", maxStatus)
	for name, x := range map[string]struct {
		incident *incident.Incident
		plain    int
		cut      string
	}{
		"one application":                      {crowd(1, 80), 1, "[]"},
		"as many as fit in plain text":         {crowd(300, 80), 300, "[]"},
		"an outage":                            {crowd(2_000, 80), plainMembers, "[]"},
		"5,000 names of the longest kind":      {crowd(5_000, 80), plainMembers, "[]"},
		"5,000 with headlines that do not fit": {crowd(5_000, 500), plainMembers, "[the headlines of the members]"},
		"a report that does not fit":           {long, 3, "[the headlines of the members the report]"},
	} {
		t.Run(name, func(t *testing.T) {
			again, size, cut, plain := roundTrip(t, x.incident)
			t.Logf("%d bytes", size)
			if size > maxStatus || fmt.Sprint(cut) != x.cut || plain != x.plain {
				t.Errorf("%d bytes, %d in plain text, cut %v", size, plain, cut)
			}
			if !slices.EqualFunc(again.Members, x.incident.Members, func(a, b incident.Member) bool {
				return a.App == b.App && a.Since.Equal(b.Since) && (a.Headline == b.Headline || len(cut) > 0)
			}) {
				t.Error("the members are not what they were")
			}
			if (again.Report == nil) != (len(cut) == 2) {
				t.Errorf("report %v", again.Report)
			}
			if x.incident.Members[0].Headline == "" || x.incident.Report == nil {
				t.Error("the caller's own was cut")
			}
		})
	}
	_, err := encodeStatus(crowd(20_000, 80))
	if err == nil || !strings.Contains(err.Error(), "with 20000 applications, and the limit of a custom resource is 1000000; keep the journal in a file (journal.kind: file)") {
		t.Errorf("got %v", err)
	}
}

func TestLabelsAreWhatKubernetesTakes(t *testing.T) {
	long := strings.Repeat("very-long-", 12)
	for text, want := range map[string]string{
		"web":              "web",
		"":                 "",
		"Team_A.web-1":     "Team_A.web-1",
		"team/web":         "team-web-a5cb1ff6",
		"-":                "3973e022",
		"größer":           "gr-er-",
		long + "name":      "very-long-very-long-very-long-very-long-very-long-very-",
		long + "othername": "very-long-very-long-very-long-very-long-very-long-very-",
	} {
		got := labelValue(text)
		if problems := validation.IsValidLabelValue(got); len(problems) > 0 || !strings.HasPrefix(got, want) || got != labelValue(text) {
			t.Errorf("%q: %q, %v", text, got, problems)
		}
	}
	if labelValue(long+"name") == labelValue(long+"othername") {
		t.Error("two names have one label")
	}
}
