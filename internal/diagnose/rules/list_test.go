package rules_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/diagnose/rules/health"
	"github.com/argo-why/argo-why/internal/diagnose/rules/hooks"
	"github.com/argo-why/argo-why/internal/diagnose/rules/outofsync"
)

// TestEveryClassHasARule: the recorded cases are filed under the id that is right for them. An id that is there no longer
// breaks users who match on it.
func TestEveryClassHasARule(t *testing.T) {
	have := map[string]bool{}
	for _, r := range rules.All() {
		have[r.ID] = true
	}
	folders, err := filepath.Glob(filepath.Join("testdata", "cases", "*", "*"))
	if err != nil || len(folders) < 100 {
		t.Fatalf("found %d classes of recorded cases (%v): some are missing", len(folders), err)
	}
	for _, folder := range folders {
		id := path.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))
		if !have[id] && diagnose.Group(id) != "control" {
			t.Errorf("no rule for %s", id)
		}
	}
}

func TestTheListIsValid(t *testing.T) {
	if err := diagnose.Validate(rules.All()); err != nil {
		t.Error(err)
	}
}

// TestTheListIsInOrder: the list reads as a table of contents, group after group in the order of causes.
func TestTheListIsInOrder(t *testing.T) {
	order := map[string]int{"render": 0, "spec": 1, "compare": 2, "apply": 3, "operation": 4, "hook": 5, "wave": 6, "drift": 7, "health": 8}
	last := 0
	for _, r := range rules.All() {
		if n := order[r.Group()]; n < last {
			t.Errorf("%s stands after a rule of a later group", r.ID)
		} else {
			last = n
		}
	}
}

// noCase are rules without a recorded case, each with the reason.
var noCase = map[string]string{
	hooks.WaveInProgress.ID: "nothing is wrong: the controls of a sync under way hold it",
}

func TestEveryRuleHasCases(t *testing.T) {
	for _, r := range rules.All() {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", filepath.FromSlash(r.ID), "*.json"))
		if err != nil || len(files) == 0 && noCase[r.ID] == "" {
			t.Errorf("%s has no case in testdata/cases/%s", r.ID, r.ID)
		}
	}
}

// withoutShare are rules of the drift and health groups to which no part of the picture of their group is given.
var withoutShare = []*diagnose.Rule{
	outofsync.SelfhealLoop, outofsync.SyncLoop, // the history
	outofsync.ExcludedResource, outofsync.Orphaned, // a warning
	outofsync.StaleRevision, health.Stale, // the application as a whole
	health.Service, // what is healthy
}

// TestEachRuleThatSharesAPictureSaysWhatIsItsOwn: in the way of its group. Otherwise nothing of the picture would ever be given
// to it, and it would stay silent.
func TestEachRuleThatSharesAPictureSaysWhatIsItsOwn(t *testing.T) {
	ways := map[diagnose.RuleGroup][]string{
		diagnose.GroupDrift:  {"outofsync.explains", "outofsync.presence"},
		diagnose.GroupHealth: {"health.about", "health.refusedPods"},
	}
	for _, r := range rules.All() {
		want := ways[diagnose.RuleGroup(r.Group())]
		if slices.ContainsFunc(withoutShare, func(s *diagnose.Rule) bool { return s.ID == r.ID }) {
			want = nil
		}
		if want == nil {
			if r.Recognises != nil {
				t.Errorf("%s recognises with %T, and nobody asks it", r.ID, r.Recognises)
			}
			continue
		}
		way := reflect.ValueOf(r.Recognises)
		if got := fmt.Sprintf("%T", r.Recognises); !slices.Contains(want, got) || way.Kind() == reflect.Slice && way.Len() == 0 {
			t.Errorf("%s recognises with %s %v, want one of %v, not empty", r.ID, got, r.Recognises, want)
		}
	}
}

// TestWhatARulePicksIsAllThatItNames: where a rule says what sort of rule explains it, naming one of another sort would be an
// exception that nobody sees.
func TestWhatARulePicksIsAllThatItNames(t *testing.T) {
	byID := map[string]*diagnose.Rule{}
	for _, r := range rules.All() {
		byID[r.ID] = r
	}
	picking := 0
	for _, r := range byID {
		if r.ExplainedByEach == nil {
			continue
		}
		picking++
		for _, id := range r.ExplainedBy {
			if !r.ExplainedByEach(byID[id]) {
				t.Errorf("%s names %s, which is not what it picks", r.ID, id)
			}
		}
		if len(r.ExplainedBy) < 10 {
			t.Errorf("%s is explained by %v only", r.ID, r.ExplainedBy)
		}
	}
	if picking < 6 {
		t.Errorf("%d rules pick what explains them, want those about owners of pods and about loops", picking)
	}
}

// folder is where the rules of a group are, if not in a folder of the group's name.
var folder = map[string]string{"hook": "hooks", "wave": "hooks", "drift": "outofsync"}

func TestEachRuleIsInAFileOfItsName(t *testing.T) {
	for _, r := range rules.All() {
		group, name, _ := strings.Cut(strings.ReplaceAll(r.ID, "-", "_"), "/")
		if group == "wave" { // beside those of hooks
			name = group + "_" + name
		}
		file := filepath.Join(cmp.Or(folder[group], group), name+".go")
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s is not in %s", r.ID, file)
		}
	}
}

// TestEveryExpressionCompiles: they are compiled when they are tried for the first time, which may be at somebody's.
func TestEveryExpressionCompiles(t *testing.T) {
	if n := pattern.Check(); n < 500 {
		t.Errorf("%d expressions, and the rules alone have more", n)
	}
}
