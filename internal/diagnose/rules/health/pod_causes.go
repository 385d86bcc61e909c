package health

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// podGivesReason reports whether the pod gives a reason for not starting. That it is pending is none before it has had the time to
// get a node and its containers.
func podGivesReason(s *unhealthy.Resource) bool {
	waits := s.Symptom.Reason == "Pending" && s.Symptom.Text == ""
	return s.Pod != nil && s.Symptom.Reason != "" && !(waits && s.Since < unhealthy.SettleThreshold)
}

// refusedPods is what a health rule recognises that is about pods that a controller is not allowed to create: a refusal, which it finds
// by itself among the statements.
type refusedPods struct{}

// Recognition marks refusedPods as what rules recognise.
func (refusedPods) Recognition() {}

// isPodCause reports whether a rule is about what keeps a pod from doing its work: that outranks what its owner says. One
// about pods that are being deleted, or about pods of one kind of owner, is none.
func isPodCause(r *diagnose.Rule) bool {
	switch recognises := r.Recognises.(type) {
	case about:
		return slices.ContainsFunc(recognises, func(a subject) bool {
			return a.pod != pods.NoTrouble && a.pod != pods.Leaving && a.when == nil && a.kind == ""
		})
	case refusedPods:
		return true
	}
	return false
}

// failureToCreate is why a controller cannot create pods, as its owner repeats it.
func failureToCreate(s *unhealthy.Resource) string {
	if e := pods.LastEvent(s.Events, "FailedCreate"); e != nil {
		return text.OneLine(pods.CreateRefusal(e))
	}
	if c := s.Object.Condition("ReplicaFailure"); c.Text("status") == "True" {
		return text.OneLine(cmp.Or(c.Text("message"), c.Text("reason")))
	}
	if c := s.Object.Condition("Progressing"); c.Text("reason") == "ReplicaSetCreateError" {
		return text.OneLine(c.Text("message"))
	}
	return ""
}

// refusalReported reports whether a rule about the refusal itself says why a controller creates no pods for the resource.
func refusalReported(in *diagnose.In, s *unhealthy.Resource) bool {
	refused, _ := statement.PodRefusals(in)
	for i := range refused {
		if refused[i].Resource == s.Ref && (statement.Quota(&refused[i]) || statement.LimitRange(&refused[i]) || accountLookup.MatchString(refused[i].Failure.Text)) {
			return true
		}
	}
	return false
}
