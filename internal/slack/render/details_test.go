package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// TestTheDetailsHaveOfTheFixWhatTheRootHasNot: each step, each command and each patch is in one of the two, and whole, however
// crowded the root message is.
func TestTheDetailsHaveOfTheFixWhatTheRootHasNot(t *testing.T) {
	crowds := map[string]func(*incident.Incident){
		"alone": func(*incident.Incident) {},
		"while people act": func(i *incident.Incident) {
			i.Muted = &incident.Mute{By: dana, Until: start.Add(time.Hour)}
			i.Actions = []*action.Record{asked(wants[0], action.Done), asked(wants[3], action.Waiting)}
			i.ReopenedAt = i.OpenedAt.Add(time.Hour)
		},
	}
	once := 0
	for name := range cases {
		for crowd, change := range crowds {
			if recorded(t, name).Root() == nil {
				continue
			}
			i := failing(t, name)
			change(i)
			above, below := text.OneLine(seen(root(i))), text.OneLine(seen(details(i)))
			at := fmt.Sprintf("%s, %s", name, crowd)
			for n, step := range i.Report.Root().Fix {
				for what, content := range map[string]string{"text": step.Text, "command": step.Command, "YAML": step.Patch} {
					content = text.OneLine(content)
					switch {
					case content == "":
					case !strings.Contains(above, content) && !strings.Contains(below, content):
						t.Errorf("%s: the %s of step %d is nowhere whole: %s\n%s\n%s", at, what, n+1, content, above, below)
					case strings.Contains(above, content):
						_, fix, _ := strings.Cut(below, "Fix, continued")
						if fix, _, _ = strings.Cut(fix, " Also found "); strings.Contains(fix, content) {
							t.Errorf("%s: the %s of step %d is said twice: %s\n%s\n%s", at, what, n+1, content, above, below)
						}
						once++
					}
				}
			}
		}
	}
	if once < 20 {
		t.Errorf("only %d texts, commands and patches of steps are in a root message", once)
	}
}

// TestWhatIsOverKeepsItsDetails: nothing is edited for it, and no step is lost with the root message.
func TestWhatIsOverKeepsItsDetails(t *testing.T) {
	for name := range cases {
		if recorded(t, name).Root() == nil {
			continue
		}
		i := failing(t, name)
		before := details(i).Digest()
		i.Phase, i.RecoveredAt = incident.Recovered, start.Add(time.Hour)
		if details(i).Digest() != before {
			t.Errorf("%s: the details change", name)
		}
	}
}

func TestOtherResourcesStandBelowTheEvidence(t *testing.T) {
	n := 0
	for name := range cases {
		r := recorded(t, name)
		if r.Root() == nil || len(r.Root().Evidence) == 0 {
			continue
		}
		r.Findings[0].Others = []evidence.Ref{{Kind: "Job", Name: "another-one"}}
		_, m := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		got := seen(m)
		quotes, others := strings.Index(got, "Evidence"), strings.Index(got, "Also on Job/another-one")
		if others < 0 || quotes > others {
			t.Errorf("%s: evidence at %d, other resources at %d\n%s", name, quotes, others, got)
		}
		n++
	}
	if n < 10 {
		t.Errorf("%d reports have evidence", n)
	}
}

// TestNobodyInSlackIsSentToACommandLine that only those have who run the bot.
func TestNobodyInSlackIsSentToACommandLine(t *testing.T) {
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"health/child-app/*.json", "wave/blocked/*.json", "deletion/*/*.json", "health/deleting/*.json"} {
		found, err := filepath.Glob(filepath.Join("../../diagnose/rules/testdata/cases", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	asking := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := evidence.DecodeCases(raw, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Diagnose(t.Context(), decoded[0].Source(), decoded[0].Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		sends := slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool {
			return slices.ContainsFunc(f.Fix, func(x diagnose.Fix) bool { return strings.HasPrefix(x.Command, "argo-why ") })
		})
		above, below := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		got := seen(above) + seen(below)
		if strings.Contains(got, "argo-why why") {
			t.Errorf("%s:\n%s", file, got)
		}
		if sends && strings.Contains(got, "/argo why ") {
			asking++
		}
	}
	if asking < 3 {
		t.Errorf("%d of %d reports have people ask about another application", asking, len(files))
	}
	long := recorded(t, "hook-job-failed")
	for range 5 {
		long.Findings[0].Fix = append(long.Findings[0].Fix, diagnose.Fix{Text: strings.Repeat("long ", 200), Patch: strings.Repeat("a: b\n", 500)})
	}
	_, cut := render.Report(posted.ReportTo(audience.All(), long), links, acting(long))
	if got := seen(cut); !strings.Contains(got, "Cut here, too long for Slack") || strings.Contains(got, "bot ") {
		t.Error(got)
	}
}
