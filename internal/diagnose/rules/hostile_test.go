package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestCommandsQuoteWhatComesFromOutside: a name, path or revision that holds shell text stays one word in every command.
func TestCommandsQuoteWhatComesFromOutside(t *testing.T) {
	const evil = "x; touch pwned #"
	e := engine(t)
	seen := 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil {
			continue
		}
		app := *r.c.Application
		app.Metadata.Name, app.Spec.Project, app.Spec.Destination.Namespace = evil, evil, evil
		app.Spec.Source = &evidence.ApplicationSource{RepoURL: evil, Path: evil, TargetRevision: evil}
		app.Spec.Sources = nil
		c := *r.c
		c.Application = &app
		for _, f := range diagnosed(t, e, &c).Findings {
			for _, fix := range f.Fix {
				if !strings.Contains(fix.Command, "touch pwned") {
					continue
				}
				seen++
				if rest := strings.ReplaceAll(fix.Command, "'"+evil+"'", ""); strings.Contains(quotedAway(rest), "touch pwned") {
					t.Errorf("%s: %s would run: %s", r.name, f.Rule, fix.Command)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d commands held the text: the test does not reach them", seen)
	}
}

// TestNoCommandTakesAnOptionFromOutside: whatever an application says of itself, no word of a printed command is an option, or the address of a
// program, that it wrote. Behind the word is a mark that only hostile values have.
func TestNoCommandTakesAnOptionFromOutside(t *testing.T) {
	e := engine(t)
	for _, evil := range []string{"--upload-pack=touch MARK;true", "-oMARK", "\n-MARK", "'-MARK", "ext::sh -c MARK", "a'\n--MARK"} {
		withheld, kept := 0, 0
		for _, r := range recordedCases(t) {
			if r.c.Application == nil {
				continue
			}
			app := *r.c.Application
			app.Metadata.Name, app.Spec.Project, app.Spec.Destination.Namespace = evil, evil, evil
			app.Status.ControllerNamespace = evil
			chart := ""
			if r.c.Application.Spec.Source != nil && r.c.Application.Spec.Source.Chart != "" {
				chart = evil
			}
			app.Spec.Source = &evidence.ApplicationSource{RepoURL: evil, Path: evil, TargetRevision: evil, Chart: chart}
			app.Spec.Sources = nil
			c := *r.c
			c.Application = &app
			for _, f := range diagnosed(t, e, &c).Findings {
				for _, fix := range f.Fix {
					if strings.Contains(fix.Text+fix.Command+f.Why+f.Title, "\x00") {
						t.Errorf("%s: %s shows the mark of a command that is withheld", r.name, f.Rule)
					}
					if strings.Contains(strings.ToLower(fix.Text), "no command is printed") {
						withheld++
					}
					for _, w := range words(t, fix.Command) {
						if !strings.Contains(w, "MARK") {
							continue
						}
						kept++
						if w = strings.TrimSpace(w); strings.HasPrefix(w, "-") && !strings.Contains(strings.Split(w, "MARK")[0], "=") || strings.HasPrefix(w, "--upload-pack") || strings.HasPrefix(w, "ext::") {
							t.Errorf("%s: %s prints %q in: %s", r.name, f.Rule, w, fix.Command)
						}
					}
				}
			}
		}
		if withheld+kept < 100 {
			t.Errorf("%q reached only %d commands", evil, withheld+kept)
		}
	}
}

// words are those that a POSIX shell makes of a command.
func words(t *testing.T, command string) []string {
	t.Helper()
	var out []string
	word, quoted, begun := "", false, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word += string(c)
		case c == '\\' && i+1 < len(command):
			i++
			word, begun = word+string(command[i]), true
		case strings.IndexByte(" \t\n;|&()", c) >= 0:
			if begun {
				out = append(out, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(c), true
		}
	}
	if quoted {
		t.Errorf("a quote is not closed: %s", command)
	}
	if begun {
		out = append(out, word)
	}
	return out
}

// quotedAway removes what stands between single quotes.
func quotedAway(command string) string {
	var out strings.Builder
	for i, part := range strings.Split(command, "'") {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// TestOddTreesAndWindows: cycles, nodes without health and half a time zone give a report.
func TestOddTreesAndWindows(t *testing.T) {
	self := []evidence.Parent{{Group: "apps", Kind: "ReplicaSet", Name: "a"}}
	app := &evidence.Application{}
	app.Status.Sync.Status, app.Status.Health.Status = "Synced", "Progressing"
	cyclic := &evidence.Case{Application: app, Tree: &evidence.Tree{Nodes: []evidence.Node{{Group: "apps", Kind: "ReplicaSet", Name: "a", ParentRefs: self}}},
		Events: []evidence.Event{{Type: "Warning", Reason: "FailedCreate", Message: "Error creating: pods \"a\" is forbidden: exceeded quota: q"}}}
	cyclic.Events[0].InvolvedObject.Kind, cyclic.Events[0].InvolvedObject.Name = "ReplicaSet", "a"

	waiting := &evidence.Application{}
	waiting.Status.Sync.Status = "OutOfSync"
	waiting.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationRunning, Message: "waiting for healthy state of apps/Deployment/a", StartedAt: evidence.Time{Time: time.Unix(0, 0)}}
	unhealthy := &evidence.Case{Application: waiting, Tree: &evidence.Tree{Nodes: []evidence.Node{
		{Group: "apps", Kind: "Deployment", Name: "a"},
		{Kind: "Pod", Name: "a-1", Info: []evidence.InfoItem{{Name: "Status Reason", Value: "CrashLoopBackOff"}}, ParentRefs: []evidence.Parent{{Group: "apps", Kind: "Deployment", Name: "a"}}},
	}}}

	held := &evidence.Application{}
	held.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{}}
	held.Status.Sync.Status = "OutOfSync"
	window := evidence.SyncWindow{Kind: "deny", Schedule: "TZ=0", Duration: "1h"}
	windows := &evidence.Case{Application: held, Windows: &evidence.SyncWindows{ActiveWindows: []evidence.SyncWindow{window}, AssignedWindows: []evidence.SyncWindow{window}}}

	e := engine(t)
	for name, c := range map[string]*evidence.Case{"a cycle of owners": cyclic, "a pod without health": unhealthy, "half a time zone": windows} {
		t.Run(name, func(t *testing.T) {
			c.Now = evidence.Time{Time: time.Unix(3600, 0)}
			if rep := diagnosed(t, e, c); rep.Root() == nil {
				t.Errorf("no cause: %s", rep.Headline)
			}
		})
	}
}

// TestALargeApplicationThatRollsOut: 3,000 nodes, nothing wrong but slow to roll out.
func TestALargeApplicationThatRollsOut(t *testing.T) {
	if rep := diagnosed(t, engine(t), rollingOut()); rep.Verdict != diagnose.VerdictProgressing {
		t.Errorf("verdict %s", rep.Verdict)
	}
}

func BenchmarkALargeApplicationThatRollsOut(b *testing.B) {
	e, c := engine(b), rollingOut()
	for b.Loop() {
		diagnosed(b, e, c)
	}
	lessThanASecond(b)
}

func rollingOut() *evidence.Case {
	app := &evidence.Application{}
	app.Status.Sync.Status, app.Status.Health.Status = "Synced", "Progressing"
	tree := &evidence.Tree{}
	for i := range 1000 {
		name := "web-" + string(rune('a'+i%26)) + time.Duration(i).String()
		tree.Nodes = append(tree.Nodes,
			evidence.Node{Group: "apps", Kind: "Deployment", Name: name},
			evidence.Node{Group: "apps", Kind: "ReplicaSet", Name: name, ParentRefs: []evidence.Parent{{Group: "apps", Kind: "Deployment", Name: name}}},
			evidence.Node{Kind: "Pod", Name: name, ParentRefs: []evidence.Parent{{Group: "apps", Kind: "ReplicaSet", Name: name}}})
	}
	return &evidence.Case{Application: app, Tree: tree, Events: []evidence.Event{}}
}
