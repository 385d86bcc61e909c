package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var OOMKilled = &diagnose.Rule{
	ID:    "health/oom-killed",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Container ran out of memory",
		What:     "A container used more memory than its limit, and the kernel killed it. Its log ends without an error, because the process gets no warning.",
		Decisive: "The container ended with reason OOMKilled (exit code 137).",
		Example:  "lastState: terminated: {exitCode: 137, reason: OOMKilled}",
		Fix:      "Raise the memory limit in Git, or find what uses the memory.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.OutOfMemory}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		limit := s.ContainerSpec().Text("resources", "limits", "memory")
		why, raise := "The kernel killed it (OOMKilled).", cmp.Or(advice.DoubleQuantity(limit), "1Gi")
		switch {
		case limit != "":
			why = fmt.Sprintf("It used more than its limit of %s, so the kernel killed it (OOMKilled).", limit)
		case s.Object != nil:
			why = "The kernel killed it (OOMKilled). It has no memory limit, so most likely the node ran out of memory."
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s ran out of memory", s.Ref, s.Container()),
			Why:        text.Paragraph(why, s.Restarts()),
			Fix: []diagnose.Fix{
				{Text: "Raise its memory request and limit in Git, or reduce its memory use", Patch: s.PatchContainer("resources:", "  requests:", "    memory: "+raise+"   # at least what it normally uses", "  limits:", "    memory: "+raise+message.After("   # now ", limit))},
				{Text: "Show its memory use while it runs", Command: diagnose.Shell("kubectl %stop pod %s --containers", advice.InNamespace(s.Target()), s.Target().Name)},
			},
		}
		if limit != "" {
			f.Terse = "Container exceeds its memory limit of " + limit
		}
		if s.Object != nil && limit == "" {
			f.Fix[0] = diagnose.Fix{Text: "Set a memory request in Git, so it is scheduled on a node with enough memory", Patch: s.PatchContainer("resources:", "  requests:", "    memory: "+raise+"   # at least what it normally uses")}
		}
		return s.AfterFix(f), true
	}),
}
