package rules

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var hookImagePull = &diagnose.Rule{
	ID:    "hook/image-pull",
	Needs: hookNeeds,
	Doc: diagnose.Doc{
		Title:    "The hook's image cannot be pulled",
		What:     "The hook's pod waits for an image that the registry does not give: a typo, a tag that was not pushed, missing pull credentials, a rate limit.",
		Decisive: "The hook's pod is in ErrImagePull or ImagePullBackOff.",
		Example:  "Back-off pulling image \"registry.example.com/migrate:1.0-typo\"",
		Fix:      "Correct the image or give the namespace pull credentials.",
	},
	Sync: pointless("the hook's pod cannot start without its image"),
	Check: aboutHook(func(in *diagnose.In, h *hookRun) (diagnose.Finding, bool) {
		w, ok := waitsFor(h.podNode, h.pod, h.events)
		if !ok || !w.pullsImage() {
			return diagnose.Finding{}, false
		}
		image := imageOf(h.pod, w.container)
		if image == "" && h.podNode != nil && len(h.podNode.Images) > 0 {
			image = h.podNode.Images[0]
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s %s cannot start: its image cannot be pulled", h.phase(), h.ref),
			Why:        fmt.Sprintf("Pod/%s of the %s waits for image %s: %s", h.podNode.Name, h.phase(), cmp.Or(image, "of its container"), sentence(w.short())),
			Evidence:   []diagnose.Quote{{From: w.from, Text: w.short()}},
			Fix: []diagnose.Fix{
				{Text: "See what the registry answers", Command: diagnose.Shell("kubectl %sdescribe %s", inNamespace(h.podNode.Ref()), h.podNode.Ref().Resource())},
				{Text: "Correct the image in Git, push it, or give the namespace pull credentials"},
			},
		}
		return h.waitingStill(in, f), true
	}),
}
