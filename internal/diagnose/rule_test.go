package diagnose_test

import (
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
