package pods

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// startSymptom is why a pod that has a node does not get its containers: network, volumes, configuration. The last event counts, unless
// the pod got further since.
func startSymptom(events []evidence.Event) (Symptom, bool) {
	passing, found := Symptom{}, false
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		a := Symptom{Trouble: startTrouble(e), Reason: e.Reason, Text: e.Message, From: EventName(e)}
		switch {
		case a.Trouble == NoTrouble || gotFurther(events, e):
		case onlyRepeats.MatchString(e.Message): // what is behind it is in an event before, if anywhere
			if !found {
				passing, found = a, true
			}
		default:
			return a, true
		}
	}
	return passing, found
}

// Lacked is an object, or a key of one, that a pod lacks: the text that says so, and where it was read.
type Lacked struct{ Text, From string }

// AlsoLacked is what else the events of a pod say is missing, beside what one text says: a kubelet mounts all volumes at once, and reports
// each by itself.
func AlsoLacked(events []evidence.Event, said string) []Lacked {
	var out []Lacked
	kind, name, key, _ := Missing(said)
	seen := map[string]bool{kind + name + key: true}
	for i := range events {
		e := &events[i]
		if e.Reason != "FailedMount" || startTrouble(e) != ConfigMissing || gotFurther(events, e) {
			continue
		}
		if kind, name, key, _ := Missing(e.Message); !seen[kind+name+key] {
			seen[kind+name+key] = true
			out = append(out, Lacked{e.Message, EventName(e)})
		}
	}
	return out
}

// onlyRepeats are events that say that a volume is not there yet, not why; or what passes by itself when a kubelet starts.
var onlyRepeats = pattern.MustCompile(`(?i)timed out waiting|timeout expired waiting|^unable to (?:attach or )?mount volumes.*(?:deadline exceeded|timed out)|failed to sync (?:configmap|secret) cache|object "[^"]*"/"[^"]*" not registered`)

// startTrouble is what an event says about the start of a pod.
func startTrouble(e *evidence.Event) Trouble {
	switch e.Reason {
	case "FailedScheduling":
		return schedulingTrouble(e.Message)
	case "FailedMount", "FailedAttachVolume", "FailedMapVolume", "ProvisioningFailed":
		if kind, _, key, lacks := Missing(e.Message); lacks && (kind == "Secret" || kind == "ConfigMap" || kind == "SecretProviderClass" || kind == "ServiceAccount" || key != "") {
			return ConfigMissing
		}
		return VolumePending
	case "FailedCreatePodSandBox", "NetworkNotReady":
		return Sandbox
	}
	return NoTrouble
}

// gotFurther reports whether the pod was under way after an event: a container of it, or, after one of the scheduler, the pod itself on a node.
// Then what the event says is history.
func gotFurther(events []evidence.Event, e *evidence.Event) bool {
	for i := range events {
		switch later := &events[i]; later.Reason {
		case "Scheduled":
			if e.Reason == "FailedScheduling" && !later.Last().Before(e.Last().Time) {
				return true
			}
		case "Pulling", "Pulled", "Created", "Started":
			if later.LastTimestamp.After(e.LastTimestamp.Time) {
				return true
			}
		}
	}
	return false
}

// schedulingTrouble is why no node takes a pod: its volume is not available, the nodes are not in order, or none suits it.
func schedulingTrouble(said string) Trouble {
	lower := strings.ToLower(said)
	if message.HasAny(lower, "persistentvolumeclaim", "volume node affinity", "pvc") && !message.HasAny(lower, "insufficient", "too many pods", "max volume count") { // that is what the nodes lack which can use the volume
		return VolumePending
	}
	if nodeTaint.MatchString(DecisiveReason(said).Text) {
		return NodeDown
	}
	return Unscheduled
}

// nodeTaint is a taint that Kubernetes itself sets on a node that is not in order.
var nodeTaint = pattern.MustCompile(`taints? \{?(?:node\.kubernetes\.io/(?:not-ready|unreachable|network-unavailable|out-of-service)|node\.cloudprovider\.kubernetes\.io/(?:uninitialized|shutdown))`)
