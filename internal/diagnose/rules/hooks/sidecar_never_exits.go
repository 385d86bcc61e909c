package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var SidecarNeverExits = &diagnose.Rule{
	ID:    "hook/sidecar-never-exits",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A sidecar keeps the hook's pod running",
		What:     "The hook's own container is done, but another container of the pod (a service mesh proxy, a database proxy, an agent) runs on, so the Job never completes.",
		Decisive: "In the hook's pod one container has terminated with exit code 0 and another is still running.",
		Example:  "container migrate terminated (Completed), container istio-proxy running",
		Fix:      "Switch injection off for the hook, or run the proxy as a native sidecar (an init container with restartPolicy: Always).",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/"},
	},
	Sync: advice.Pointless("the sidecar keeps the next pod running, too"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		done, alive := containersByState(h.pod)
		if h.failed || len(done) == 0 || len(alive) == 0 {
			return diagnose.Finding{}, false
		}
		sidecars := strings.Join(alive, ", ")
		known := message.HasAny(sidecars, "proxy", "envoy", "istio", "linkerd", "vault", "agent", "sidecar", "dapr", "consul", "fluent")
		if !known && in.RunningFor() < hookThreshold {
			return diagnose.Finding{}, false // it may have work of its own
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(known),
			Title:      fmt.Sprintf("%s %s is done, but its sidecar %s keeps running", h.phaseName(), h.ref, sidecars),
			Why:        fmt.Sprintf("In Pod/%s container %s has ended well, and %s runs on. A Job is complete only when all containers of its pod have ended.", h.podNode.Name, strings.Join(done, ", "), sidecars),
			Evidence:   []diagnose.Quote{{From: h.podNode.Ref().String(), Text: fmt.Sprintf("terminated with exit code 0: %s; running: %s", strings.Join(done, ", "), sidecars)}},
			Fix:        []diagnose.Fix{{Text: "Switch the injection off for the hook's pod", Patch: injectionOff(sidecars)}},
		}
		return h.withNextSteps(in, f), true
	}),
}

// containersByState are the names of the containers that ended well and of those that run. Init containers do not count:
// a native sidecar is one and does not keep a pod from completing.
func containersByState(pod evidence.Object) (done, alive []string) {
	for _, c := range pod.List("status", "containerStatuses") {
		if c.At("state", "running") != nil {
			alive = append(alive, c.Text("name"))
		} else if code, ok := c.Number("state", "terminated", "exitCode"); ok && code == 0 {
			done = append(done, c.Text("name"))
		}
	}
	return done, alive
}

func injectionOff(sidecars string) string {
	const head = "spec:\n  template:\n    metadata:\n"
	switch {
	case strings.Contains(sidecars, "istio"):
		return head + "      labels:\n        sidecar.istio.io/inject: \"false\"\n"
	case strings.Contains(sidecars, "linkerd"):
		return head + "      annotations:\n        linkerd.io/inject: disabled\n"
	case strings.Contains(sidecars, "vault"):
		return head + "      annotations:\n        vault.hashicorp.com/agent-pre-populate-only: \"true\"\n"
	}
	return "# run it as a native sidecar\nspec:\n  template:\n    spec:\n      initContainers:\n      - name: " + sidecars + "\n        restartPolicy: Always\n"
}
