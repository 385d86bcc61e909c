package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// trouble is what keeps a pod from doing its work.
type trouble int

const (
	// troubleNone: the pod says nothing of the kind.
	troubleNone trouble = iota
	// troubleLeaving: it is marked for deletion and still there.
	troubleLeaving
	// troubleImagePull: an image cannot be pulled.
	troubleImagePull
	// troubleConfig: something that a container refers to is not there, or is refused.
	troubleConfig
	// troubleMemory: a container was killed for lack of memory.
	troubleMemory
	// troubleProbe: a container was killed because a probe failed.
	troubleProbe
	// troubleCrash: a container ends again and again, or cannot be started.
	troubleCrash
	// troubleUnscheduled: no node takes it.
	troubleUnscheduled
	// troubleVolume: a volume is not there.
	troubleVolume
	// troubleNotReady: it runs and is not ready.
	troubleNotReady
)

// ailment is what a pod or resource suffers from, and the facts for the sentences about it.
type ailment struct {
	trouble trouble
	// container that fails; empty when not known or when it is not about one.
	container string
	init      bool
	// reason is Kubernetes' word for it, text what it says, from where that was read.
	reason, text, from string
	// exit is the exit code, exited whether there is one.
	exit     int
	exited   bool
	restarts int
}

// readPod is what a pod suffers from; without trouble when it names no reason. object is nil where it was not read: then its
// node in the tree has to do. What blocks a container comes before what ended one, that before what the pod waits for.
func readPod(node *evidence.Node, pod evidence.Object, events []evidence.Event) ailment {
	if pod == nil {
		return nodeAilment(node, events)
	}
	from := node.Ref().String()
	all := containersOf(pod)
	for _, find := range []func([]evidence.Event, container) (ailment, bool){blockedContainer, killedContainer, crashedContainer} {
		for _, c := range all {
			if a, ok := find(events, c); ok {
				a.container, a.init, a.restarts = c.name, c.init, c.restarts()
				a.from = cmp.Or(a.from, from)
				return a
			}
		}
	}
	if c := pod.Condition("PodScheduled"); c != nil && c.Text("status") == "False" {
		text := c.Text("message")
		return ailment{trouble: schedulingTrouble(text), reason: cmp.Or(c.Text("reason"), "Unschedulable"), text: text, from: from}
	}
	if a, ok := startAilment(events); ok && !slices.ContainsFunc(all, isRunning) {
		return a
	}
	for _, c := range all {
		if !c.ready() && isRunning(c) {
			return ailment{trouble: troubleNotReady, container: c.name, init: c.init, restarts: c.restarts(), text: probeAnswer(events), from: from}
		}
	}
	if c := pod.Condition("Ready"); c.Text("reason") == "ReadinessGatesNotReady" {
		return ailment{trouble: troubleNotReady, reason: "ReadinessGatesNotReady", text: c.Text("message"), from: from}
	}
	return ailment{reason: cmp.Or(pod.Text("status", "reason"), telling(podReason(node))), text: pod.Text("status", "message"), from: from}
}

// blockedContainer is a container that Kubernetes cannot create: its image, or something it refers to, is not there.
func blockedContainer(events []evidence.Event, c container) (ailment, bool) {
	reason, text := c.status.Text("state", "waiting", "reason"), c.status.Text("state", "waiting", "message")
	a := ailment{reason: reason, text: text}
	switch {
	case waiting{reason: reason}.pullsImage():
		a.trouble = troubleImagePull
		if e := pullAnswer(events); e != nil && vague(text) {
			a.text, a.from = e.Message, eventName(e)
		}
	case reason == "CreateContainerConfigError", reason == "CreateContainerError":
		if e := lastWarning(events); e != nil && text == "" {
			a.text, a.from = e.Message, eventName(e)
		}
		a.trouble = troubleConfig
		if _, _, _, lacks := missing(a.text); !lacks && reason == "CreateContainerError" {
			a.trouble = troubleCrash // it is there, and the runtime refuses it: a command that does not exist
		}
	default:
		return a, false
	}
	return a, true
}

// vague reports whether a waiting container does not repeat what the registry answered.
func vague(text string) bool {
	text = strings.ToLower(text)
	return text == "" || strings.HasPrefix(text, "back-off pulling image") && !strings.Contains(text, ": ")
}

// pullAnswer is the event that carries the registry's answer.
func pullAnswer(events []evidence.Event) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Type == "Warning" && strings.HasPrefix(e.Message, "Failed to pull image") {
			return e
		}
	}
	return nil
}

// killedContainer is a container that Kubernetes killed: for its memory, or because a probe failed.
func killedContainer(events []evidence.Event, c container) (ailment, bool) {
	reason, code, ended := c.ended()
	if !ended || c.ready() {
		return ailment{}, false
	}
	a := ailment{reason: reason, exit: code, exited: true}
	if reason == "OOMKilled" {
		a.trouble = troubleMemory
		return a, true
	}
	e := probeKill(events, c.name)
	if e == nil || c.init || e.Reason != "Killing" && code != 137 && code != 143 && code != 0 {
		return ailment{}, false // it ended by itself before the probe could end it
	}
	a.trouble, a.reason, a.text, a.from = troubleProbe, "", e.Message, eventName(e)
	if answer := lastUnhealthy(events, "Liveness probe", "Startup probe"); answer != nil {
		a.text, a.from = answer.Message, eventName(answer)
	}
	return a, true
}

// probeKill is the event that says that a probe's failure ends the container.
func probeKill(events []evidence.Event, name string) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		lower := strings.ToLower(e.Message)
		if e.Reason == "Killing" && message.HasAny(lower, "failed liveness probe", "failed startup probe") && strings.Contains(e.Message, name) {
			return e
		}
	}
	return lastUnhealthy(events, "Liveness probe", "Startup probe")
}

// lastUnhealthy is the last answer of a probe.
func lastUnhealthy(events []evidence.Event, probes ...string) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		for _, probe := range probes {
			if e := &events[i]; e.Reason == "Unhealthy" && strings.HasPrefix(e.Message, probe) {
				return e
			}
		}
	}
	return nil
}

// crashedContainer is a container that ends again and again, or cannot even be started.
func crashedContainer(_ []evidence.Event, c container) (ailment, bool) {
	wait := c.status.Text("state", "waiting", "reason")
	reason, code, ended := c.ended()
	a := ailment{trouble: troubleCrash, reason: cmp.Or(wait, reason), exit: code, exited: ended}
	_, ownEnd := c.status.Number("state", "terminated", "exitCode")
	switch {
	case wait == "CrashLoopBackOff", wait == "RunContainerError", wait == "StartError":
	case ownEnd && (code != 0 || !c.init) && !c.ready():
	case ended && code != 0 && c.restarts() >= 2 && !c.ready(): // it runs between two crashes
	default:
		return a, false
	}
	a.text = c.message()
	if wait == "RunContainerError" || reason == "StartError" || reason == "ContainerCannotRun" {
		a.text = cmp.Or(a.text, c.status.Text("state", "waiting", "message"))
	}
	return a, true
}

// schedulingTrouble tells a pod that no node suits from one whose volume is not there.
func schedulingTrouble(text string) trouble {
	lower := strings.ToLower(text)
	if message.HasAny(lower, "persistentvolumeclaim", "volume node affinity", "pvc") && !message.HasAny(lower, "insufficient") {
		return troubleVolume
	}
	return troubleUnscheduled
}

// startAilment is why a pod that has a node does not get its containers: volumes, configuration, network.
func startAilment(events []evidence.Event) (ailment, bool) {
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		a := ailment{reason: e.Reason, text: e.Message, from: eventName(e)}
		switch e.Reason {
		case "FailedScheduling":
			a.trouble = schedulingTrouble(e.Message)
		case "FailedMount", "FailedAttachVolume", "FailedMapVolume", "ProvisioningFailed":
			a.trouble = troubleVolume
			if kind, _, key, lacks := missing(e.Message); lacks && (kind == "Secret" || kind == "ConfigMap" || kind == "SecretProviderClass" || key != "") {
				a.trouble = troubleConfig
			}
			if i > 0 && strings.Contains(e.Message, "timed out waiting") { // the one before says why
				if b, ok := startAilment(events[:i]); ok && b.trouble != troubleNone {
					return b, true
				}
			}
		case "FailedCreatePodSandBox", "NetworkNotReady", "FailedPreStopHook":
		default:
			continue
		}
		return a, true
	}
	return ailment{}, false
}

// probeAnswer is what the probe that keeps a pod from being ready was told.
func probeAnswer(events []evidence.Event) string {
	if e := lastUnhealthy(events, "Readiness probe", "Startup probe", "Liveness probe"); e != nil {
		return e.Message
	}
	return ""
}

// nodeAilment is what the tree alone tells of a pod.
func nodeAilment(n *evidence.Node, events []evidence.Event) ailment {
	reason := podReason(n)
	a := ailment{reason: reason, from: n.Ref().String(), container: failedContainer(n), restarts: restartCount(n), init: strings.HasPrefix(n.InfoValue("Status Reason"), "Init:")}
	if n.Health != nil {
		a.text = n.Health.Message
	}
	if _, code, ok := strings.Cut(a.text, "exit code "); ok {
		a.exit, a.exited = leadingNumber(code)
	}
	switch {
	case waiting{reason: reason}.pullsImage():
		a.trouble = troubleImagePull
	case reason == "CreateContainerConfigError":
		a.trouble = troubleConfig
	case reason == "OOMKilled":
		a.trouble = troubleMemory
	case podRank(n) == rankFailing && reason == "CrashLoopBackOff" && lastUnhealthy(events, "Liveness probe", "Startup probe") != nil:
		e := lastUnhealthy(events, "Liveness probe", "Startup probe")
		a.trouble, a.text, a.from, a.reason = troubleProbe, e.Message, eventName(e), ""
	case podRank(n) == rankFailing:
		a.trouble = troubleCrash
	case podRank(n) == rankRunning && reason != "":
		a.trouble, a.text, a.reason = troubleNotReady, cmp.Or(probeAnswer(events), a.text), ""
	default:
		if b, ok := startAilment(events); ok {
			return b
		}
		a.reason = telling(reason)
	}
	return a
}

func leadingNumber(s string) (n int, ok bool) {
	for _, c := range s {
		if c < '0' || c > '9' {
			break
		}
		n, ok = 10*n+int(c-'0'), true
	}
	return n, ok
}

func eventName(e *evidence.Event) string { return "event " + e.Reason + " of " + e.Ref().String() }

func isRunning(c container) bool { return c.status.At("state", "running") != nil }
