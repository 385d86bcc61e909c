package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// peerOf is the resource of the application whose name a line uses as a host; nil where there is none. A Service comes before the
// workload behind it.
func peerOf(in *diagnose.In, line string) *evidence.ResourceStatus {
	for _, kind := range []string{"Service", "StatefulSet", "Deployment"} {
		for i := range in.App().Status.Resources {
			r := &in.App().Status.Resources[i]
			if r.Kind == kind && !r.Hook && message.NamesHost(line, r.Name) {
				return r
			}
		}
	}
	return nil
}

// waitsForHost reports whether a line is of a loop that waits until something answers: no error, and no end either.
func waitsForHost(line string) bool {
	return message.HasAny(strings.ToLower(line), "waiting for ", "waiting until ", "is not ready", "not ready yet", "is unavailable - sleeping", "still waiting", "timeout occurred after waiting", " - no response")
}

// isMissing reports whether a resource of the application is known not to be in the cluster.
func (h *run) isMissing(r *evidence.ResourceStatus) bool {
	if r.Health != nil {
		return r.Health.Status == "Missing"
	}
	return r.Status == "OutOfSync" && h.inTree && h.tree.Find(r.Ref()) == nil
}

// unwellPeer is the part of this application that the hook cannot reach, and the workload behind it that is not healthy; nil where
// there is none.
func (h *run) unwellPeer(in *diagnose.In) (peer, workload *evidence.ResourceStatus) {
	line, names := h.lastWords()
	if (!names || !message.CannotReach(line)) && !waitsForHost(line) {
		return nil, nil
	}
	r := peerOf(in, line)
	if r == nil {
		return nil, nil
	}
	all := in.App().Status.Resources
	for i := range all {
		w := &all[i]
		if w.Kind != "StatefulSet" && w.Kind != "Deployment" || w.Health == nil || !strings.HasPrefix(w.Name, r.Name) && !strings.HasPrefix(r.Name, w.Name) {
			continue
		}
		switch w.Health.Status {
		case "Degraded", "Progressing", "Missing":
			return r, w
		}
	}
	return nil, nil
}

// peer says how the part of this application is that the hook cannot reach; empty where it is none, or nothing is wrong with it.
func (h *run) peer(in *diagnose.In) string {
	r, w := h.unwellPeer(in)
	if r == nil {
		return ""
	}
	return fmt.Sprintf("It cannot reach %s of this application, and %s is %s.", r.Ref(), w.Ref(), w.Health.Status)
}

// peerSteps are the steps that get that part well.
func (h *run) peerSteps(in *diagnose.In) []diagnose.Fix {
	_, w := h.unwellPeer(in)
	if w == nil || w.Health.Status == "Missing" {
		return nil
	}
	return []diagnose.Fix{{Text: fmt.Sprintf("Get %s healthy first: check its status and events", w.Ref()), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(w.Ref()), w.Ref().Resource())}}
}
