package hooks

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// waveThreshold is how long a wave may take to become healthy before it counts as blocked even if nothing says why.
const waveThreshold = 5 * time.Minute

var WaveBlocked = &diagnose.Rule{
	ID:          "wave/blocked",
	Needs:       []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog, evidence.KindChild, evidence.KindManaged},
	ExplainedBy: diagnose.SymptomOf(NotAwaited),
	Doc: diagnose.Doc{
		Title:    "Sync is blocked by an unhealthy resource",
		What:     "Argo CD applies waves one after another and waits until every resource of a wave is healthy. One resource is not, so later waves are not applied. Some kinds never become healthy (no controller, or no health check that fits).",
		Decisive: "The operation's message is \"waiting for healthy state of …\", or an applied resource became Degraded while the sync waited for it.",
		Example:  "waiting for healthy state of apps/Deployment/db",
		Fix:      "Make the resource healthy, or correct its health check or the order of the waves.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync:  advice.Blocked("the running sync is waiting for a resource to become healthy"),
	Check: checkWave,
}

func checkWave(in *diagnose.In) diagnose.Outcome {
	s, ref, ok := awaitedResource(in)
	if !ok {
		return diagnose.Nothing
	}
	tree, _ := diagnose.Get(in, evidence.FactTree)
	w := wait{in: in, ref: ref, since: in.RunningFor()}
	w.status, w.health = healthOf(in, tree, ref)
	known := w.look()
	if in.Waiting() {
		return diagnose.Unknown
	}
	op := in.App().Status.OperationState
	sure := w.cause != nil && w.cause.Confidence == diagnose.Certain
	if !sure && op.Running() && w.since < waveThreshold && w.status != "Degraded" && w.status != "Suspended" {
		if !known && (w.seen == nil || w.seen.Object == nil && len(w.seen.Events) == 0) {
			return diagnose.Unknown
		}
		return diagnose.Nothing // it only takes its time: wave/in-progress
	}
	f := w.finding()
	if s != nil {
		f = f.On(s)
	}
	return diagnose.Found(f)
}

// awaitedResource is the statement that the sync waits (or waited in vain) for a resource, and that resource. There is no statement where
// Argo CD only marks the task as failed, as of a resource whose health has no message.
func awaitedResource(in *diagnose.In) (*diagnose.Statement, evidence.Ref, bool) {
	op := in.App().CurrentOperation()
	if op == nil {
		return nil, evidence.Ref{}, false
	}
	all := in.Statements()
	for i := range all {
		s := &all[i]
		if s.Result != nil && !s.Result.IsHook() && s.Result.Status == evidence.ResultSynced {
			return s, s.Resource, true
		}
		if ref, ok := statement.WaitedFor(s.Failure.Text, "healthy state of "); ok {
			if r := in.Resource(ref); r != nil {
				ref = r.Ref()
			}
			return s, ref, true
		}
	}
	if len(all) == 0 {
		for _, r := range op.Results() {
			if r.Failed() && !r.IsHook() && r.Status == evidence.ResultSynced {
				return nil, r.Ref(), true
			}
		}
	}
	return nil, evidence.Ref{}, false
}

// healthOf is the health of a resource and Argo CD's words about it, from the application or the tree.
func healthOf(in *diagnose.In, tree *evidence.Tree, ref evidence.Ref) (status, said string) {
	if r := in.Resource(ref); r != nil && r.Health != nil {
		return r.Health.Status, r.Health.Message
	}
	if n := tree.Find(ref); n != nil && n.Health != nil {
		return n.Health.Status, n.Health.Message
	}
	return "", ""
}
