package pods

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// HasSeveral reports whether a pod has a choice of containers: several, or an init container that has not ended. The tree shows it
// as "0/2" containers, or as an "Init:" in front of the reason.
func HasSeveral(n *evidence.Node) bool {
	_, all, _ := strings.Cut(n.InfoValue("Containers"), "/")
	return all != "" && all != "0" && all != "1" || strings.HasPrefix(n.InfoValue("Status Reason"), "Init:")
}

// TellingContainer is the container of a pod whose log tells most: the first that failed, else the first init container that has not
// ended, else the first that runs; "" where the pod was not read or has one container only.
func TellingContainer(pod evidence.Object) string {
	all := containersOf(pod)
	for _, c := range all {
		if _, code, ended := c.ended(); ended && code != 0 {
			return c.name
		}
	}
	for _, c := range all {
		if isRunning(c) && !(c.init && c.spec.Text("restartPolicy") == "Always") {
			return c.name
		}
	}
	return ""
}

// Ended is how the telling container of a pod ended. ok is false where none failed.
func Ended(pod evidence.Object) (reason string, code int, ok bool) {
	for _, c := range containersOf(pod) {
		if reason, code, ok = c.ended(); ok && code != 0 {
			return reason, code, true
		}
	}
	return "", 0, false
}

// TerminationMessage is what the failed container of a pod left behind for people, from the pod or, where that was not read, from
// its node, whose health repeats it.
func TerminationMessage(n *evidence.Node, pod evidence.Object) string {
	for _, c := range containersOf(pod) {
		if _, code, ended := c.ended(); ended && code != 0 && c.message() != "" {
			return c.message()
		}
	}
	if n == nil || n.Health == nil || n.HealthStatus() != "Degraded" || FailedContainer(n) != "" || ActivityOf(n) != Failed && Reason(n) != "Evicted" {
		return ""
	}
	if _, _, reason := strings.Cut(n.Health.Message, " "); !reason { // one word: OOMKilled
		return ""
	}
	return n.Health.Message
}

// LeadingNumber reads the number that a text begins with.
func LeadingNumber(s string) (n int, ok bool) { return leadingNumber(s) }
