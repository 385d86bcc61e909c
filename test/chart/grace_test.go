package chart_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// atTheEnd are the limits of what the bot does one after the other when it is stopped; everything else ends meanwhile.
var atTheEnd = []struct{ what, file, limit string }{
	{"finish the actions that have begun", "internal/remedy/run.go", "drainFor"},
	{"save and post what is due", "internal/incident/syncer.go", "drainFor"},
	{"save what was decided last", "internal/incident/syncer.go", "lastSaves"},
	{"give the Lease back", "internal/kube/election.go", "leaseTimeout"},
	{"remove its entry from the journal", "internal/incident/handover.go", "entryTimeout"},
	{"close the connection to Slack", "internal/app/slack.go", "closeTimeout"},
}

// TestThePodHasTimeToFinish: a bot that is killed loses nothing, but has to search Slack for what it was posting.
func TestThePodHasTimeToFinish(t *testing.T) {
	var takes time.Duration
	for _, step := range atTheEnd {
		m := regexp.MustCompile(`\b` + step.limit + ` += (\d+) \* time\.(Second|Millisecond)\n`).FindStringSubmatch(read(t, "../../"+step.file))
		if m == nil {
			t.Fatalf("%s: no constant %s", step.file, step.limit)
		}
		d, err := time.ParseDuration(m[1] + map[string]string{"Second": "s", "Millisecond": "ms"}[m[2]])
		if err != nil {
			t.Fatal(err)
		}
		takes += d
	}
	pod := one[*appsv1.Deployment](t, decode(t, mustRender(t, valuesOf(t)["minimal"])), "argo-why").Spec.Template.Spec
	if given := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; given < takes+15*time.Second {
		t.Errorf("the pod has %s, and the bot needs %s and some more on a busy node", given, takes)
	}
	var schema struct {
		Properties struct {
			TerminationGracePeriodSeconds struct{ Minimum int }
		}
	}
	if err := json.Unmarshal([]byte(read(t, schemaFile)), &schema); err != nil {
		t.Fatal(err)
	}
	if least := time.Duration(schema.Properties.TerminationGracePeriodSeconds.Minimum) * time.Second; least < takes {
		t.Errorf("the schema takes %s, and the bot needs %s", least, takes)
	}
	if page := read(t, "../../docs/operations.md"); !strings.Contains(page, strings.TrimSuffix(takes.String(), "s")+" s") {
		t.Errorf("docs/operations.md does not say that it takes up to %s", takes)
	}
}
