package unhealthy

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// symptomOf goes from the pod to the resource: what a pod says beats what its owner says about it.
func symptomOf(s *Resource) pods.Symptom {
	if s.Leaving() {
		return pods.Symptom{Text: s.Text, From: s.Ref.String()}
	}
	a := pods.Symptom{}
	if s.PodCounts() {
		a = s.PodSymptom()
	}
	if e := pods.LastEvent(s.Events, "FailedCreate"); s.Pod == nil && e != nil {
		a.Reason, a.Text, a.From = e.Reason, pods.CreateRefusal(e), pods.EventName(e)
	}
	if a.Trouble == pods.NoTrouble && a.Text == "" && a.Reason == "" { // its owner's words are not those of a probe
		a.Text, a.From = s.Text, s.Ref.String()
	}
	return a
}

// PodCounts reports whether a pod may say what is wrong with the resource.
func (s *Resource) PodCounts() bool {
	return s.Pod != nil && !s.Leaving() && s.Status != "Suspended" && s.Status != "Missing"
}

// PodSymptom is what its pod suffers from.
func (s *Resource) PodSymptom() pods.Symptom {
	if s.UsesClaim() {
		s.Events = slices.Concat(s.claimEvents, s.Events)
		evidence.SortEvents(s.Events)
	}
	if s.podLingers() {
		if a := pods.Read(s.Pod, s.Object, s.Events); a.Trouble == pods.NodeDown {
			return a // nothing on its node can end it
		}
		return pods.Symptom{Trouble: pods.Leaving, Reason: "Terminating", From: s.Pod.Ref().String()}
	}
	return pods.Read(s.Pod, s.Object, s.Events)
}

// UsesClaim reports whether the claim that is not bound is one of the pod's.
func (s *Resource) UsesClaim() bool {
	return s.Claim != "" && s.madeFor(s.Claim) || s.Claim != "" && slices.ContainsFunc(s.Object.List("spec", "volumes"), func(v evidence.Object) bool {
		return v.Text("persistentVolumeClaim", "claimName") == s.Claim
	})
}

// madeFor reports whether a claim is by its name one that a controller made for the pod: of a StatefulSet (data-db-0 for db-0), or for an
// ephemeral volume (web-7d9f-scratch for web-7d9f).
func (s *Resource) madeFor(claim string) bool {
	ofSet := slices.ContainsFunc(s.Pod.ParentRefs, func(r evidence.Parent) bool { return r.Kind == "StatefulSet" })
	return ofSet && strings.HasSuffix(claim, "-"+s.Pod.Name) || !ofSet && strings.HasPrefix(claim, s.Pod.Name+"-")
}

// podLingers reports whether the pod is marked for deletion: it counts only where there is no other.
func (s *Resource) podLingers() bool {
	return pods.Reason(s.Pod) == "Terminating" || s.Object.Text("metadata", "deletionTimestamp") != ""
}

// dropLeavingPod leaves out a pod that was marked for deletion a moment ago: it is about to be replaced, and says nothing
// about why its resource is not healthy.
func (s *Resource) dropLeavingPod(in *diagnose.In) {
	if s.Pod == nil || s.Leaving() || !s.podLingers() {
		return
	}
	since := s.Since
	if marked := s.Object.Time("metadata", "deletionTimestamp"); !marked.IsZero() {
		since = in.Since(marked)
	}
	if since < SettleThreshold {
		s.Pod, s.Object, s.Events, s.Log = nil, nil, nil, evidence.Log{}
	}
}
