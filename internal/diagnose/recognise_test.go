package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

type colour string

func (colour) Recognition() {}

type shape string

func (shape) Recognition() {}

// TestWhatRulesShareIsMadeOfTheListOnce: in its order, of those rules that recognise in that way. What is made for something
// else is another thing, even of the same type.
func TestWhatRulesShareIsMadeOfTheListOnce(t *testing.T) {
	made := 0
	names := func(rules []diagnose.Recogniser[colour]) []string {
		made++
		var out []string
		for _, r := range rules {
			out = append(out, r.Rule.ID+" "+string(r.Recognises))
		}
		return out
	}
	var got, backwards []string
	check := func(in *diagnose.In) diagnose.Outcome {
		got = diagnose.FromRules(in, "names", names)
		backwards = diagnose.FromRules(in, "backwards", func(rules []diagnose.Recogniser[colour]) []string {
			out := names(rules)
			slices.Reverse(out)
			return out
		})
		return diagnose.Nothing
	}
	b, a, other, none := rule("drift/b", check), rule("drift/a", check), rule("drift/other", check), rule("drift/none", check)
	b.Recognises, a.Recognises, other.Recognises = colour("blue"), colour("red"), shape("round")
	e := engineOf(t, b, other, a, none)
	for range 2 {
		if _, err := e.Diagnose(t.Context(), (&evidence.Case{Application: &evidence.Application{}}).Source(), time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"drift/b blue", "drift/a red"}; !slices.Equal(got, want) || made != 2 {
		t.Errorf("got %v, made %d times, want %v, each made once", got, made, want)
	}
	if want := []string{"drift/a red", "drift/b blue"}; !slices.Equal(backwards, want) {
		t.Errorf("backwards: got %v, want %v", backwards, want)
	}
}

func engineOf(t *testing.T, rules ...*diagnose.Rule) *diagnose.Engine {
	t.Helper()
	e, err := diagnose.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
