//go:build live

package live_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/test/lab/scenarios"
	"github.com/argo-why/argo-why/test/live/printed"
)

// TestPrintedFixesWork runs every step that `bot why` prints for the scenarios. Each way in which a person can use a report gets
// a fresh run of its scenario; after it the application is what the text says. Commands that only look must print something.
// What is not run is listed in test/lab/scenarios/not-run.yaml.
func TestPrintedFixesWork(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	t.Run("together", func(t *testing.T) {
		for _, s := range all {
			switch {
			case s.Apps[0].Early:
				t.Run(s.Name+" begins", func(t *testing.T) { t.Parallel(); newRun(t, s, 0, nil).begin() })
			case !s.Apps[0].Alone:
				t.Run(s.Name, func(t *testing.T) { t.Parallel(); b.scenario(t, s) })
			}
		}
	})
	for _, s := range all {
		if s.Apps[0].Alone {
			t.Run(s.Name, func(t *testing.T) { b.scenario(t, s) })
		}
	}
	b.allReasonsAreNeeded(t, len(all))
}

// bench has what all of them share.
type bench struct {
	notRun []scenarios.NotRun
	mu     sync.Mutex
	needed map[scenarios.NotRun]bool
	ran    int
	steps  int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	for _, name := range []string{"LAB_DIR", "ARGOCD_SERVER", "ARGOCD_AUTH_TOKEN", "KUBECONFIG", "GIT_URL", "GIT_WORK"} {
		if os.Getenv(name) == "" {
			t.Fatalf("%s is not set: run `make e2e`, or source the environment of a lab that is up", name)
		}
	}
	bin, err := filepath.Abs("../../bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, "bot")); err != nil {
		t.Fatalf("find the bot (make build): %v", err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	notRun, err := scenarios.StepsNotRun()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{notRun: notRun, needed: map[scenarios.NotRun]bool{}}
}

// scenario runs all ways of its applications, and then asks whether each step was run.
func (b *bench) scenario(t *testing.T, s scenarios.Scenario) {
	b.mu.Lock()
	b.ran++
	b.mu.Unlock()
	seen := &steps{bench: b, scenario: s.Name, done: map[string]bool{}, times: map[string]int{}}
	t.Cleanup(func() {
		if !t.Failed() {
			seen.allDone(t)
		}
	})
	runs := 1
	for _, app := range s.Apps {
		runs = max(runs, len(app.Ways))
	}
	seen.runs = runs
	for n := range runs {
		var names []string
		for _, app := range s.Apps {
			if n < len(app.Ways) {
				names = append(names, app.Ways[n].Name)
			}
		}
		t.Run(strings.ReplaceAll(strings.Join(names, " and "), ",", ""), func(t *testing.T) {
			if !s.Apps[0].Alone {
				t.Parallel()
			}
			newRun(t, s, n, seen).start()
		})
	}
}

// steps are those that were printed for a scenario.
type steps struct {
	*bench
	scenario string
	order    []string
	done     map[string]bool
	// times is how many of the runs printed a step.
	times map[string]int
	runs  int
}

// key is the step without the name of the run.
func (r *run) key(s printed.Step) string {
	return strings.ReplaceAll(s.Command+s.Patch, r.name, r.scenario.Name)
}

func (s *steps) printed(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times[key]++
	if _, ok := s.done[key]; !ok {
		s.done[key] = false
		s.order = append(s.order, key)
		s.steps++
	}
}

func (s *steps) did(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[key] = true
}

// cannot is the reason why a step is not run.
func (s *steps) cannot(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.notRun {
		if (n.Scenario == "" || n.Scenario == s.scenario) && strings.Contains(key, n.Step) {
			s.needed[n] = true
			return n.Reason
		}
	}
	return ""
}

func (s *steps) allDone(t *testing.T) {
	for _, key := range s.order {
		switch {
		case s.done[key] || s.cannot(key) != "":
		case s.times[key] < s.runs: // Argo CD was in another state in this run: between two retries, or before it compared again
			t.Logf("this step is not run, and not all runs printed it:\n%s", key)
		default:
			t.Errorf("this step is neither run nor listed in not-run.yaml:\n%s", key)
		}
	}
}

func (b *bench) allReasonsAreNeeded(t *testing.T, all int) {
	if b.ran < all || t.Failed() {
		return
	}
	t.Logf("%d printed steps of %d scenarios", b.steps, b.ran)
	for _, n := range b.notRun {
		if !b.needed[n] && !n.Sometimes {
			t.Errorf("not-run.yaml lists %s, which no report prints", quote(n))
		}
	}
}

func quote(n scenarios.NotRun) string {
	if n.Scenario != "" {
		return fmt.Sprintf("%q of %s", n.Step, n.Scenario)
	}
	return fmt.Sprintf("%q", n.Step)
}

// right says what is wrong with a report; nothing if it is the expected one.
func right(x scenarios.App, rep *printed.Report) string {
	ok := slices.Contains(append([]string{x.Rule}, x.Also...), rep.First())
	if x.Rule == "" {
		ok = slices.Contains(x.Verdict, rep.Verdict) && !slices.ContainsFunc(rep.Findings, func(f printed.Finding) bool { return f.Role == "cause" })
	}
	switch {
	case !ok:
		return fmt.Sprintf("got %s (%s), want %s: %s", rep.First(), rep.Headline, or(x.Rule, strings.Join(x.Verdict, "/")), x.Why)
	case !slices.Contains(x.Sync, rep.Sync.Verdict):
		return fmt.Sprintf("sync verdict %s (%s), want %v", rep.Sync.Verdict, rep.Sync.Why, x.Sync)
	}
	return ""
}
