package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// wavePatience is how long a wave may take to become healthy before it counts as blocked where nothing says why.
const wavePatience = 5 * time.Minute

var waveBlocked = &diagnose.Rule{
	ID:          "wave/blocked",
	Needs:       []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents},
	ExplainedBy: []string{"hook/not-awaited"},
	Doc: diagnose.Doc{
		Title:    "A sync wave waits for a resource that does not become healthy",
		What:     "Argo CD applies waves one after the other and waits until everything of a wave is healthy. One resource is not, so the later waves are never applied. Some kinds never become healthy (no controller, no health check that fits).",
		Decisive: "The operation's message is \"waiting for healthy state of …\", or a resource that was applied turned Degraded while the sync waited for it.",
		Example:  "waiting for healthy state of apps/Deployment/db",
		Fix:      "Make the resource healthy, or correct the order of the waves or its health check.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync:  blocked("the operation waits for a resource to become healthy"),
	Check: checkWave,
}

func checkWave(in *diagnose.In) diagnose.Outcome {
	s, ref, ok := waveWaits(in)
	if !ok {
		return diagnose.Nothing
	}
	tree, known := diagnose.Get(in, evidence.FactTree)
	var sick *sickness
	if known {
		sick, known = lookDown(in, tree, ref)
	}
	status, health := healthOf(in, tree, ref)
	op := in.App().Status.OperationState
	since := running(in)
	if sick == nil && op.Running() && since < wavePatience && status != "Degraded" && status != "Suspended" {
		if !known {
			return diagnose.Unknown
		}
		return diagnose.Nothing // it is only taking its time: wave/in-progress
	}
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain, Blocked: op.Running(),
		Title: fmt.Sprintf("the sync waits for %s to become healthy", ref),
		Why:   fmt.Sprintf("The sync waits for %s, which is %s%s.", ref, strings.ToLower(cmp.Or(status, "not healthy")), forHowLong(since)),
		Fix:   []diagnose.Fix{{Text: fmt.Sprintf("Make %s healthy: see what it says", ref), Command: sh("kubectl %sdescribe %s", inNamespace(ref), ref.Resource())}},
	}
	if !op.Running() {
		f.Title = fmt.Sprintf("%s did not become healthy, and the sync failed", ref)
		f.Why = fmt.Sprintf("The sync applied %s and waited for it; it turned %s.", ref, strings.ToLower(cmp.Or(status, "degraded")))
		f.Sync = pointless("it is applied already; it has to become healthy")
	}
	switch {
	case sick != nil:
		f.Title += ": " + sick.short
		f.Why += " " + sentence(sick.why)
		f.Evidence = sick.evidence
		f.Fix[0].Command = fmt.Sprintf("kubectl %sdescribe %s", inNamespace(sick.ref), sick.ref.Resource())
	case status == "Suspended":
		f.Title = fmt.Sprintf("the sync waits for %s, which is paused", ref)
		f.Why += " It waits for a person to go on."
		if ref.Kind == "Rollout" {
			f.Fix[0] = diagnose.Fix{Text: "Let it go on, or abort it", Command: sh("kubectl argo rollouts promote %s %s", ref.Name, inNamespace(ref))}
		}
	case health != "":
		f.Why += " " + sentence(health)
		f.Evidence = append(f.Evidence, diagnose.Quote{From: ref.String(), Text: health})
	case !builtIn(ref):
		f.Confidence = diagnose.Likely
		f.Why += " Argo CD knows its health only from its health check for this kind; if nothing reports it, the wave never ends."
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If the object is fine, correct the health check of its kind in argocd-cm", Patch: fmt.Sprintf("data:\n  resource.customizations.health.%s_%s: |\n    hs = {}\n    hs.status = \"Healthy\"   -- read obj.status here\n    return hs\n", ref.Group, ref.Kind)})
	}
	if op.Running() {
		fix, offer := terminate(in, "it waits for a resource that does not become healthy")
		f.Fix = append(f.Fix, fix)
		f.Offers = []diagnose.Action{offer}
	}
	return diagnose.Found(f.On(s))
}

// waveWaits is the statement that says the sync waits (or waited in vain) for a resource, and which.
func waveWaits(in *diagnose.In) (*diagnose.Statement, evidence.Ref, bool) {
	if current(in) == nil {
		return nil, evidence.Ref{}, false
	}
	all := in.Statements()
	for i := range all {
		s := &all[i]
		if s.Result != nil && !s.Result.IsHook() && s.Result.Status == evidence.ResultSynced {
			return s, s.Resource, true
		}
		if ref, ok := waitedFor(s.Failure.Text, "healthy state of "); ok {
			if r := in.App().Resource(ref); r != nil {
				ref = r.Ref()
			}
			return s, ref, true
		}
	}
	return nil, evidence.Ref{}, false
}

func forHowLong(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return ", for " + span(d) + " now"
}

// healthOf is the health of a resource and Argo CD's words about it, from the application or the tree.
func healthOf(in *diagnose.In, tree *evidence.Tree, ref evidence.Ref) (status, text string) {
	if r := in.App().Resource(ref); r != nil && r.Health != nil {
		return r.Health.Status, r.Health.Message
	}
	if n := tree.Find(ref); n != nil && n.Health != nil {
		return n.Health.Status, n.Health.Message
	}
	return "", ""
}

// builtIn are the groups whose health Argo CD knows without a customization.
func builtIn(ref evidence.Ref) bool {
	return slices.Contains([]string{"", "apps", "batch", "networking.k8s.io", "autoscaling", "extensions", "apiregistration.k8s.io", "argoproj.io"}, ref.Group)
}

// sickness is why a resource is not healthy, found in the deepest object it owns.
type sickness struct {
	ref        evidence.Ref
	short, why string
	evidence   []diagnose.Quote
}

// lookDown goes from a resource to the pod that tells: what it waits for, why it is not ready. nil when nothing tells;
// known is false while the evidence is not there.
func lookDown(in *diagnose.In, tree *evidence.Tree, ref evidence.Ref) (found *sickness, known bool) {
	pod := sickPod(tree, ref)
	if pod == nil {
		return nil, true
	}
	q := evidence.ObjectQuery{Ref: pod.Ref(), UID: pod.UID}
	object, ok1 := diagnose.Get(in, evidence.FactObject(q))
	events, ok2 := diagnose.Get(in, evidence.FactEvents(q))
	known = ok1 && ok2
	out := &sickness{ref: pod.Ref()}
	tell := func(from, reason, text string) (*sickness, bool) {
		text = message.Clip(message.OneLine(text), clause)
		out.short = fmt.Sprintf("%s: %s", pod.Ref(), cmp.Or(reason, text))
		out.why = fmt.Sprintf("%s: %s", pod.Ref(), strings.Trim(reason+": "+text, ": "))
		out.evidence = []diagnose.Quote{{From: from, Text: cmp.Or(text, reason)}}
		return out, known
	}
	if w, ok := waitsFor(pod, object, events); ok && telling(w.reason) != "" {
		return tell(w.from, "", w.short())
	}
	if podState(pod) == podFailed {
		said := ""
		if pod.Health != nil {
			said = pod.Health.Message
		}
		return tell(pod.Ref().String(), pod.InfoValue("Status Reason"), said)
	}
	if e := lastWarning(events); e != nil && (e.Reason == "Unhealthy" || e.Reason == "FailedMount" || e.Reason == "FailedScheduling" || e.Reason == "FailedAttachVolume") {
		return tell("event "+e.Reason+" of "+e.Ref().String(), "", e.Message)
	}
	return nil, known
}

// sickPod is the worst pod that a resource owns, nil when all are well.
func sickPod(tree *evidence.Tree, ref evidence.Ref) *evidence.Node {
	var worst *evidence.Node
	for _, n := range tree.Descendants(ref) {
		if n.Kind != "Pod" || n.HealthStatus() == "Healthy" {
			continue
		}
		if worst == nil || podState(&n) == podFailed && podState(worst) != podFailed || podState(&n) == podWaiting && podState(worst) == podRunning {
			worst = &n
		}
	}
	return worst
}
