package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// tokenRefused is how clients of Kubernetes say that the API server does not know their token.
var tokenRefused = pattern.MustCompile(`: Unauthorized$|the server has asked for the client to provide credentials|You must be logged in to the server`)

// tokenSteps are the steps for a hook whose token the API server refuses. A ServiceAccount that is a hook itself is deleted and created
// again with each sync, and its old tokens are worth nothing then.
func (h *run) tokenSteps(in *diagnose.In) []diagnose.Fix {
	line, names := h.lastWords()
	if !names || !tokenRefused.MatchString(line) {
		return nil
	}
	name := cmp.Or(h.job.Text("spec", "template", "spec", "serviceAccountName"), h.pod.Text("spec", "serviceAccountName"))
	for _, r := range in.App().CurrentOperation().Results() {
		if r.Kind == "ServiceAccount" && r.HookType == h.task.HookType && (name == "" || r.Name == name) {
			return []diagnose.Fix{{
				Text: fmt.Sprintf("In Git, give ServiceAccount/%s a lower helm.sh/hook-weight (or sync-wave) than the %s. As a hook of the same wave it is deleted and created again with it, and the API server refuses a token of the old one", r.Name, h.ref.Kind),
			}}
		}
	}
	return nil
}
