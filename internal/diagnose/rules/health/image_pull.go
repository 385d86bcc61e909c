package health

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
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
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
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
			Fix:        append(answer.fix(s, image), s.Describe("Show the pod's events with the registry's answer")),
		}
		if secret := missingPullSecret(s); secret != "" {
			f.Title = fmt.Sprintf("%s: pull secret %s is missing", s.Ref, secret)
			f.Why += fmt.Sprintf(" The pod refers to pull secret %s, which does not exist in namespace %s.", secret, s.Target().Namespace)
		}
		if short := shortImage(image); answer.title == imageNotFound && short != "" {
			f.Title = fmt.Sprintf("%s: image %s not found", s.Ref, short)
		}
		if answer.quoted {
			f.Says = pullError(a.Text, image)
		}
		return s.AfterFix(f), true
	}),
}

// pullSecrets is how the kubelet says which pull secrets of a pod it does not find.
var pullSecrets = regexp.MustCompile(`^Unable to retrieve some image pull secrets \(([^),]+)`)

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

// imageNotFound is the title where the registry does not have the image, pullDenied where it does not hand it out.
const (
	imageNotFound = "image not found"
	pullDenied    = "registry denies the image pull"
)

// shortImage is the name and tag of an image; "" where that is too long for a title.
func shortImage(image string) string {
	image, digest, _ := strings.Cut(image, "@")
	short := image[strings.LastIndexByte(image, '/')+1:]
	if digest != "" || len(short) > maxShortImage {
		return ""
	}
	return short
}

// maxShortImage is how long the name of an image may be in a title.
const maxShortImage = 32

// pullFailure is what a registry's answer means.
type pullFailure struct {
	title, why string
	// quoted: the registry's own words belong to it.
	quoted bool
	fix    func(s *unhealthy.Resource, image string) []diagnose.Fix
}

// imageNames are names, URLs and digests in a registry's answer: a repository may be called credentials-429.
var imageNames = regexp.MustCompile(`"[^"]*"|sha256:[0-9a-f]+|\S+/\S+`)

func registryAnswer(a *pods.Symptom) pullFailure {
	lower := imageNames.ReplaceAllString(strings.ToLower(a.Text), " ")
	switch {
	case a.Reason == "InvalidImageName", strings.Contains(lower, "invalid reference format"), strings.Contains(lower, "couldn't parse image"):
		return pullFailure{"invalid image name", "Kubernetes cannot read that as registry/repository:tag.", true, nameSteps}
	case a.Reason == "ErrImageNeverPull":
		return pullFailure{"image is not on the node", "Its imagePullPolicy is Never, so the node does not pull it.", false, policySteps}
	case message.HasAny(lower, "toomanyrequests", "too many requests", "rate limit", "429"):
		return pullFailure{"registry rate limit reached", "The registry refuses further pulls for now.", false, rateLimitSteps}
	case message.HasAny(lower, "no match for platform", "no matching manifest", "no image found in image index", "no image found in manifest list", "no matching platform"):
		return pullFailure{"image lacks the node's architecture", "The image exists, but was not built for this platform.", true, platformSteps}
	case message.HasAny(lower, "unauthorized", "authentication required", "authorization failed", "no basic auth", "403 forbidden", "access denied", "access forbidden", "denied:", "permission denied", "insufficient_scope", "401", "authorization token has expired", "credential", "failed to authorize", "failed to fetch anonymous token", "failed to fetch oauth token"):
		return pullFailure{pullDenied, "Credentials are missing, wrong, or do not cover this repository. Many registries also answer like this if the repository does not exist.", true, credentialSteps}
	case message.HasAny(lower, "not found", "manifest unknown", "name unknown", "does not exist", "404"):
		return pullFailure{imageNotFound, "The registry does not have this repository or tag.", true, correctionSteps}
	case message.HasAny(lower, "server gave http response to https client"):
		return pullFailure{"registry answers HTTP, not HTTPS", "The node asks for TLS, and the registry does not offer it on that port.", true, plainHTTPSteps}
	case message.HasAny(lower, "x509", "tls:", "certificate") && !strings.Contains(lower, "handshake timeout"):
		return pullFailure{"registry certificate not trusted", "The node does not trust the registry's TLS certificate.", true, trustSteps}
	case message.HasAny(lower, "schema 1 image", "mediatype", "unsupported manifest", "v1+prettyjws"):
		return pullFailure{"image has a format that is not supported", "The node's container runtime cannot read the image's manifest.", true, formatSteps}
	case message.HasAny(lower, "no such host", "i/o timeout", "connection refused", "deadline exceeded", "network is unreachable", "connection reset", "timeout", "server misbehaving", "tls handshake", "no route to host", "eof"):
		return pullFailure{"registry cannot be reached", "The node cannot connect to the registry.", true, reachSteps}
	case message.HasAny(lower, "no space left"):
		return pullFailure{"disk of the node is full", "The node cannot store the image.", true, fullDiskSteps}
	case message.HasAny(lower, "failed to extract", "error unpacking"):
		return pullFailure{"node cannot unpack the image", "The image was downloaded, but the node could not store it.", true, unpackSteps}
	}
	if pullError(a.Text, "").Text == "" {
		return pullFailure{"image cannot be pulled", "The registry's answer is not in the evidence.", false, correctionSteps}
	}
	return pullFailure{"image cannot be pulled", "", true, correctionSteps}
}
