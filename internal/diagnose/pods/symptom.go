package pods

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Trouble is what keeps a pod from doing its work. Rules say which of them they are about.
type Trouble int

// The troubles.
const (
	// NoTrouble: the pod shows none of these.
	NoTrouble Trouble = iota
	// Leaving: it is marked for deletion and still exists.
	Leaving
	// ImagePull: an image cannot be pulled.
	ImagePull
	// ConfigMissing: something that a container refers to does not exist, or is refused.
	ConfigMissing
	// OutOfMemory: a container was killed for lack of memory.
	OutOfMemory
	// KilledByProbe: a container was killed because a probe failed.
	KilledByProbe
	// Crash: a container ends again and again.
	Crash
	// NotCreated: the container runtime cannot create or start a container.
	NotCreated
	// Sandbox: the kubelet cannot create the pod's sandbox: its network, or what isolates it.
	Sandbox
	// Evicted: the kubelet ended the pod for lack of something on the node, or because it used too much.
	Evicted
	// NodeDown: its node does not respond, or no node is in order.
	NodeDown
	// Unscheduled: no node takes it.
	Unscheduled
	// VolumePending: a volume is not available.
	VolumePending
	// NotReady: it runs and is not ready.
	NotReady
)

// Symptom is what a pod or resource suffers from, and the facts for the sentences about it.
type Symptom struct {
	Trouble Trouble
	// Container that fails; empty when not known or when it is not about one.
	Container string
	Init      bool
	// Reason is Kubernetes' word for it, Text what it says, From where that was read.
	Reason, Text, From string
	// Exit is the exit code, Exited whether there is one.
	Exit     int
	Exited   bool
	Restarts int
}

// Read is what a pod suffers from; without trouble when it names no reason. pod is nil where it was not read: then its node
// in the tree has to suffice. What blocks a container comes before what ended one, that before what the pod waits for.
func Read(node *evidence.Node, pod evidence.Object, events []evidence.Event) Symptom {
	if pod == nil {
		return readNode(node, events)
	}
	from := node.Ref().String()
	if a, ok := lostPod(node, pod, events); ok {
		return a
	}
	all := containersOf(pod)
	for _, find := range []func([]evidence.Event, container) (Symptom, bool){blockedContainer, killedContainer, crashedContainer} {
		for _, c := range all {
			if a, ok := find(events, c); ok {
				return a.of(c, from)
			}
		}
	}
	switch c := pod.Condition("PodScheduled"); c.Text("status") {
	case "False":
		text := c.Text("message")
		return Symptom{Trouble: schedulingTrouble(text), Reason: cmp.Or(c.Text("reason"), "Unschedulable"), Text: text, From: from}
	case "":
		if unseen(pod, events) {
			return Symptom{Trouble: Unscheduled, Reason: Unseen, From: from}
		}
	case "True": // what kept it from a node before is history
		events = slices.DeleteFunc(slices.Clone(events), func(e evidence.Event) bool { return e.Reason == "FailedScheduling" })
	}
	if a, ok := startSymptom(events); ok && !slices.ContainsFunc(all, isRunning) {
		return a
	}
	for _, c := range all {
		if !c.ready() && isRunning(c) {
			return Symptom{Trouble: NotReady, Container: c.name, Init: c.init, Restarts: c.restarts(), Text: probeAnswer(events), From: from}
		}
	}
	if c := pod.Condition("Ready"); c.Text("reason") == "ReadinessGatesNotReady" {
		return Symptom{Trouble: NotReady, Reason: "ReadinessGatesNotReady", Text: c.Text("message"), From: from}
	}
	return Symptom{Reason: cmp.Or(pod.Text("status", "reason"), informative(Reason(node))), Text: pod.Text("status", "message"), From: from}
}

// of is the symptom as that of a container; from is where it was read, unless it says so itself.
func (a Symptom) of(c container, from string) Symptom {
	a.Container, a.Init, a.Restarts, a.From = c.name, c.init, c.restarts(), cmp.Or(a.From, from)
	return a
}

// blockedContainer is a container that Kubernetes cannot create: its image, or something it refers to, does not exist.
func blockedContainer(events []evidence.Event, c container) (Symptom, bool) {
	reason, text := c.status.Text("state", "waiting", "reason"), c.status.Text("state", "waiting", "message")
	a := Symptom{Reason: reason, Text: text}
	switch {
	case Wait{Reason: reason}.PullsImage():
		a.Trouble = ImagePull
		if e := pullAnswer(events); e != nil && isVague(text) {
			a.Text, a.From = e.Message, EventName(e)
		}
	case reason == "CreateContainerConfigError", reason == "CreateContainerError":
		if e := LastWarning(events); e != nil && text == "" {
			a.Text, a.From = e.Message, EventName(e)
		}
		a.Trouble = ConfigMissing
		if _, _, _, lacks := Missing(a.Text); !lacks && reason == "CreateContainerError" {
			a.Trouble = NotCreated // nothing is missing, and the runtime refuses it
		}
	default:
		return a, false
	}
	return a, true
}

// isVague reports whether a waiting container does not repeat what the registry answered.
func isVague(text string) bool {
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
func killedContainer(events []evidence.Event, c container) (Symptom, bool) {
	if c.ready() {
		return Symptom{}, false
	}
	return killedBefore(events, c)
}

// killedBefore is the same of a container that may run again.
func killedBefore(events []evidence.Event, c container) (Symptom, bool) {
	reason, code, ended := c.ended()
	if !ended {
		return Symptom{}, false
	}
	a := Symptom{Reason: reason, Exit: code, Exited: true}
	if reason == "OOMKilled" {
		a.Trouble = OutOfMemory
		return a, true
	}
	e := probeKill(events, c.name)
	if e == nil || c.init || e.Reason != "Killing" && code != 137 && code != 143 && code != 0 {
		return Symptom{}, false // it ended by itself before the probe could end it
	}
	a.Trouble, a.Reason, a.Text, a.From = KilledByProbe, "", e.Message, EventName(e)
	if answer := lastUnhealthy(events, "Liveness probe", "Startup probe"); answer != nil {
		a.Text, a.From = answer.Message, EventName(answer)
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
func crashedContainer(_ []evidence.Event, c container) (Symptom, bool) {
	wait := c.status.Text("state", "waiting", "reason")
	reason, code, ended := c.ended()
	a := Symptom{Trouble: Crash, Reason: cmp.Or(wait, reason), Exit: code, Exited: ended}
	_, ownEnd := c.status.Number("state", "terminated", "exitCode")
	switch {
	case wait == "RunContainerError", wait == "StartError", wait == "PostStartHookError", reason == "StartError" && !c.ready(), reason == "ContainerCannotRun" && !c.ready():
		return unstartedContainer(c, a), true
	case wait == "CrashLoopBackOff":
	case ownEnd && (code != 0 || !c.init) && !c.ready():
	case ended && code != 0 && c.restarts() >= 2 && !c.ready(): // it runs between two crashes
	default:
		return a, false
	}
	a.Text = c.message()
	return a, true
}

// unstartedContainer is one that the container runtime created and could not start: its process never ran, so it has no log and its
// exit code is the runtime's.
func unstartedContainer(c container, a Symptom) Symptom {
	a.Trouble, a.Exit, a.Exited = NotCreated, 0, false
	a.Text = c.message()
	if said := c.status.Text("state", "waiting", "message"); len(said) > len(a.Text) && !strings.HasPrefix(said, "back-off") {
		a.Text = said
	}
	return a
}

// probeAnswer is the last answer to the probe that keeps a pod from being ready.
func probeAnswer(events []evidence.Event) string {
	if e := lastUnhealthy(events, "Readiness probe", "Startup probe", "Liveness probe"); e != nil {
		return e.Message
	}
	return ""
}

// readNode is what the tree alone shows of a pod.
func readNode(n *evidence.Node, events []evidence.Event) Symptom {
	reason := Reason(n)
	a := Symptom{Reason: reason, From: n.Ref().String(), Container: FailedContainer(n), Restarts: Restarts(n), Init: strings.HasPrefix(n.InfoValue("Status Reason"), "Init:")}
	if n.Health != nil {
		a.Text = n.Health.Message
	}
	if _, code, ok := strings.Cut(a.Text, "exit code "); ok {
		a.Exit, a.Exited = leadingNumber(code)
	}
	switch {
	case Wait{Reason: reason}.PullsImage():
		a.Trouble = ImagePull
	case reason == "CreateContainerConfigError":
		a.Trouble = ConfigMissing
	case reason == "OOMKilled":
		a.Trouble = OutOfMemory
	case reason == "CreateContainerError", reason == "RunContainerError", reason == "StartError", reason == "ContainerCannotRun", reason == "PostStartHookError":
		a.Trouble = NotCreated
	case reason == "Evicted":
		a.Trouble = Evicted
	case Rank(n) == RankFailing && reason == "CrashLoopBackOff" && lastUnhealthy(events, "Liveness probe", "Startup probe") != nil:
		e := lastUnhealthy(events, "Liveness probe", "Startup probe")
		a.Trouble, a.Text, a.From, a.Reason = KilledByProbe, e.Message, EventName(e), ""
	case Rank(n) == RankFailing:
		a.Trouble = Crash
	case Rank(n) == rankRunning && reason != "":
		a.Trouble, a.Text, a.Reason = NotReady, cmp.Or(probeAnswer(events), a.Text), ""
	default:
		if b, ok := startSymptom(events); ok {
			return b
		}
		a.Reason = informative(reason)
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
