package conceal

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/growth"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// everyone hides all others.
type everyone struct{}

func (everyone) Hidden(string, string) (hidden, listed bool) { return true, true }

func (everyone) HiddenProject(string) (hidden, listed bool) { return false, false }

// parentOf is an application with so many children, each of which says why it fails, and of which its operation says it again.
func parentOf(n int) *evidence.Application {
	app := &evidence.Application{}
	state := &evidence.OperationState{SyncResult: &evidence.SyncResult{}}
	for i := range n {
		says := fmt.Sprintf("the database of customer %d does not answer", i)
		name := fmt.Sprintf("child-%d", i)
		app.Status.Resources = append(app.Status.Resources, evidence.ResourceStatus{
			Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: name, Health: &evidence.Health{Status: "Degraded", Message: says},
		})
		state.SyncResult.Resources = append(state.SyncResult.Resources, evidence.ResourceResult{Kind: "ConfigMap", Name: fmt.Sprintf("of-%d", i), Message: "applied, but " + says})
	}
	app.Status.OperationState = state
	return app
}

// TestEachOfManyHiddenChildrenCostsAsMuch: one application can have thousands, and each says something else.
func TestEachOfManyHiddenChildrenCostsAsMuch(t *testing.T) {
	concealed := func(app *evidence.Application) (*Source, int) {
		s := New(nil, "argocd", "parent", everyone{})
		s.meet(app)
		m := effort.New(t.Context(), 1<<60)
		s.walk(reflect.ValueOf(app).Elem(), m)
		return s, m.Spent()
	}
	const few, times = 250, 16
	small, large := parentOf(few), parentOf(few*times)
	_, one := concealed(small)
	s, all := concealed(large)
	if float64(all) > 1.5*times*float64(one) {
		t.Errorf("%d steps for %d children, and %d for %d", one, few, all, few*times)
	}
	if excess := growth.Excess(times, 4, func() { concealed(small) }, func() { concealed(large) }); excess >= 4 {
		t.Errorf("many children take %.1f times as long as as many in small lists", excess)
	}
	if got := texts(t.Context(), s, large.Status.OperationState.SyncResult.Resources); strings.Contains(fmt.Sprint(got), "customer") {
		t.Errorf("shown: %.300v", got)
	}
}

func TestWhatAChildSaysIsNotRepeated(t *testing.T) {
	q := newQuoted([]string{"cannot reach vault", "cannot reach vault at 10.0.0.1", "cannot reach ledger", "cannot reach vault at 10.0.0.1", "Synced", "cannot r"})
	for text, want := range map[string]string{
		"app: cannot reach vault":                 "app: X",
		"cannot reach vault at 10.0.0.1:80":       "X:80",
		"cannot reach vault at 10.0.0":            "X at 10.0.0",
		"cannot reach ledger, cannot reach vault": "X, X",
		"cannot see":       "cannot see",
		"cannot reach you": "Xeach you",
		"Synced":           "Synced",
		"cannot cannot reach vault at 10.0.0.1cannot reach v": "cannot XXeach v",
	} {
		if got := q.without(text, "X", nil); got != want {
			t.Errorf("%q became %q instead of %q", text, got, want)
		}
	}
}
