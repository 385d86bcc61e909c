package evidence_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

func TestTheRevisionsOfSeveralSourcesAreOneText(t *testing.T) {
	for _, s := range []struct {
		one     string
		several []string
		want    string
	}{{"a", nil, "a"}, {"", []string{"a", "1.15.0"}, "a, 1.15.0"}, {"", []string{"", ""}, ""}, {"a", []string{"b", "c"}, "b, c"}, {"", nil, ""}} {
		if got := (evidence.SyncStatus{Revision: s.one, Revisions: s.several}).At(); got != s.want {
			t.Errorf("%+v: %q", s, got)
		}
	}
	var none *evidence.OperationState
	asked := &evidence.OperationState{Operation: evidence.Operation{Sync: &evidence.SyncOperation{Revisions: []string{"a", "b"}}}, SyncResult: &evidence.SyncResult{}}
	if none.Revision() != "" || asked.Revision() != "a, b" {
		t.Errorf("%q, %q", none.Revision(), asked.Revision())
	}
}

func TestAChangeNamesTheSourcesThatChanged(t *testing.T) {
	for _, s := range []struct{ before, after, was, is string }{
		{"a", "b", "a", "b"}, {"a, c", "b, c", "a", "b"}, {"a, c", "b, d", "a, c", "b, d"}, {"a, c", "a, c", "a, c", "a, c"}, {"a", "b, c", "a", "b, c"}, {"", "b", "", "b"},
	} {
		if was, is := evidence.Differing(s.before, s.after); was != s.was || is != s.is {
			t.Errorf("%+v: %q, %q", s, was, is)
		}
	}
}
