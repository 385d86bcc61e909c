package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Ordering = &diagnose.Rule{
	ID:    "hook/ordering",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Hook runs before something it needs",
		What:     "The hook runs in an earlier phase or wave than a resource of the same application that it needs. It works in a cluster where that resource already exists, but never in a fresh one.",
		Decisive: "What the hook's pod is missing is a resource of this application that has not been applied yet.",
		Example:  "Error: configmap \"web-settings\" not found (ConfigMap/web-settings is in the Sync phase, the hook in PreSync)",
		Fix:      "Move the hook to the Sync phase, in a wave after what it needs and before the workloads.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync: advice.Pointless("every sync runs the hook before what it needs"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		needed, quote, confidence := neededLater(in, h)
		if needed == nil {
			return diagnose.Finding{}, false
		}
		title, named := h.titled(fmt.Sprintf("runs before %s exists", needed.Ref()))
		f := diagnose.Finding{
			Confidence: confidence,
			Title:      title,
			Why:        text.Paragraph(named, fmt.Sprintf("It needs the %s, which this application applies %s.", needed.Kind, laterClause(h, needed))),
			Evidence:   []diagnose.Quote{quote},
			Fix: []diagnose.Fix{
				{Text: "In Git, move the hook to the Sync phase, after what it needs and before the workloads in wave 0", Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"-2\"\n---\n# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/sync-wave: \"-1\"\n", needed.Ref(), h.ref)},
			},
		}
		if confidence == diagnose.Likely && len(h.logQuote()) > 0 {
			f.Says = h.logSays() // that it needs it is read in its log
		}
		return h.withNextSteps(in, f), true
	}),
}

// neededLater is the resource of this application that the hook lacks: named by Kubernetes, or the host that its log
// cannot reach.
func neededLater(in *diagnose.In, h *run) (*evidence.ResourceStatus, diagnose.Quote, diagnose.Confidence) {
	if kind, name, _, quote, ok := h.lackedObject(); ok {
		return laterResource(in, kind, name), quote, diagnose.Certain
	}
	if w, waits := pods.WaitOf(h.podNode, h.pod, h.events); waits && w.Reason == "CreateContainerConfigError" {
		for _, ref := range pods.References(h.pod) {
			if r := laterResource(in, ref.Kind, ref.Name); r != nil {
				return r, diagnose.Quote{From: w.From, Text: fmt.Sprintf("%s; the pod refers to %s", w.Reason, ref)}, diagnose.Likely
			}
		}
	}
	said := h.logQuote()
	if len(said) == 0 {
		return nil, diagnose.Quote{}, ""
	}
	quote, line := said[0], said[0].Text
	if kind, name, _, ok := pods.Missing(line); ok {
		return laterResource(in, kind, name), quote, diagnose.Likely
	}
	f := message.Parse(line)
	if n := f.Network(); n != message.NetworkDNS && n != message.NetworkRefused && n != message.NetworkTimeout && n != message.NetworkUnreachable {
		return nil, diagnose.Quote{}, ""
	}
	for _, kind := range []string{"Service", "StatefulSet", "Deployment"} {
		for i := range in.App().Status.Resources {
			r := &in.App().Status.Resources[i]
			if r.Kind == kind && namesHost(f.Lower(), r.Name) {
				if l := laterResource(in, r.Kind, r.Name); l != nil && l.Health != nil && l.Health.Status == "Missing" {
					return l, quote, diagnose.Likely
				}
			}
		}
	}
	return nil, diagnose.Quote{}, ""
}

// namesHost reports whether a text names a host: the name stands by itself or is followed by a port or a domain.
func namesHost(lower, name string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		before := i == 0 || strings.IndexByte(" \"'(/@=,[", lower[i-1]) >= 0
		after := end == len(lower) || strings.IndexByte(" \"'):.,/]", lower[end]) >= 0
		if before && after {
			return true
		}
		from = end
	}
}

func laterClause(h *run, r *evidence.ResourceStatus) string {
	if r.SyncWave != 0 {
		return fmt.Sprintf("only in wave %d of the Sync phase, after %s", r.SyncWave, cmp.Or(h.task.SyncPhase, h.task.HookType))
	}
	if h.task.HookType == "PreSync" {
		return "in the Sync phase, after PreSync"
	}
	return "later"
}
