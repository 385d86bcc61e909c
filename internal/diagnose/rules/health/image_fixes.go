package health

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

func correctionSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return imageSteps(s, image, "Correct the image in Git, or push it to the registry")
}

func nameSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Correct the image reference in Git", Patch: s.PatchContainer("image: REGISTRY/REPOSITORY:TAG   # now " + cmp.Or(image, "unknown"))}}
}

func policySteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return imageSteps(s, image, "Use an image that the nodes have, or set imagePullPolicy: IfNotPresent in Git")
}

func platformSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return imageSteps(s, image, "Build and push the image for this platform, or use one that supports it")
}

func imageSteps(s *unhealthy.Resource, image, said string) []diagnose.Fix {
	return []diagnose.Fix{{Text: said, Patch: s.PatchContainer("image: " + cmp.Or(repositoryOf(image), "REPOSITORY") + ":TAG   # now " + cmp.Or(image, "unknown"))}}
}

func credentialSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{
		{
			Text:    "If the image name is right, create pull credentials in the namespace",
			Command: diagnose.Shell("kubectl %screate secret docker-registry pull-credentials --docker-server=%s --docker-username=USER --docker-password=TOKEN", advice.InNamespace(s.Target()), registryOf(image)),
		},
		{Text: "Reference them in the pod template in Git", Patch: "spec:\n  template:\n    spec:\n      imagePullSecrets:\n      - name: pull-credentials\n"},
	}
}

func rateLimitSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	credentials := credentialSteps(s, image)
	credentials[0].Text = "Or pull with an account that has a higher limit: create its credentials in the namespace"
	return append([]diagnose.Fix{{Text: "Wait until the rate limit resets, or pull through your own mirror"}}, credentials...)
}

func reachSteps(_ *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Make sure that the nodes can reach and trust " + registryHost(image) + " (DNS, proxy, CA certificates)"}}
}

func unpackSteps(s *unhealthy.Resource, _ string) []diagnose.Fix {
	node := s.Object.Text("spec", "nodeName")
	fix := diagnose.Fix{Text: "Free disk space on the node, or rebuild the image if its layers are damaged"}
	if node != "" {
		fix.Command = diagnose.Shell("kubectl describe node %s", node)
	}
	return []diagnose.Fix{fix}
}

// registryHost is the registry of an image as people call it.
func registryHost(image string) string {
	return strings.TrimSuffix(strings.TrimPrefix(registryOf(image), "https://"), "/v1/")
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
