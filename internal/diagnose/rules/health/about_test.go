package health

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestAResourceBelongsToTheRuleThatNamesMostOfIt: what its pod suffers from before its kind, and of several rules the one that
// says most; only where that is the same, the order of the list.
func TestAResourceBelongsToTheRuleThatNamesMostOfIt(t *testing.T) {
	rule := func(id string, subjects ...subject) diagnose.Recogniser[about] {
		return diagnose.Recogniser[about]{Rule: &diagnose.Rule{ID: id}, Recognises: subjects}
	}
	claims := bySubject([]diagnose.Recogniser[about]{
		rule("anything", subject{}),
		rule("a kind", subject{kind: "apps/Deployment"}),
		rule("the same kind, further down", subject{kind: "apps/Deployment"}),
		rule("a whole group", subject{kind: "cert-manager.io/*"}),
		rule("a health", subject{status: "Missing"}),
		rule("a kind and a health", subject{kind: "apps/Deployment", status: "Degraded"}),
		rule("a kind that meets a condition", subject{kind: "batch/CronJob", when: lastRunFailed}),
		rule("a suspended one", subject{status: "Suspended"}),
		rule("one that goes", subject{status: pendingDeletion}),
		rule("a crash", subject{pod: pods.Crash}),
		rule("a crash of a Job", subject{pod: pods.Crash, when: endsForGood}),
	})
	crash := pods.Symptom{Trouble: pods.Crash}
	for _, c := range []struct {
		want string
		s    unhealthy.Resource
	}{
		{"anything", unhealthy.Resource{Ref: evidence.Ref{Group: "example.com", Kind: "Thing"}, Status: "Degraded"}},
		{"a kind", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Progressing"}},
		{"a kind and a health", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Degraded"}},
		{"a health", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Missing"}},
		{"a whole group", unhealthy.Resource{Ref: evidence.Ref{Group: "cert-manager.io", Kind: "Issuer"}, Status: "Degraded"}},
		{"anything", unhealthy.Resource{Ref: evidence.Ref{Group: "batch", Kind: "CronJob"}, Status: "Degraded"}},
		{"a kind that meets a condition", unhealthy.Resource{Ref: evidence.Ref{Group: "batch", Kind: "CronJob"}, Status: "Degraded", Job: &evidence.Node{}}},
		{"a suspended one", unhealthy.Resource{Ref: evidence.Ref{Group: "batch", Kind: "CronJob"}, Status: "Suspended", Job: &evidence.Node{}}},
		{"a crash", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Degraded", Pod: &evidence.Node{}, Symptom: crash}},
		{"a crash of a Job", unhealthy.Resource{Ref: evidence.Ref{Group: "batch", Kind: "Job"}, Status: "Degraded", Pod: &evidence.Node{}, Symptom: crash}},
		{"a suspended one", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Suspended", Pod: &evidence.Node{}, Symptom: crash}},
		{"one that goes", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Degraded", Text: "Pending deletion", Pod: &evidence.Node{}, Symptom: crash}},
		{"a kind", unhealthy.Resource{Ref: evidence.Ref{Group: "apps", Kind: "Deployment"}, Status: "Progressing", Pod: &evidence.Node{}}},
	} {
		if got := ruleOf(claims, &c.s); got == nil || got.ID != c.want {
			t.Errorf("%s, %s: got %v, want %s", c.s.Ref, c.s.Status, got, c.want)
		}
	}
}

// TestPodCausesAreKnownByWhatTheyRecognise: a new rule about the troubles of pods is one without being named.
func TestPodCausesAreKnownByWhatTheyRecognise(t *testing.T) {
	for _, c := range []struct {
		name       string
		recognises diagnose.Recognition
		want       bool
	}{
		{"a trouble of pods", about{{pod: pods.VolumePending}, {kind: "/PersistentVolumeClaim"}}, true},
		{"pods that may not be created", refusedPods{}, true},
		{"pods that go", about{{status: pendingDeletion}, {pod: pods.Leaving}}, false},
		{"the pods of one kind of owner", about{{kind: "batch/Job"}, {pod: pods.Crash, when: endsForGood}}, false},
		{"a kind", about{{kind: "apps/StatefulSet"}}, false},
		{"something else", nil, false},
	} {
		if got := isPodCause(&diagnose.Rule{Recognises: c.recognises}); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}
