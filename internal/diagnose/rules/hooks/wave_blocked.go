package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// waveThreshold is how long a wave may take to become healthy before it counts as blocked where nothing says why.
const waveThreshold = 5 * time.Minute

var WaveBlocked = &diagnose.Rule{
	ID:          "wave/blocked",
	Needs:       []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents},
	ExplainedBy: diagnose.SymptomOf(NotAwaited),
	Doc: diagnose.Doc{
		Title:    "A sync wave waits for a resource that does not become healthy",
		What:     "Argo CD applies waves one after the other and waits until everything of a wave is healthy. One resource is not, so the later waves are never applied. Some kinds never become healthy (no controller, no health check that fits).",
		Decisive: "The operation's message is \"waiting for healthy state of …\", or a resource that was applied turned Degraded while the sync waited for it.",
		Example:  "waiting for healthy state of apps/Deployment/db",
		Fix:      "Make the resource healthy, or correct the order of the waves or its health check.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync:  advice.Blocked("the operation waits for a resource to become healthy"),
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
		return diagnose.Nothing // it is only taking its time: wave/in-progress
	}
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Kind:  diagnose.KindForbidden,
		Title: fmt.Sprintf("the sync waits for %s to become healthy", ref),
		Why:   fmt.Sprintf("The sync waits for %s, which is %s%s.", ref, strings.ToLower(cmp.Or(status, "not healthy")), advice.ForNow(since)),
		Fix:   []diagnose.Fix{{Text: fmt.Sprintf("Make %s healthy: see what it says", ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())}},
	}
	if !op.Running() {
		f.Kind = diagnose.KindFailure
		f.Title = fmt.Sprintf("%s did not become healthy, and the sync failed", ref)
		f.Why = fmt.Sprintf("The sync applied %s and waited for it; it turned %s.", ref, strings.ToLower(cmp.Or(status, "degraded")))
		f.Sync = advice.Pointless("it is applied already; it has to become healthy")
	}
	switch {
	case found != nil:
		f.Title += fmt.Sprintf(": %s: %s", found.PodName(), found.Symptom.Clause())
		f.Why += fmt.Sprintf(" %s: %s", found.PodName(), text.Sentence(found.Symptom.Clause()))
		f.Evidence = found.Quotes()
		f.Fix[0] = found.Describe(f.Fix[0].Text)
	case status == "Suspended":
		f.Title = fmt.Sprintf("the sync waits for %s, which is paused", ref)
		f.Why += " It waits for a person to go on."
		if ref.Kind == "Rollout" {
			f.Fix[0] = diagnose.Fix{Text: "Let it go on, or abort it", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", ref.Name, advice.NamespaceFlag(ref))}
		}
	case health != "":
		f.Why += " " + text.Sentence(health)
		f.Evidence = append(f.Evidence, diagnose.Quote{From: ref.String(), Text: health})
	case !advice.BuiltIn(ref):
		f.Confidence = diagnose.Likely
		f.Why += " Argo CD knows its health only from its health check for this kind; if nothing reports it, the wave never ends."
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If the object is fine, correct the health check of its kind in argocd-cm", Patch: advice.HealthCheck(ref, "read obj.status here")})
	}
	if op.Running() {
		fix, offer := advice.Terminate(in, "it waits for a resource that does not become healthy")
		f.Fix = append(f.Fix, fix)
		f.Offers = []diagnose.Action{offer}
	}
	return diagnose.Found(f.On(s))
}

// awaitedResource is the statement that says the sync waits (or waited in vain) for a resource, and which.
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
			if r := in.App().Resource(ref); r != nil {
				ref = r.Ref()
			}
			return s, ref, true
		}
	}
	return nil, evidence.Ref{}, false
}

// healthOf is the health of a resource and Argo CD's words about it, from the application or the tree.
func healthOf(in *diagnose.In, tree *evidence.Tree, ref evidence.Ref) (status, said string) {
	if r := in.App().Resource(ref); r != nil && r.Health != nil {
		return r.Health.Status, r.Health.Message
	}
	if n := tree.Find(ref); n != nil && n.Health != nil {
		return n.Health.Status, n.Health.Message
	}
	return "", ""
}

// worstPodBelow goes from the resource that a wave waits for to its worst pod, and what that suffers from. nil when no pod says
// anything; known is false while the evidence is not there.
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
