package pods

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Wait is why a pod has not started: the reason Kubernetes gives and its words.
type Wait struct {
	Reason, Text, From string
	Container          string
}

// WaitOf is what a pod waits for, from the pod itself, its node in the tree, and its last warning. The last event
// counts only while the pod really waits: a pull that failed once and then worked is history.
func WaitOf(node *evidence.Node, pod evidence.Object, events []evidence.Event) (Wait, bool) {
	if w, ok := waitingContainer(pod); ok && w.Text != "" {
		return w, true
	} else if ok {
		if e := LastWarning(events); e != nil {
			return Wait{Reason: cmp.Or(informative(w.Reason), e.Reason), Text: e.Message, From: EventName(e), Container: w.Container}, true
		}
		return w, true
	}
	if c := pod.Condition("PodScheduled"); c != nil && c.Text("status") == "False" {
		return Wait{Reason: cmp.Or(c.Text("reason"), "Unschedulable"), Text: c.Text("message"), From: "Pod/" + pod.Text("metadata", "name")}, true
	}
	if node == nil || ActivityOf(node) != Waiting {
		return Wait{}, false
	}
	w := Wait{Reason: Reason(node), From: node.Ref().String()}
	if node.Health != nil {
		w.Text = node.Health.Message
	}
	if e := LastWarning(events); e != nil {
		w.Text, w.From = e.Message, EventName(e)
	}
	return w, true
}

// informative leaves out the reason that does not explain anything.
func informative(reason string) string {
	if reason == "ContainerCreating" || reason == "PodInitializing" {
		return ""
	}
	return reason
}

// waitingContainer is the first container, init containers first, that waits.
func waitingContainer(pod evidence.Object) (Wait, bool) {
	for _, kind := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range pod.List("status", kind) {
			if reason := c.Text("state", "waiting", "reason"); reason != "" && reason != "PodInitializing" {
				return Wait{Reason: reason, Text: c.Text("state", "waiting", "message"), From: "Pod/" + pod.Text("metadata", "name"), Container: c.Text("name")}, true
			}
		}
	}
	return Wait{}, false
}

// PullsImage reports whether the pod waits for an image that cannot be pulled.
func (w Wait) PullsImage() bool {
	switch w.Reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed":
		return true
	}
	return false
}

// Short is what a pod waits for in one clause.
func (w Wait) Short() string {
	said := message.LastClause(w.Text)
	switch {
	case said == "":
		return w.Reason
	case w.Reason == "" || strings.Contains(said, w.Reason):
		return said
	}
	return w.Reason + ": " + said
}
