package hooks

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var DeadlineExceeded = &diagnose.Rule{
	ID:      "hook/deadline-exceeded",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideEvent},
	Doc: diagnose.Doc{
		Title:    "Hook exceeded its deadline",
		What:     "Kubernetes stopped the Job because it ran longer than its activeDeadlineSeconds. Either it needs more time, or it was waiting for something.",
		Decisive: "The Job's Failed condition has the reason DeadlineExceeded.",
		Example:  "Job was active longer than specified deadline",
		Fix:      "Read its log to find out what it was doing. Then raise activeDeadlineSeconds, or fix what it was waiting for.",
	},
	Sync: advice.Pointless("the hook will run into the same deadline again"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		if h.jobFailure() != "DeadlineExceeded" && !message.HasAny(h.task.Message, "longer than specified deadline", "DeadlineExceeded") {
			return diagnose.Finding{}, false
		}
		what, limit := "exceeded its deadline", 1800
		if s, ok := h.deadline(); ok {
			what += fmt.Sprintf(" of %s s", text.Number(s))
			limit = max(limit, 2*s)
		}
		title, named := h.titled(what)
		fix, offers := h.deleteHook("failed", "it failed, and the next sync would be judged by it")
		because := "Either it needs more time, or it was waiting for something."
		steps := slices.Concat(h.wayOut(in), []diagnose.Fix{h.readLogStep(), {Text: "If it only needs more time, raise the deadline in Git", Patch: fmt.Sprintf("spec:\n  activeDeadlineSeconds: %d\n", limit)}})
		if sidecars := h.injected(); len(sidecars) > 0 {
			because = fmt.Sprintf("Its pod also ran %s, which was injected. Unless that is a native sidecar, it does not end by itself, and the Job cannot complete.", text.List(sidecars, 3))
			steps = []diagnose.Fix{endSidecars(sidecars), h.readLogStep()}
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Why:        text.Paragraph(named, "Kubernetes stopped it when activeDeadlineSeconds ran out.", because, h.silentLog(), h.stumbleMeans()),
			Says:       h.logSays(),
			Evidence:   h.logQuote(),
			Fix:        slices.Concat(steps, fix, again(in, "Sync the application")),
			Offers:     offers,
		}, true
	}),
}
