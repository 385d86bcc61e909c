package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// goBack is the step back to what worked, for a failure of which no repair is known: to the image that the application still runs, or to
// the revision that was deployed last. None where neither is known to differ.
func (h *run) goBack(in *diagnose.In) []diagnose.Fix {
	if h.kubernetesSays() != "" {
		return nil
	}
	if now, before := h.image(), h.imageBefore(); before != "" {
		return []diagnose.Fix{{Text: fmt.Sprintf("If the new image is at fault, go back in Git to %s, which is still running (now %s)", before, now)}}
	}
	app := in.App()
	last, op := app.LastDeployment(), app.CurrentOperation()
	if last == nil || last.At() == "" || op.Revision() == "" || last.At() == op.Revision() {
		return nil
	}
	was, _ := evidence.Differing(last.At(), op.Revision())
	return []diagnose.Fix{{Text: fmt.Sprintf("If the change is at fault, go back in Git to %s, the last whose sync succeeded", text.Revision(was))}}
}

// image is what the hook's container runs, the one that failed.
func (h *run) image() string {
	pod := h.pod
	if len(pods.ContainerSpecs(pod)) == 0 {
		template, _ := h.job.At("spec", "template").(map[string]any)
		pod = evidence.Object(template)
	}
	name := ""
	if h.podNode != nil {
		name = pods.FailedContainer(h.podNode)
	}
	return pods.ImageOf(pod, cmp.Or(name, h.log.Container))
}

// imageBefore is the other version of the hook's image that the application runs; empty where there is none, or more than one.
func (h *run) imageBefore() string {
	image := h.image()
	var out []string
	if h.task.HookType != "PreSync" || image == "" || !h.inTree {
		return ""
	}
	for i := range h.tree.Nodes {
		n := &h.tree.Nodes[i]
		if n.Kind != "Pod" || n.HealthStatus() != "Healthy" {
			continue
		}
		for _, other := range n.Images {
			if other != image && repositoryOf(other) == repositoryOf(image) && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}

// repositoryOf is an image without its tag and digest. A colon before a slash is a port.
func repositoryOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		image = image[:i]
	}
	return image
}
