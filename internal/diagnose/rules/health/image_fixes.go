package health

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

func correctionSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Correct the image in Git, or push what it names", Patch: s.PatchContainer("image: " + cmp.Or(repositoryOf(image), "REPOSITORY") + ":TAG   # now " + cmp.Or(image, "not known"))}}
}

func credentialSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{
		{
			Text:    "If the name is right, give the namespace credentials for the registry",
			Command: diagnose.Shell("kubectl %screate secret docker-registry pull-credentials --docker-server=%s --docker-username=USER --docker-password=TOKEN", advice.InNamespace(s.Target()), registryOf(image)),
		},
		{Text: "And name them in the pod's template, in Git", Patch: "spec:\n  template:\n    spec:\n      imagePullSecrets:\n      - name: pull-credentials\n"},
	}
}

func rateLimitSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return append([]diagnose.Fix{{Text: "Wait until the limit is renewed, or pull through a mirror of your own"}}, credentialSteps(s, image)...)
}

func reachSteps(_ *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Make " + registryOf(image) + " reachable and trusted from the nodes (DNS, proxy, CA, disk), or use a registry that is"}}
}

// registryOf is the host of an image; Docker Hub where it names none.
func registryOf(image string) string {
	host, _, ok := strings.Cut(image, "/")
	if ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	if image == "" {
		return "REGISTRY"
	}
	return "https://index.docker.io/v1/"
}

// repositoryOf is an image without its tag and digest.
func repositoryOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	return image
}
