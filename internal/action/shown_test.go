package action_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

func changeOf(effect action.Effect, kind, name string) action.Change {
	r := evidence.Ref{Kind: kind, Namespace: "shop", Name: name}
	return action.Change{Ref: r, Effect: effect, HoldsData: r.HoldsData(), Fields: []string{"spec"}}
}

var several = []action.Change{
	changeOf(action.Created, "Secret", "new"),
	changeOf(action.Changes, "Deployment", "web"),
	changeOf(action.Changes, "StatefulSet", "db"),
	changeOf(action.Recreated, "Job", "seed"),
	changeOf(action.Pruned, "ConfigMap", "old"),
	changeOf(action.Pruned, "PersistentVolumeClaim", "data"),
	changeOf(action.Kept, "Namespace", "shop"),
}

func syncOf(changes []action.Change) *action.Plan {
	return &action.Plan{Request: action.Request{Kind: action.Sync}, Changes: changes}
}

// TestWhatIsLostIsNamedFirst: what is deleted or recreated, and what holds data, which comes before all else.
func TestWhatIsLostIsNamedFirst(t *testing.T) {
	want := []string{
		"deletes PersistentVolumeClaim/data (contains data), ConfigMap/old",
		"deletes and recreates Job/seed",
		"changes StatefulSet/db (contains data)",
	}
	if got := syncOf(several).Losses(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := syncOf(several[:2]).Losses(); len(got) > 0 {
		t.Errorf("nothing is lost: %q", got)
	}
	dry := syncOf(several)
	dry.Sync.DryRun = true
	if got := dry.Losses(); len(got) > 0 {
		t.Errorf("a dry run changes nothing: %q", got)
	}
	job := &action.Record{Request: action.Request{Kind: action.DeleteHookJob, Target: evidence.Ref{Kind: "Job", Name: "seed"}}}
	if got := append(job.Losses(), job.Deletes()...); !slices.Equal(got, []string{"deletes Job/seed", "Job/seed"}) {
		t.Errorf("%q", got)
	}
	var many []action.Change
	for i := range 9 {
		many = append(many, changeOf(action.Pruned, "ConfigMap", fmt.Sprint("c", i)))
	}
	if got := syncOf(many).Losses(); !slices.Equal(got, []string{"deletes ConfigMap/c0, ConfigMap/c1, ConfigMap/c2 and 6 more"}) {
		t.Errorf("%q", got)
	}
}

// TestTheRequestKeepsTheGravestOfALargePlan: and says how many others there are.
func TestTheRequestKeepsTheGravestOfALargePlan(t *testing.T) {
	p := syncOf(nil)
	p.Destination, p.Reason = evidence.Destination{Name: "eu-1", Namespace: "shop"}, "because"
	for i := range 500 {
		p.Changes = append(p.Changes, changeOf(action.Created, "Secret", fmt.Sprint("s", i)))
	}
	p.Changes = append(p.Changes, several...)
	s := p.Shown()
	r := &action.Record{Request: p.Request, Shown: s}
	if got := r.Losses(); len(got) == 0 || !slices.Equal(got, p.Losses()) {
		t.Errorf("kept: %q", got)
	}
	if got, want := r.Deletes(), []string{"PersistentVolumeClaim/data", "Job/seed", "ConfigMap/old"}; !slices.Equal(got, want) {
		t.Errorf("deletes: %q", got)
	}
	if len(s.Changes)+s.More != len(p.Changes) || len(s.Changes) > 50 || s.Destination.Name != "eu-1" || s.Reason != "because" {
		t.Errorf("%d and %d more, %+v", len(s.Changes), s.More, s.Destination)
	}
	if s.Changes[0].Fields != nil || p.Changes[0].Fields == nil {
		t.Error("the paths are kept in the record, or taken from the plan")
	}
}

func TestWhatHasChangedSinceTheRequest(t *testing.T) {
	at := time.Date(2026, 11, 21, 2, 51, 0, 0, time.UTC)
	asked := func() *action.Plan {
		return &action.Plan{Revision: "3f2a91c", Fingerprint: "p1", Changes: slices.Clone(several), Operation: at}
	}
	for name, x := range map[string]struct {
		change func(*action.Plan)
		want   []string
	}{
		"nothing":  {func(*action.Plan) {}, nil},
		"revision": {func(p *action.Plan) { p.Revision = "9c1e0d2" }, []string{"The revision was 3f2a91c, and is now 9c1e0d2."}},
		"refused":  {func(p *action.Plan) { p.RefusedBecause = "a sync window forbids it" }, []string{"Not possible now: a sync window forbids it."}},
		"one more is deleted, another is not": {func(p *action.Plan) {
			p.Changes[1] = changeOf(action.Recreated, "Deployment", "web")
			p.Changes = append(p.Changes[:4], changeOf(action.Pruned, "Namespace", "shop"), p.Changes[5])
		}, []string{
			"Now deleted: Namespace/shop (contains data).", "Now deleted and recreated: Deployment/web.",
			"No longer deleted: ConfigMap/old.", "No longer changed: Deployment/web.", "No longer kept: Namespace/shop (contains data).",
		}},
		"verdict":      {func(p *action.Plan) { p.Verdict = diagnose.SyncDestructive }, []string{"The sync advice has changed."}},
		"a field":      {func(p *action.Plan) { p.Fingerprint = "p2" }, []string{"Details of the plan have changed."}},
		"operation":    {func(p *action.Plan) { p.Operation = at.Add(time.Minute) }, []string{"Another operation is running."}},
		"no operation": {func(p *action.Plan) { p.Operation = time.Time{} }, []string{"The operation has ended."}},
		"nothing to terminate": {func(p *action.Plan) { p.Operation, p.RefusedBecause = time.Time{}, "no operation is running" },
			[]string{"Not possible now: no operation is running."}},
		"Job": {func(p *action.Plan) {
			p.Job = &action.Job{Ref: evidence.Ref{Kind: "Job", Name: "migrate"}, UID: "another"}
		}, []string{"Job migrate was created again: it is not the one in the request."}},
	} {
		t.Run(name, func(t *testing.T) {
			before := asked()
			r := &action.Record{Revision: before.Revision, Fingerprint: before.Fingerprint, Operation: before.Operation, Shown: before.Shown()}
			now := asked()
			x.change(now)
			if got := r.Since(now); !slices.Equal(got, x.want) {
				t.Errorf("%q", got)
			}
			r.Shown = nil // of the former release
			if got := strings.Join(r.Since(now), " "); strings.Contains(got, "Now deleted") {
				t.Errorf("of an old record: %q", got)
			}
		})
	}
}
