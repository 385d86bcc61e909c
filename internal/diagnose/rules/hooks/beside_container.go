package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// proxies are parts of the names of containers that run until they are stopped.
var proxies = []string{"proxy", "envoy", "istio", "linkerd", "vault", "agent", "sidecar", "dapr", "consul", "fluent"}

// injected are the containers of the hook's pod that its Job does not have and that do not end by themselves: read from the pod, or
// from the events of the pod that the Job deleted.
func (h *run) injected() []string {
	own := map[string]bool{}
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range h.job.List("spec", "template", "spec", list) {
			own[c.Text("name")] = true
		}
	}
	if len(own) == 0 { // the Job was not read
		return nil
	}
	var out []string
	add := func(name string) {
		if name != "" && !own[name] && message.HasAny(name, proxies...) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, c := range h.pod.List("spec", "containers") { // an init container that keeps running is a native sidecar
		add(c.Text("name"))
	}
	for i := range h.podEvents {
		if e := &h.podEvents[i]; e.Reason == "Started" {
			add(started(e.Message))
		}
	}
	return out
}

// started is the container that an event of the kubelet says has started: "Started container istio-proxy".
func started(said string) string {
	_, name, _ := strings.Cut(said, "tarted container")
	name, _, _ = strings.Cut(strings.TrimLeft(name, ": "), " ")
	return name
}

// readDeletedPod reads the events of the pod that the Job had, which Kubernetes keeps for an hour longer than the pod.
func (h *run) readDeletedPod(in *diagnose.In) {
	for i := len(h.events) - 1; i >= 0; i-- {
		e := &h.events[i]
		_, name, ok := strings.Cut(e.Message, "eleted pod: ")
		if e.Reason != "SuccessfulDelete" || !ok {
			continue
		}
		pod := evidence.Ref{Kind: "Pod", Namespace: h.ref.Namespace, Name: strings.TrimSpace(name)}
		h.podEvents, _ = diagnose.Look(in, evidence.FactEvents(evidence.ObjectQuery{Ref: pod}))
		return
	}
}
