package rules

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// blockedContainer is a container that Kubernetes cannot create: its image, or something it refers to, is not there.
func blockedContainer(s *sickResource, c container) (ailment, bool) {
	reason, text := c.status.Text("state", "waiting", "reason"), c.status.Text("state", "waiting", "message")
	a := ailment{reason: reason, text: text}
	switch {
	case waiting{reason: reason}.pullsImage():
		a.rule = "health/image-pull"
		if e := pullAnswer(s.events); e != nil && vague(text) {
			a.text, a.from = e.Message, eventName(e)
		}
	case reason == "CreateContainerConfigError", reason == "CreateContainerError":
		if e := lastWarning(s.events); e != nil && text == "" {
			a.text, a.from = e.Message, eventName(e)
		}
		a.rule = "health/config-missing"
		if _, _, _, lacks := missing(a.text); !lacks && reason == "CreateContainerError" {
			a.rule = "health/crash-loop" // it is there, and the runtime refuses it: a command that does not exist
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
func killedContainer(s *sickResource, c container) (ailment, bool) {
	reason, code, ended := c.ended()
	if !ended || c.ready() {
		return ailment{}, false
	}
	a := ailment{reason: reason, exit: code, exited: true}
	if reason == "OOMKilled" {
		a.rule = "health/oom-killed"
		return a, true
	}
	e := probeKill(s.events, c.name)
	if e == nil || c.init || e.Reason != "Killing" && code != 137 && code != 143 && code != 0 {
		return ailment{}, false // it ended by itself before the probe could end it
	}
	a.rule, a.reason, a.text, a.from = "health/liveness", "", e.Message, eventName(e)
	if answer := lastUnhealthy(s.events, "Liveness probe", "Startup probe"); answer != nil {
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
func crashedContainer(_ *sickResource, c container) (ailment, bool) {
	wait := c.status.Text("state", "waiting", "reason")
	reason, code, ended := c.ended()
	a := ailment{rule: "health/crash-loop", reason: cmp.Or(wait, reason), exit: code, exited: ended}
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

// schedulingRule tells a pod that no node suits from one whose volume is not there.
func schedulingRule(text string) string {
	lower := strings.ToLower(text)
	if message.HasAny(lower, "persistentvolumeclaim", "volume node affinity", "pvc") && !message.HasAny(lower, "insufficient") {
		return "health/volume-pending"
	}
	return "health/unschedulable"
}

// startAilment is why a pod that has a node does not get its containers: volumes, configuration, network.
func startAilment(events []evidence.Event) (ailment, bool) {
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		a := ailment{reason: e.Reason, text: e.Message, from: eventName(e)}
		switch e.Reason {
		case "FailedScheduling":
			a.rule = schedulingRule(e.Message)
		case "FailedMount", "FailedAttachVolume", "FailedMapVolume", "ProvisioningFailed":
			a.rule = "health/volume-pending"
			if kind, _, key, lacks := missing(e.Message); lacks && (kind == "Secret" || kind == "ConfigMap" || kind == "SecretProviderClass" || key != "") {
				a.rule = "health/config-missing"
			}
			if i > 0 && strings.Contains(e.Message, "timed out waiting") { // the one before says why
				if b, ok := startAilment(events[:i]); ok && b.rule != "" {
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
		a.rule = "health/image-pull"
	case reason == "CreateContainerConfigError":
		a.rule = "health/config-missing"
	case reason == "OOMKilled":
		a.rule = "health/oom-killed"
	case podRank(n) == rankFailing && reason == "CrashLoopBackOff" && lastUnhealthy(events, "Liveness probe", "Startup probe") != nil:
		e := lastUnhealthy(events, "Liveness probe", "Startup probe")
		a.rule, a.text, a.from, a.reason = "health/liveness", e.Message, eventName(e), ""
	case podRank(n) == rankFailing:
		a.rule = "health/crash-loop"
	case podRank(n) == rankRunning && reason != "":
		a.rule, a.text, a.reason = "health/readiness", cmp.Or(probeAnswer(events), a.text), ""
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
