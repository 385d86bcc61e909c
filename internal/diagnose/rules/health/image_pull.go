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
		Title:    "An image cannot be pulled",
		What:     "The pod waits for an image that the registry does not give. What the registry answers tells what to do: the tag or repository is not there, the credentials are missing or wrong, too many pulls, or the registry cannot be reached.",
		Decisive: "ErrImagePull, ImagePullBackOff or InvalidImageName of a container, and the registry's answer in its message or in the event Failed.",
		Example:  "Failed to pull image \"ghcr.io/acme/web:1.4.0\": failed to resolve reference \"ghcr.io/acme/web:1.4.0\": ghcr.io/acme/web:1.4.0: not found",
		Fix:      "Correct the image in Git or push it; or give the namespace pull credentials.",
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
			Title:      fmt.Sprintf("%s: image %s cannot be pulled: %s", s.Ref, cmp.Or(image, "of "+a.Subject()), answer.short),
			Why:        fmt.Sprintf("%s: %s waits for image %s. %s", s.PodName(), a.Subject(), cmp.Or(image, "that it names"), answer.why),
			Fix:        append(answer.fix(s, image), s.Describe("See the registry's answer")),
		}
		if a.Text != "" && answer.quoted {
			f.Why += " " + "It says: " + text.Sentence(text.Clip(pods.Unwrap(a.Text), 2*message.MaxClause))
		}
		return s.AfterFix(f), true
	}),
}

// pullFailure is what a registry's answer means.
type pullFailure struct {
	short, why string
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
		return pullFailure{"its name is not valid", "That is no valid name of an image.", true, correctionSteps}
	case a.Reason == "ErrImageNeverPull":
		return pullFailure{"it may not be pulled", "Its imagePullPolicy is Never, and the node does not have it.", false, correctionSteps}
	case message.HasAny(lower, "toomanyrequests", "too many requests", "rate limit", "429"):
		return pullFailure{"the registry's rate limit is used up", "The registry answers that there were too many pulls.", true, rateLimitSteps}
	case message.HasAny(lower, "no match for platform", "no matching manifest"):
		return pullFailure{"it is not built for this node's architecture", "The image exists, but not for the node's platform.", true, correctionSteps}
	case message.HasAny(lower, "unauthorized", "authentication required", "authorization failed", "no basic auth", "403 forbidden", "access denied", "access forbidden", "denied:", "permission denied", "insufficient_scope", "401", "authorization token has expired", "credential"):
		return pullFailure{"the registry refuses (unauthorized)", "The registry does not let it in: no credentials, wrong ones, or none for this repository. Registries also answer so to hide that a repository does not exist.", true, credentialSteps}
	case message.HasAny(lower, "not found", "manifest unknown", "name unknown", "does not exist", "404"):
		return pullFailure{"the registry does not have it (not found)", "The registry knows no such image or tag.", true, correctionSteps}
	case message.HasAny(lower, "x509", "tls:", "certificate", "server gave http response to https client"):
		return pullFailure{"the registry's certificate is not accepted", "The node does not accept the registry's certificate.", true, reachSteps}
	case message.HasAny(lower, "no such host", "i/o timeout", "connection refused", "deadline exceeded", "network is unreachable", "connection reset", "timeout", "server misbehaving", "tls handshake", "no route to host", "eof"):
		return pullFailure{"the registry cannot be reached", "The node does not reach the registry.", true, reachSteps}
	case message.HasAny(lower, "no space left", "failed to extract", "unpack"):
		return pullFailure{"the node cannot store it", "The image was pulled and the node could not unpack it.", true, reachSteps}
	}
	return pullFailure{cmp.Or(a.Reason, "the pull fails"), "What the registry answered is not in the evidence.", a.Text != "", correctionSteps}
}
