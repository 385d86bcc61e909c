package action_test

import (
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

// full is a situation in which there is something to digest of every kind.
func full() *action.Situation {
	s := everything()
	s.Manifests = []evidence.Object{object("Job", "migrate", "argocd.argoproj.io/hook", "PreSync"), object("Job", "notify", "argocd.argoproj.io/hook", "PostSync")}
	s.Application.Spec.IgnoreDifferences = []evidence.IgnoredDifference{{Kind: "ConfigMap", JSONPointers: []string{"/data/a"}}, {Kind: "Secret", JSONPointers: []string{"/data"}}}
	for i := range s.Managed {
		live := &s.Managed[i].LiveState
		*live = evidence.State(strings.Replace(string(*live), `"metadata":{`, `"metadata":{"uid":"u`+s.Managed[i].Name+`","resourceVersion":"1","generation":1,`, 1))
		s.Managed[i].NormalizedLiveState = *live
	}
	return s
}

func shuffled(s *action.Situation, random *rand.Rand) {
	swap := func(n int, f func(i, j int)) { random.Shuffle(n, f) }
	r := s.Application.Status.Resources
	swap(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	swap(len(s.Managed), func(i, j int) { s.Managed[i], s.Managed[j] = s.Managed[j], s.Managed[i] })
	swap(len(s.Manifests), func(i, j int) { s.Manifests[i], s.Manifests[j] = s.Manifests[j], s.Manifests[i] })
	d := s.Application.Spec.IgnoreDifferences
	swap(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
}

func TestFingerprintStaysWhileNothingOfItChanges(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, kind := range []action.Kind{action.Sync, action.DeleteHookJob, action.Terminate} {
		first := action.Build(want(kind), full(), noon).Fingerprint
		if len(first) != 32 {
			t.Fatalf("%s: print %q", kind, first)
		}
		for name, change := range map[string]func(w *action.Request, s *action.Situation){
			"nothing":             func(*action.Request, *action.Situation) {},
			"the order of it all": func(_ *action.Request, s *action.Situation) { shuffled(s, random) },
			"prune":               func(w *action.Request, _ *action.Situation) { w.Sync.Prune = true },
			"dry run":             func(w *action.Request, _ *action.Situation) { w.Sync.DryRun = true },
			"what is confirmed":   func(w *action.Request, _ *action.Situation) { w.Sync.Confirmed = true },
			"selected resources": func(w *action.Request, _ *action.Situation) {
				w.Sync.Resources = []evidence.Ref{{Kind: "ConfigMap", Name: "settings"}}
			},
			"words of the report": func(_ *action.Request, s *action.Situation) {
				s.Report.Sync.Why, s.Report.Headline = "other", "other"
				s.Report.Findings = []diagnose.Finding{{Why: "other"}}
			},
			"actions":             func(_ *action.Request, s *action.Situation) { s.Report.Actions = nil },
			"a part was not read": func(_ *action.Request, s *action.Situation) { s.Unread = []string{"events: time-out"} },
			"compared once more":  func(_ *action.Request, s *action.Situation) { s.Application.Status.ReconciledAt = at(0) },
			"health":              func(_ *action.Request, s *action.Situation) { s.Application.Status.Health.Status = "Degraded" },
			"the live status":     func(_ *action.Request, s *action.Situation) { live(s, "settings", `"kind"`, `"status":{"n":1},"kind"`) },
			"the live version": func(_ *action.Request, s *action.Situation) {
				live(s, "settings", `"resourceVersion":"1","generation":1`, `"resourceVersion":"7","generation":3`)
			},
			"what is in sync": func(_ *action.Request, s *action.Situation) { live(s, "same", `"a":"1"`, `"a":"1","status":"x"`) },
			"how others prune": func(_ *action.Request, s *action.Situation) {
				live(s, "old", `"resourceVersion":"1"`, `"resourceVersion":"7"`)
			},
			"retries of the last": func(_ *action.Request, s *action.Situation) { s.Application.Status.OperationState.RetryCount = 4 },
		} {
			for _, now := range []time.Time{noon, noon.Add(time.Hour), noon.Add(100 * time.Hour)} {
				s, w := full(), want(kind)
				change(&w, s)
				if got := action.Build(w, s, now).Fingerprint; got != first {
					t.Errorf("%s: changed by: %s, at %s", kind, name, now)
				}
			}
		}
	}
}

// live replaces text in the live state of a resource.
func live(s *action.Situation, name, old, text string) {
	for i := range s.Managed {
		if m := &s.Managed[i]; m.Name == name {
			replaced := evidence.State(strings.Replace(string(m.LiveState), old, text, 1))
			if replaced == m.LiveState {
				panic("no " + old + " in " + string(m.LiveState))
			}
			m.LiveState, m.NormalizedLiveState = replaced, replaced
		}
	}
}

func target(s *action.Situation, name, old, text string) {
	for i := range s.Managed {
		if m := &s.Managed[i]; m.Name == name {
			replaced := evidence.State(strings.Replace(string(m.TargetState), old, text, 1))
			if replaced == m.TargetState {
				panic("no " + old + " in " + string(m.TargetState))
			}
			m.TargetState, m.PredictedLiveState = replaced, replaced
		}
	}
}

func TestFingerprintChangesWithWhatWouldHappen(t *testing.T) {
	sync, job, end := []action.Kind{action.Sync}, []action.Kind{action.DeleteHookJob}, []action.Kind{action.Sync, action.DeleteHookJob, action.Terminate}
	for name, test := range map[string]struct {
		kinds  []action.Kind
		change func(s *action.Situation)
	}{
		"another application of that name": {end, func(s *action.Situation) { s.Application.Metadata.UID = "app-2" }},
		"another cluster":                  {end, func(s *action.Situation) { s.Application.Spec.Destination.Name = "eu-2" }},
		"another operation":                {end, func(s *action.Situation) { s.Application.Status.OperationState.StartedAt = at(-time.Minute) }},
		"the operation ended":              {end, func(s *action.Situation) { s.Application.Status.OperationState.Phase = evidence.OperationSucceeded }},
		"an operation begins":              {end, func(s *action.Situation) { s.Application.Operation = &evidence.Operation{} }},
		"there was none":                   {end, func(s *action.Situation) { s.Application.Status.OperationState = nil }},

		"another Job of that name": {job, func(s *action.Situation) { s.Job.UID = "job-2" }},
		"the Job runs":             {job, func(s *action.Situation) { s.Job.Active, s.Job.Finished = 1, "" }},
		"the Job goes":             {job, func(s *action.Situation) { s.Job.Deleting = true }},
		"the Job is gone":          {job, func(s *action.Situation) { s.Job = nil }},

		"the revision":          {sync, func(s *action.Situation) { s.Application.Status.Sync.Revision = "9c1e0d2" }},
		"the verdict":           {sync, func(s *action.Situation) { s.Report.Sync.Verdict = diagnose.SyncDestructive }},
		"the window":            {sync, func(s *action.Situation) { s.Windows.CanSync = new(false) }},
		"the window is unknown": {sync, func(s *action.Situation) { s.Windows = nil }},
		"a value in Git":        {sync, func(s *action.Situation) { target(s, "settings", "secret-1", "secret-2") }},
		"a live value":          {sync, func(s *action.Situation) { live(s, "settings", "secret-0", "secret-9") }},
		"a new field in Git":    {sync, func(s *action.Situation) { target(s, "settings", `"b":"2"`, `"b":"2","c":"3"`) }},
		"a masked value":        {sync, func(s *action.Situation) { live(s, "token", "hunter3", "+++++") }},
		"a Secret is edited":    {sync, func(s *action.Situation) { live(s, "token", `"resourceVersion":"1"`, `"resourceVersion":"2"`) }},
		"what is created":       {sync, func(s *action.Situation) { target(s, "new", `"a":"1"`, `"a":"2"`) }},
		"what is pruned":        {sync, func(s *action.Situation) { live(s, "old", `"a":"1"`, `"a":"2"`) }},
		"another one is pruned": {sync, func(s *action.Situation) { live(s, "disk", `"udisk"`, `"other"`) }},
		"it may not be pruned": {sync, func(s *action.Situation) {
			live(s, "old", `"uid"`, `"annotations":{"argocd.argoproj.io/sync-options":"Prune=false"},"uid"`)
		}},
		"one is deleted meanwhile": {sync, func(s *action.Situation) { s.Managed[4].LiveState, s.Managed[4].NormalizedLiveState = "null", "null" }},
		"one more differs":         {sync, func(s *action.Situation) { s.Application.Status.Resources[3].Status = "OutOfSync" }},
		"one less differs":         {sync, func(s *action.Situation) { s.Application.Status.Resources[0].Status = "Synced" }},
		"one is to be pruned":      {sync, func(s *action.Situation) { s.Application.Status.Resources[4].RequiresPruning = true }},
		"all is replaced": {sync, func(s *action.Situation) {
			s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{SyncOptions: []string{"Replace=true"}}
		}},
		"a hook more": {sync, func(s *action.Situation) {
			s.Manifests = append(s.Manifests, object("Job", "seed", "argocd.argoproj.io/hook", "Sync"))
		}},
		"a hook less": {sync, func(s *action.Situation) { s.Manifests = s.Manifests[1:] }},
		"a hook in another wave": {sync, func(s *action.Situation) {
			s.Manifests[0] = object("Job", "migrate", "argocd.argoproj.io/hook", "PreSync", "argocd.argoproj.io/sync-wave", "3")
		}},
		"another image of a hook": {sync, func(s *action.Situation) {
			s.Manifests[0]["spec"] = map[string]any{"image": "migrate:2"}
		}},
		"auto-sync is on": {sync, func(s *action.Situation) {
			s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{}}
		}},
		"it is tried again": {sync, func(s *action.Situation) {
			s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Retry: &evidence.Retry{Limit: 5}}
		}},
		"something is to be confirmed": {sync, func(s *action.Situation) { repaired(s, "hook/failed", "migrate") }},
		"less is ignored":              {sync, func(s *action.Situation) { s.Application.Spec.IgnoreDifferences = nil }},
		"what is ignored is kept": {sync, func(s *action.Situation) {
			s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{SyncOptions: []string{"RespectIgnoreDifferences=true"}}
		}},
	} {
		for _, kind := range test.kinds {
			s := full()
			test.change(s)
			if action.Build(want(kind), s, noon).Fingerprint == action.Build(want(kind), full(), noon).Fingerprint {
				t.Errorf("%s: not noticed: %s", kind, name)
			}
		}
	}
	other := want(action.Sync)
	other.App.Name = "ledger"
	if action.Build(other, full(), noon).Fingerprint == action.Build(want(action.Sync), full(), noon).Fingerprint {
		t.Error("two applications have one print")
	}
}

// repaired has a sync make sense once a cause is repaired.
func repaired(s *action.Situation, rule, hook string) {
	s.Report.Sync.Verdict = diagnose.SyncPointless
	s.Report.Findings = []diagnose.Finding{{Rule: rule, Role: diagnose.RoleCause, Resource: evidence.Ref{Group: "batch", Kind: "Job", Name: hook}}}
	s.Report.Actions = []diagnose.Action{{ID: diagnose.ActionSync, RefusedBecause: "the hook fails again", Once: "the cause is repaired"}}
}

// TestWhoSaysThatTheCauseIsRepairedSaysItOfThatCause: of another one they have said nothing.
func TestWhoSaysThatTheCauseIsRepairedSaysItOfThatCause(t *testing.T) {
	printOf := func(change func(s *action.Situation)) string {
		s := full()
		repaired(s, "hook/image-pull", "migrate")
		change(s)
		p := action.Build(want(action.Sync), s, noon)
		if p.RefusedBecause != "" {
			t.Fatalf("refused: %s", p.RefusedBecause)
		}
		return p.Fingerprint
	}
	first := printOf(func(*action.Situation) {})
	for name, change := range map[string]func(s *action.Situation){
		"another rule":      func(s *action.Situation) { s.Report.Findings[0].Rule = "hook/failed" },
		"another hook":      func(s *action.Situation) { s.Report.Findings[0].Resource.Name = "seed" },
		"another condition": func(s *action.Situation) { s.Report.Actions[0].Once = "the secret exists" },
	} {
		if printOf(change) == first {
			t.Errorf("not noticed: %s", name)
		}
	}
	if printOf(func(s *action.Situation) { s.Report.Findings[0].Why = "other words" }) != first {
		t.Error("words are no other cause")
	}
}

// TestRecordedFailures: of all recorded cases, a sync is offered exactly where its verdict allows it, what is listed is what
// Argo CD says is out of sync, and a plan made again is the same.
func TestRecordedFailures(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	offered := map[diagnose.SyncVerdict]int{}
	for name, c := range recordedCases(t) {
		s := &action.Situation{Report: diagnosed(t, c), Application: c.Application, Windows: c.Windows, Manifests: []evidence.Object{}}
		if c.Managed != nil {
			s.Managed = c.Managed.Items
		}
		p := action.Build(want(action.Sync), s, c.Now.Time)
		if p.RefusedBecause == "" && p.Confirm == "" {
			offered[p.Verdict]++
		}
		if verdict := s.Report.Sync.Verdict; p.RefusedBecause == "" && (verdict == diagnose.SyncBlocked || verdict == diagnose.SyncUnknown || verdict == diagnose.SyncPointless && p.Confirm == "") {
			t.Errorf("%s: a sync is planned, and it is %s: %s", name, verdict, p.Reason)
		}
		differ := 0
		for _, r := range c.Application.Status.Resources {
			if r.Status == "OutOfSync" && !r.Hook {
				differ++
				if !slices.ContainsFunc(p.Changes, func(c action.Change) bool { return c.Ref == r.Ref() }) {
					t.Errorf("%s: %s differs and is not listed", name, r.Ref())
				}
			}
		}
		if strings.HasSuffix(p.Summary(), "(no changes)") != (len(p.Changes) == 0) {
			t.Errorf("%s: %s, with %d changes", name, p.Summary(), len(p.Changes))
		}
		shuffled(s, random)
		if again := action.Build(want(action.Sync), s, c.Now.Add(time.Hour)); again.Fingerprint != p.Fingerprint {
			t.Errorf("%s: made again, it has another print", name)
		}
	}
	for _, verdict := range []diagnose.SyncVerdict{diagnose.SyncSafe, diagnose.SyncOverwritesLive, diagnose.SyncDestructive} {
		if offered[verdict] < 10 {
			t.Errorf("only %d syncs of the verdict %s are offered", offered[verdict], verdict)
		}
	}
}

// TestRecordedHookJobs: where the report offers to delete a Job that ended, there is a plan for it.
func TestRecordedHookJobs(t *testing.T) {
	deleted, ended := 0, 0
	for name, c := range recordedCases(t) {
		report := diagnosed(t, c)
		for _, a := range report.Actions {
			w := action.Request{Kind: action.Kind(a.ID), App: action.App{Namespace: c.Application.Metadata.Namespace, Name: c.Application.Metadata.Name}, Target: a.Target}
			s := &action.Situation{Report: report, Application: c.Application}
			if w.Kind == action.DeleteHookJob {
				s.Job = &action.Job{Ref: a.Target, UID: "job-1", Hook: "PreSync", TrackedBy: c.Application.Metadata.Name, Finished: "Failed"}
			}
			p := action.Build(w, s, c.Now.Time)
			terminating := c.Application.Status.OperationState != nil && c.Application.Status.OperationState.Phase == evidence.OperationTerminating
			switch {
			case w.Kind == action.DeleteHookJob:
				deleted++
				if running := c.Application.Status.OperationState.Running(); p.RefusedBecause != "" || running != slices.Contains(p.Needs, action.Terminate) {
					t.Errorf("%s: refused %q, needs %v, an operation is running: %t", name, p.RefusedBecause, p.Needs, running)
				}
			case w.Kind == action.Terminate && c.Application.Status.OperationState.Running() && !terminating:
				ended++
				if p.RefusedBecause != "" || !p.Operation.Equal(c.Application.Status.OperationState.StartedAt.Time) {
					t.Errorf("%s: refused %q", name, p.RefusedBecause)
				}
			}
		}
	}
	if deleted < 5 || ended < 20 {
		t.Errorf("%d Jobs are deleted and %d operations terminated: the cases are missing", deleted, ended)
	}
}

func recordedCases(t *testing.T) map[string]*evidence.Case {
	t.Helper()
	out := map[string]*evidence.Case{}
	root := filepath.Join("..", "diagnose", "rules", "testdata", "cases")
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		cases, err := evidence.DecodeCases(text, time.Time{})
		if err == nil && cases[0].Application != nil {
			out[path] = cases[0]
		}
		return err
	})
	if err != nil || len(out) < 300 {
		t.Fatalf("found %d recorded cases: %v", len(out), err)
	}
	return out
}

func diagnosed(t *testing.T, c *evidence.Case) *diagnose.Report {
	t.Helper()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Diagnose(t.Context(), c.Source(), c.Now.Time)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
