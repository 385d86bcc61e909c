package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
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
		if !ok || !w.PullsImage() {
			return diagnose.Finding{}, false
		}
		if strings.HasPrefix(w.Text, "Back-off") && !strings.Contains(w.Text, ": ") { // older kubelets give the registry's answer in an event only
			if e := lastFailedPull(h.events); e != nil {
				w.Text, w.From = e.Message, pods.EventName(e)
			}
		}
		image := imageNamed(w.Text)
		if image == "" {
			image = pods.ImageOf(h.pod, w.Container)
		}
		if image == "" && h.podNode != nil && len(h.podNode.Images) > 0 {
			image = h.podNode.Images[0]
		}
		title, named := h.titled("cannot pull its image")
		quote := pods.Symptom{Reason: w.Reason, Text: w.Text}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Why:        text.Paragraph(named, "Its pod cannot start without "+cmp.Or(image, "it")+"."),
			Evidence:   []diagnose.Quote{{From: w.From, Text: quote.Quote()}},
			Fix: []diagnose.Fix{
				pullStep(in, w.Text, image, h.pod.Text("spec", "nodeName")),
				{Text: "Show the full error", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(h.podNode.Ref()), h.podNode.Ref().Resource())},
			},
		}
		if answer := pods.Unwrap(w.Text); answer != "" && !strings.HasPrefix(answer, "Back-off") {
			f.Says = diagnose.Said{Who: "Kubernetes says", Text: answer}
		}
		return h.withRetry(in, f), true
	}),
}

// lastFailedPull is the last event that has the answer of the registry; nil where none has.
func lastFailedPull(events []evidence.Event) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Reason == "Failed" && strings.HasPrefix(e.Message, "Failed to pull image") {
			return e
		}
	}
	return nil
}

// pulled is how the kubelet names the image: "Back-off pulling image …", "Failed to pull image …".
var pulled = pattern.MustCompile(`(?:pulling|pull) image "([^"]+)"`)

// imageNamed is the image that a text of the kubelet names; empty where it names none.
func imageNamed(said string) string {
	if m := pulled.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// missingImage is what to do about an image that its registry does not have.
func missingImage(in *diagnose.In, image string) string {
	where := "in Git"
	if fromChart(in) {
		where = "in the values of the chart"
	}
	name := strings.TrimPrefix(strings.TrimPrefix(image, "docker.io/"), "registry-1.docker.io/")
	switch {
	case strings.HasPrefix(name, "bitnami/"):
		repository, _, _ := strings.Cut(name, ":")
		return fmt.Sprintf("Bitnami has removed most of its images from docker.io/bitnami: %s, set another image, a newer chart or, for the time being, %s", where, strings.Replace(repository, "bitnami/", "docker.io/bitnamilegacy/", 1))
	case where != "in Git":
		return "Set an image that exists in the values of the chart, or use a version of the chart whose image was published. Some charts have a value that turns the hook off"
	case isPublic(name):
		return "Correct the image's name or tag in Git"
	}
	return "Correct the image's name or tag in Git, or push the missing tag"
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

// isPublic reports whether an image lies where only its makers can push it.
func isPublic(name string) bool {
	registry, rest, ok := strings.Cut(name, "/")
	return !ok || registry == "registry.k8s.io" || registry == "library" || registry == "mcr.microsoft.com" || strings.HasPrefix(rest, "library/")
}
