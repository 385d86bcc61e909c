package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

func TestValidateNamesEveryFault(t *testing.T) {
	nothing := func(*diagnose.In) diagnose.Outcome { return diagnose.Nothing }
	undocumented := rule("apply/undocumented", nothing)
	undocumented.Doc.Fix = ""
	lost := rule("apply/lost", nothing)
	lost.ExplainedBy = []string{"apply/nowhere"}
	a, b := rule("apply/a", nothing), rule("apply/b", nothing)
	a.ExplainedBy, b.ExplainedBy = []string{"apply/b"}, []string{"apply/a"}

	err := diagnose.Validate([]*diagnose.Rule{undocumented, lost, a, b, rule("apply/twice", nothing), rule("apply/twice", nothing), rule("weather/rain", nothing), rule("apply/idle", nil)})
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{
		"apply/undocumented: its docs have no fix", "apply/lost: is explained by apply/nowhere, which does not exist", "apply/a: and apply/b explain each other",
		"apply/twice: is listed twice", "weather/rain: its group is none of", "apply/idle: has no check",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s\n%v", want, err)
		}
	}
}

// TestARulePicksWhatExplainsItOutOfTheList: whatever is like that, behind those that it names, each once and never itself.
func TestARulePicksWhatExplainsItOutOfTheList(t *testing.T) {
	nothing := func(*diagnose.In) diagnose.Outcome { return diagnose.Nothing }
	a, b, c, loop, plain := rule("drift/a", nothing), rule("drift/b", nothing), rule("drift/c", nothing), rule("drift/loop", nothing), rule("drift/plain", nothing)
	for _, r := range []*diagnose.Rule{a, b, c, loop} {
		r.Recognises = colour("red")
	}
	loop.ExplainedBy = diagnose.SymptomOf(c)
	loop.ExplainedByEach = func(r *diagnose.Rule) bool { return r.Recognises != nil }

	all := diagnose.Resolve([]*diagnose.Rule{a, loop, plain, b, c})
	if got, want := all[1].ExplainedBy, []string{"drift/c", "drift/a", "drift/b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(loop.ExplainedBy) != 1 || all[0] != a || len(all) != 5 {
		t.Errorf("the rules themselves were changed: %+v", all)
	}
}
