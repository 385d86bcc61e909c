package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var SidecarNeverExits = &diagnose.Rule{
	ID:      "hook/sidecar-never-exits",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideEvent},
	Doc: diagnose.Doc{
		Title:    "Sidecar keeps the hook's pod running",
		What:     "The hook's own container has finished, but another container of its pod (a service mesh proxy, a database proxy, an agent) keeps running, so the Job never completes.",
		Decisive: "In the hook's pod one container has terminated with exit code 0 and another is still running.",
		Example:  "container migrate terminated (Completed), container istio-proxy running",
		Fix:      "Turn off sidecar injection for the hook, or run the proxy as a native sidecar (an init container with restartPolicy: Always).",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/"},
	},
	Sync: advice.Pointless("the sidecar will keep the next pod running as well"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		done, alive := containersByState(h.pod)
		if h.failed || len(done) == 0 || len(alive) == 0 {
			return diagnose.Finding{}, false
		}
		sidecars := strings.Join(alive, ", ")
		known := message.HasAny(sidecars, proxies...)
		if !known && in.RunningFor() < hookThreshold {
			return diagnose.Finding{}, false // it may have work of its own
		}
		title, named := h.titled(fmt.Sprintf("cannot finish: %s keeps running", sidecars))
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(known),
			Title:      title,
			Why:        text.Paragraph(named, fmt.Sprintf("Container %s exited 0, but a Job is complete only when every container of its pod has exited.", strings.Join(done, ", "))),
			Evidence:   []diagnose.Quote{{From: h.podNode.Ref().String(), Text: fmt.Sprintf("terminated with exit code 0: %s; running: %s", strings.Join(done, ", "), sidecars)}},
			Fix:        []diagnose.Fix{endSidecars(alive)},
		}
		return h.withNextSteps(in, f), true
	}),
}

// containersByState are the names of the containers that exited 0 and of those that run. Init containers do not count:
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

// endSidecars is the step that keeps the sidecars from outliving the hook.
func endSidecars(names []string) diagnose.Fix {
	const head = "spec:\n  template:\n    metadata:\n"
	const inject = "In Git, turn off sidecar injection for the hook's pod"
	switch all := strings.Join(names, ", "); {
	case strings.Contains(all, "istio"):
		return diagnose.Fix{Text: inject, Patch: head + "      labels:\n        sidecar.istio.io/inject: \"false\"\n"}
	case strings.Contains(all, "linkerd"):
		return diagnose.Fix{Text: inject, Patch: head + "      annotations:\n        linkerd.io/inject: disabled\n"}
	case strings.Contains(all, "vault"):
		return diagnose.Fix{Text: "In Git, run Vault Agent in the hook's pod as an init container only", Patch: head + "      annotations:\n        vault.hashicorp.com/agent-pre-populate-only: \"true\"\n"}
	}
	native := "spec:\n  template:\n    spec:\n      initContainers:\n"
	for _, name := range names {
		native += "      - name: " + name + "\n        restartPolicy: Always\n"
	}
	return diagnose.Fix{Text: fmt.Sprintf("In Git, move %s to the init containers with restartPolicy: Always (a native sidecar, which stops when the Job finishes)", strings.Join(names, ", ")), Patch: native}
}
