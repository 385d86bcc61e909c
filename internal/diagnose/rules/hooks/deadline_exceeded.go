package hooks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var DeadlineExceeded = &diagnose.Rule{
	ID:    "hook/deadline-exceeded",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "The hook ran longer than its deadline",
		What:     "Kubernetes ended the Job because it ran longer than activeDeadlineSeconds. Either it needs more time or it waits for something.",
		Decisive: "The Job's Failed condition has the reason DeadlineExceeded.",
		Example:  "Job was active longer than specified deadline",
		Fix:      "Find out what it was doing (its log), then raise activeDeadlineSeconds or repair what it waits for.",
	},
	Sync: advice.Pointless("it runs into the same deadline again"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		reason, said := h.jobFailure()
		if reason != "DeadlineExceeded" && !message.HasAny(h.task.Message, "longer than specified deadline", "DeadlineExceeded") {
			return diagnose.Finding{}, false
		}
		after := ""
		if s, ok := h.deadline(); ok {
			after = fmt.Sprintf(" of %d s", s)
		}
		doing := ""
		if line := h.decisive(); line != "" {
			doing = " The last that its log says about it: " + text.Sentence(line)
		}
		fix, offers := h.deleteJob("it failed and is in the way of the next one")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s %s ran longer than its deadline%s", h.phaseName(), h.ref, after),
			Why:        fmt.Sprintf("%s was ended because it ran longer than its activeDeadlineSeconds%s: %s%s", h.ref, after, text.Sentence(cmp.Or(said, h.task.Message)), doing),
			Evidence:   h.logQuote(),
			Fix: slices.Concat([]diagnose.Fix{
				h.readLog(),
				{Text: "If it only needs more time, give it more", Patch: "spec:\n  activeDeadlineSeconds: 1800\n"},
			}, fix, []diagnose.Fix{advice.ThenSync(in)}),
			Offers: offers,
		}, true
	}),
}
