package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

var ImagePull = &diagnose.Rule{
	ID:    "hook/image-pull",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "The hook's image cannot be pulled",
		What:     "The hook's pod waits for an image that the registry does not give: a typo, a tag that was not pushed, missing pull credentials, a rate limit.",
		Decisive: "The hook's pod is in ErrImagePull or ImagePullBackOff.",
		Example:  "Back-off pulling image \"registry.example.com/migrate:1.0-typo\"",
		Fix:      "Correct the image or give the namespace pull credentials.",
	},
	Sync: advice.Pointless("the hook's pod cannot start without its image"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		w, ok := pods.WaitOf(h.podNode, h.pod, h.events)
		if !ok || !w.PullsImage() {
			return diagnose.Finding{}, false
		}
		image := pods.ImageOf(h.pod, w.Container)
		if image == "" && h.podNode != nil && len(h.podNode.Images) > 0 {
			image = h.podNode.Images[0]
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s %s cannot start: its image cannot be pulled", h.phaseName(), h.ref),
			Why:        fmt.Sprintf("Pod/%s of the %s waits for image %s: %s", h.podNode.Name, h.phaseName(), cmp.Or(image, "of its container"), text.Sentence(w.Short())),
			Evidence:   []diagnose.Quote{{From: w.From, Text: w.Short()}},
			Fix: []diagnose.Fix{
				{Text: "See what the registry answers", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(h.podNode.Ref()), h.podNode.Ref().Resource())},
				{Text: "Correct the image in Git, push it, or give the namespace pull credentials"},
			},
		}
		return h.withNextSteps(in, f), true
	}),
}
