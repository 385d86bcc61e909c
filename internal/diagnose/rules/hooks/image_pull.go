package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ImagePull = &diagnose.Rule{
	ID:    "hook/image-pull",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Hook cannot pull its image",
		What:     "The hook's pod cannot start because its image cannot be pulled: a typo, a tag that was never pushed, missing pull credentials, or a rate limit.",
		Decisive: "The hook's pod is in ErrImagePull or ImagePullBackOff.",
		Example:  "Back-off pulling image \"registry.example.com/migrate:1.0-typo\"",
		Fix:      "Correct the image in Git, push the missing tag, or add pull credentials.",
	},
	Sync: advice.Pointless("the hook's pod cannot start without its image"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		w, ok := pods.WaitOf(h.podNode, h.pod, h.events)
		if !ok || !w.PullsImage() || h.cause == nil {
			return diagnose.Finding{}, false
		}
		f := h.taken(in)
		if fromChart(in) && message.HasAny(strings.ToLower(w.Text), "not found", "manifest unknown") {
			f.Fix = slices.Insert(f.Fix, 1, diagnose.Fix{Text: "Or use a version of the chart whose image exists; many charts have a value that turns such a hook off"})
		}
		return h.withRetry(in, f), true
	}),
}

// fromChart reports whether the application is made of a chart out of a chart repository, which is somebody else's as a rule.
func fromChart(in *diagnose.In) bool {
	spec := &in.App().Spec
	return spec.Source != nil && spec.Source.Chart != "" || slices.ContainsFunc(spec.Sources, func(s evidence.ApplicationSource) bool { return s.Chart != "" })
}

// inChart is a step that changes a manifest, where that manifest comes out of a chart repository.
func inChart(in *diagnose.In, step diagnose.Fix) diagnose.Fix {
	if rest, ok := strings.CutPrefix(step.Text, "In Git, "); ok && step.Patch != "" && fromChart(in) {
		step.Text = "In the values of the chart, or with a patch over it, " + rest
	}
	return step
}
