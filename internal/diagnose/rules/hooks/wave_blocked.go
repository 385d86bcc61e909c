package hooks

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// waveThreshold is how long a wave may take to become healthy before it counts as blocked even if nothing says why.
const waveThreshold = 5 * time.Minute

var WaveBlocked = &diagnose.Rule{
	ID:          "wave/blocked",
	Needs:       []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents},
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
	tree, known := diagnose.Get(in, evidence.FactTree)
	var found *unhealthy.Resource
	if known {
		found, known = worstPodBelow(in, tree, ref)
	}
	status, health := healthOf(in, tree, ref)
	op := in.App().Status.OperationState
	since := in.RunningFor()
	if found == nil && op.Running() && since < waveThreshold && status != "Degraded" && status != "Suspended" {
		if !known {
			return diagnose.Unknown
		}
		return diagnose.Nothing // it only takes its time: wave/in-progress
	}
	w := wait{in: in, ref: ref, status: status, health: health, found: found, since: since}
	f := w.finding()
	if op.Running() {
		fix, offer := advice.Terminate(in, "it is waiting for a resource that does not become healthy")
		f.Fix = append(f.Fix, fix)
		f.Offers = []diagnose.Action{offer}
	}
	return diagnose.Found(f.On(s))
}

// awaitedResource is the statement that the sync waits (or waited in vain) for a resource, and that resource.
func awaitedResource(in *diagnose.In) (*diagnose.Statement, evidence.Ref, bool) {
	if in.App().CurrentOperation() == nil {
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

// worstPodBelow goes from the resource that a wave waits for to its worst pod, and what is wrong with that. nil when no pod says
// anything; known is false while the evidence has not been read.
func worstPodBelow(in *diagnose.In, tree *evidence.Tree, ref evidence.Ref) (found *unhealthy.Resource, known bool) {
	s := &unhealthy.Resource{Ref: ref, Examined: true}
	s.Status, s.Text = healthOf(in, tree, ref)
	s.Pod = pods.Worst(tree.Descendants(ref))
	if s.Pod == nil {
		return nil, true
	}
	q := evidence.ObjectQuery{Ref: s.Pod.Ref(), UID: s.Pod.UID}
	object, ok1 := diagnose.Get(in, evidence.FactObject(q))
	events, ok2 := diagnose.Get(in, evidence.FactEvents(q))
	s.Object, s.Events, known = object, events, ok1 && ok2
	s.Symptom = s.PodSymptom()
	if s.Symptom.Clause() == "" || s.Symptom.Trouble == pods.NoTrouble && s.Symptom.Text == "" {
		return nil, known
	}
	return s, known
}
