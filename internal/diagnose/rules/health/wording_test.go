package health

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/pods"
)

// TestWordsOfTools: what a report quotes of a tool, and what it leaves out because its title says it.
func TestWordsOfTools(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"a Rollout's reason and revision are in the title": {
			rolloutWords(`RolloutAborted: Rollout aborted update to revision 4: Metric "success-rate" assessed Failed due to failed (3) > failureLimit (2)`),
			"failed (3) > failureLimit (2)",
		},
		"a Rollout that says only that it was aborted": {rolloutWords("RolloutAborted: Rollout aborted update to revision 2"), ""},
		"a Rollout's invalid spec":                     {rolloutWords("InvalidSpec: spec.replicas: Invalid value"), "spec.replicas: Invalid value"},
		"an autoscaler's wrapper": {
			scalerWrapper.ReplaceAllString("the HPA was unable to compute the replica count: missing request for cpu", ""),
			"missing request for cpu",
		},
		"the scheduler on preemption": {
			withoutPreemption("0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found."),
			"0/3 nodes are available: 3 Insufficient cpu",
		},
		"the kubelet on what was left": {
			lowResource.ReplaceAllString("The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi.", " ($2 available, threshold $1)"),
			"The node was low on resource: memory (90Mi available, threshold 100Mi).",
		},
		"an image that was not found": {pullError("ghcr.io/acme/web:1.4.0: not found", "ghcr.io/acme/web:1.4.0").Text, ""},
		"a registry's answer":         {pullError("denied: requested access to the resource is denied", "web").Text, "denied: requested access to the resource is denied"},
		"the name of an image":        {shortImage("ghcr.io/acme/web:1.4.0"), "web:1.4.0"},
		"an image with a digest":      {shortImage("ghcr.io/acme/web@sha256:8d0b"), ""},
		"why no node fits":            {reasonsInBrackets([]pods.NodeReason{{Text: "node(s) didn't match pod anti-affinity rules"}}), " (pod anti-affinity)"},
		"an unusual reason":           {reasonsInBrackets([]pods.NodeReason{{Text: "node(s) were mysterious"}}), ""},
		"which probe":                 {probeKind("Startup probe failed: no"), "startup"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, c.got, c.want)
		}
	}
}
