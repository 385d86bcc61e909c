package rules

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// symptomOf goes from the pod to the resource: what a pod says beats what its owner says about it.
func symptomOf(s *sickResource) ailment {
	if s.leaving() {
		return ailment{text: s.text, from: s.ref.String()}
	}
	a := ailment{}
	if s.podCounts() {
		a = s.podAilment()
	}
	if e := lastOf(s.events, "FailedCreate"); s.pod == nil && e != nil {
		a.reason, a.text, a.from = e.Reason, createRefusal(e), eventName(e)
	}
	if a.text == "" && a.reason == "" {
		a.text, a.from = s.text, s.ref.String()
	}
	return a
}

// podCounts reports whether a pod may say what is wrong with the resource.
func (s *sickResource) podCounts() bool {
	return s.pod != nil && !s.leaving() && s.status != "Suspended" && s.status != "Missing"
}

// podAilment is what the telling pod suffers from.
func (s *sickResource) podAilment() ailment {
	if s.usesClaim() {
		s.events = slices.Concat(s.claimEvents, s.events)
		evidence.SortEvents(s.events)
	}
	if s.podStays() {
		return ailment{trouble: troubleLeaving, reason: "Terminating", from: s.pod.Ref().String()}
	}
	return readPod(s.pod, s.object, s.events)
}

// usesClaim reports whether the claim that is not bound is one of the pod's.
func (s *sickResource) usesClaim() bool {
	return s.claim != "" && slices.ContainsFunc(s.object.List("spec", "volumes"), func(v evidence.Object) bool {
		return v.Text("persistentVolumeClaim", "claimName") == s.claim
	})
}

// podStays reports whether the pod is marked for deletion: it is the one that tells only where no other does.
func (s *sickResource) podStays() bool {
	return podReason(s.pod) == "Terminating" || s.object.Text("metadata", "deletionTimestamp") != ""
}

// forgetLeavingPod leaves out a pod that was marked for deletion a moment ago: it is about to be replaced, and says nothing
// about why its resource is not well.
func (s *sickResource) forgetLeavingPod(in *diagnose.In) {
	if s.pod == nil || s.leaving() || !s.podStays() {
		return
	}
	since := s.since
	if marked := s.object.Time("metadata", "deletionTimestamp"); !marked.IsZero() {
		since = in.Since(marked)
	}
	if since < briefly {
		s.pod, s.object, s.events, s.log = nil, nil, nil, evidence.Log{}
	}
}
