package rules

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// waiting is why a pod has not started: the reason Kubernetes gives and its words.
type waiting struct {
	reason, text, from string
	container          string
}

// waitsFor tells what a pod waits for, from the pod itself, its node in the tree, and its last warning. The last event
// counts only while the pod really waits: a pull that failed once and then worked is history.
func waitsFor(node *evidence.Node, pod evidence.Object, events []evidence.Event) (waiting, bool) {
	if w, ok := waitingContainer(pod); ok && w.text != "" {
		return w, true
	} else if ok {
		if e := lastWarning(events); e != nil {
			return waiting{reason: cmp.Or(telling(w.reason), e.Reason), text: e.Message, from: eventName(e), container: w.container}, true
		}
		return w, true
	}
	if c := pod.Condition("PodScheduled"); c != nil && c.Text("status") == "False" {
		return waiting{reason: cmp.Or(c.Text("reason"), "Unschedulable"), text: c.Text("message"), from: "Pod/" + pod.Text("metadata", "name")}, true
	}
	if node == nil || podState(node) != podWaiting {
		return waiting{}, false
	}
	w := waiting{reason: podReason(node), from: node.Ref().String()}
	if node.Health != nil {
		w.text = node.Health.Message
	}
	if e := lastWarning(events); e != nil {
		w.text, w.from = e.Message, eventName(e)
	}
	return w, true
}

// telling leaves out the reason that says nothing.
func telling(reason string) string {
	if reason == "ContainerCreating" || reason == "PodInitializing" {
		return ""
	}
	return reason
}

// waitingContainer is the first container, init containers first, that waits.
func waitingContainer(pod evidence.Object) (waiting, bool) {
	for _, kind := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range pod.List("status", kind) {
			if reason := c.Text("state", "waiting", "reason"); reason != "" && reason != "PodInitializing" {
				return waiting{reason: reason, text: c.Text("state", "waiting", "message"), from: "Pod/" + pod.Text("metadata", "name"), container: c.Text("name")}, true
			}
		}
	}
	return waiting{}, false
}

func lastWarning(events []evidence.Event) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Type == "Warning" && events[i].Reason != "BackOff" {
			return &events[i]
		}
	}
	return nil
}

// pullsImage reports whether the pod waits for an image that cannot be pulled.
func (w waiting) pullsImage() bool {
	switch w.reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable":
		return true
	}
	return false
}

var (
	missingObject = regexp.MustCompile(`(?i)([a-z]+|service account|priority class)(?:\.[a-z0-9.\-]+)? ["'](?:[a-z0-9\-]+/)?([a-zA-Z0-9.\-_]+)["'](?: was)? (?:not found|does not exist)|(secret|configmap|serviceaccount|service account|persistentvolumeclaim) (?:[a-z0-9\-]+/)?([a-zA-Z0-9.\-_]+) (?:not found|does not exist)`)
	missingKey    = regexp.MustCompile(`(?:couldn't find key|references non-existent secret key:|references non-existent config key:) ?([^ ]+)(?: in (Secret|ConfigMap) (?:[^/ ]+/)?([^ ]+))?`)
)

// missing is the object (and key) that a text says is not there.
func missing(text string) (kind, name, key string, ok bool) {
	text = message.OneLine(text)
	if m := missingObject.FindStringSubmatch(text); m != nil {
		return kindName(m[1] + m[3]), m[2] + m[4], "", true
	}
	if m := missingKey.FindStringSubmatch(text); m != nil {
		kind = cmp.Or(m[2], "Secret or ConfigMap")
		if strings.Contains(m[0], "non-existent secret key") {
			kind = "Secret"
		} else if strings.Contains(m[0], "non-existent config key") {
			kind = "ConfigMap"
		}
		return kind, m[3], m[1], true
	}
	return "", "", "", false
}

// kindName is the kind as the API spells it: Kubernetes' own messages write some in lower case or as two words.
func kindName(s string) string {
	plain := strings.ToLower(strings.ReplaceAll(s, " ", ""))
	for _, kind := range []string{"Secret", "ConfigMap", "SecretProviderClass", "ServiceAccount", "PersistentVolumeClaim", "RuntimeClass", "PriorityClass", "StorageClass"} {
		if plain == strings.ToLower(kind) || plain == strings.ToLower(kind)+"s" {
			return kind
		}
	}
	return s
}

// short is what a pod waits for in one clause.
func (w waiting) short() string {
	text := message.Clip(message.OneLine(w.text), clause)
	switch {
	case text == "":
		return w.reason
	case w.reason == "" || strings.Contains(text, w.reason):
		return text
	}
	return w.reason + ": " + text
}
