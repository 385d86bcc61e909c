package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ImagePull = &diagnose.Rule{
	ID:    "health/image-pull",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Image cannot be pulled",
		What:     "The pod waits for an image that the node cannot pull. The registry's answer says what to do: the tag or repository does not exist, the credentials are missing or wrong, a rate limit was hit, or the registry cannot be reached.",
		Decisive: "ErrImagePull, ImagePullBackOff or InvalidImageName of a container, and the registry's answer in its message or in the event Failed.",
		Example:  "Failed to pull image \"ghcr.io/acme/web:1.4.0\": failed to resolve reference \"ghcr.io/acme/web:1.4.0\": ghcr.io/acme/web:1.4.0: not found",
		Fix:      "Correct the image in Git or push it, or add pull credentials to the namespace.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.ImagePull}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		image := s.ContainerSpec().Text("image")
		if image == "" && s.Pod != nil && len(s.Pod.Images) == 1 {
			image = s.Pod.Images[0]
		}
		answer := registryAnswer(a)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s", s.Ref, answer.title),
			Why:        text.Paragraph(fmt.Sprintf("%s needs %s for %s.", s.PodName(), cmp.Or(image, "an image"), a.Subject()), answer.why),
			Fix:        answer.fix(s, image),
		}
		if look := s.Describe("Show the pod's events with the registry's answer"); !slices.Contains(f.Fix, look) {
			f.Fix = append(f.Fix, look)
		}
		if secret := missingPullSecret(s); secret != "" {
			f.Title = fmt.Sprintf("%s: pull secret %s is missing", s.Ref, secret)
			f.Why += fmt.Sprintf(" The pod refers to pull secret %s, which does not exist in namespace %s.", secret, s.Target().Namespace)
			f.Fix[0] = orMisnamed(in, s, &f, evidence.Ref{Kind: "Secret", Namespace: s.Target().Namespace, Name: secret}, f.Fix[0])
		}
		if short := shortImage(image); answer.title == imageNotFound && short != "" {
			f.Title = fmt.Sprintf("%s: image %s not found", s.Ref, short)
		}
		if _, digest, ok := strings.Cut(image, "@"); ok && answer.title == imageNotFound {
			f.Title = fmt.Sprintf("%s: image digest not found", s.Ref)
			f.Why = strings.Replace(f.Why, "this repository or tag", "the digest "+text.Clip(digest, shortDigest)+", or not this repository", 1)
		}
		if answer.quoted {
			f.Says = pullError(a.Text, image)
		}
		return s.AfterFix(f), true
	}),
}

// pullSecrets is how the kubelet says which pull secrets of a pod it does not find.
var pullSecrets = pattern.MustCompile(`^Unable to retrieve some image pull secrets \(([^),]+)`)

// missingPullSecret is a pull secret that the pod names and its namespace has not, where the registry refuses the pull.
func missingPullSecret(s *unhealthy.Resource) string {
	e := pods.LastEvent(s.Events, "FailedToRetrieveImagePullSecret")
	if e == nil || registryAnswer(&s.Symptom).title != pullDenied {
		return ""
	}
	m := pullSecrets.FindStringSubmatch(e.Message)
	if m == nil {
		return ""
	}
	return m[1]
}

// pullError quotes what the pull failed with, unless that only repeats that the image was not found.
func pullError(said, image string) diagnose.Said {
	out := says("The pull failed with", said)
	if image != "" {
		for _, prefix := range []string{"", "docker.io/", "docker.io/library/"} {
			out.Text = strings.TrimPrefix(out.Text, prefix+image+": ")
		}
	}
	if words := strings.Fields(out.Text); len(words) <= 2 || strings.HasPrefix(out.Text, "Back-off pulling image") {
		return diagnose.Said{}
	}
	return out
}

// shortImage is the name and tag of an image; "" where that is too long for a title.
func shortImage(image string) string {
	image, digest, _ := strings.Cut(image, "@")
	short := image[strings.LastIndexByte(image, '/')+1:]
	if digest != "" || len(short) > maxShortImage {
		return ""
	}
	return short
}

// shortDigest is how much of a digest tells it from others: that of "sha256:" and twelve digits.
const shortDigest = 19

// maxShortImage is how long the name of an image may be in a title.
const maxShortImage = 32
