package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

func correctionSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	said := "Correct the image in Git, or push it to the registry"
	if public(image) {
		said = "Correct the image in Git: this registry has other tags of it, if any" // only its makers push there
	}
	steps := imageSteps(s, image, said)
	if frozen := strings.TrimPrefix(repositoryOf(image), "k8s.gcr.io/"); frozen != repositoryOf(image) {
		steps[0] = diagnose.Fix{Text: "Use registry.k8s.io, which replaces k8s.gcr.io; if it lacks the tag as well, take a newer one", Patch: s.PatchContainer("image: registry.k8s.io/" + strings.TrimPrefix(image, "k8s.gcr.io/"))}
	}
	if repository := strings.TrimPrefix(repositoryOf(image), "docker.io/"); strings.HasPrefix(repository, "bitnami/") {
		steps[0] = diagnose.Fix{
			Text:  "Use an image that still exists: in 2025 Bitnami moved its versioned images from docker.io/bitnami to docker.io/bitnamilegacy, which gets no updates",
			Patch: s.PatchContainer("image: docker.io/bitnamilegacy/" + strings.TrimPrefix(image[strings.Index(image, "bitnami/"):], "bitnami/")),
		}
	}
	return steps
}

func nameSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Correct the image reference in Git", Patch: s.PatchContainer("image: REGISTRY/REPOSITORY:TAG   # now " + cmp.Or(image, "unknown"))}}
}

func policySteps(s *unhealthy.Resource, _ string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Let the node pull the image, or load the image onto the nodes", Patch: s.PatchContainer("imagePullPolicy: IfNotPresent")}}
}

func platformSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return imageSteps(s, image, "Build and push the image for this platform, or use one that supports it")
}

func imageSteps(s *unhealthy.Resource, image, said string) []diagnose.Fix {
	return []diagnose.Fix{{Text: said, Patch: s.PatchContainer("image: " + cmp.Or(repositoryOf(image), "REPOSITORY") + ":TAG   # now " + cmp.Or(image, "unknown"))}}
}

// credentialSteps is what helps where the registry wants credentials: those that the pod names already, else those of the nodes for a
// cloud's own registry, else new ones.
func credentialSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	if m := awsPull.FindStringSubmatch(s.Symptom.Text); m != nil { // the nodes log in by themselves, so that no secret helps
		return advice.Steps(fmt.Sprintf("Allow %s to %s: in the IAM policy of that role, and in the policy of the repository if it is in another account", m[2], m[1]))
	}
	if account := nodeAccount(registryOf(image)); account != "" && len(pullSecretsOf(s)) == 0 {
		return []diagnose.Fix{{Text: "If the image name is right, allow the nodes to pull it: give their " + account}}
	}
	name, said := "pull-credentials", "If the image name is right, create pull credentials in the namespace"
	if named := pullSecretsOf(s); len(named) > 0 {
		name, said = named[0], fmt.Sprintf("If the image name is right, replace the credentials in Secret/%s, which the pod pulls with", named[0])
		if missingPullSecret(s) != "" {
			said = fmt.Sprintf("Create Secret/%s, or have what manages your secrets create it", name)
		}
	}
	create := diagnose.Shell("kubectl %screate secret docker-registry %s --docker-server=%s --docker-username=USER --docker-password=TOKEN", advice.InNamespace(s.Target()), name, registryOf(image))
	if len(pullSecretsOf(s)) > 0 {
		return []diagnose.Fix{{Text: said, Command: create + " --dry-run=client -o yaml | kubectl apply -f -"}}
	}
	return []diagnose.Fix{{Text: said, Command: create}, {Text: "Reference them in the pod template in Git", Patch: s.PatchPod("imagePullSecrets:", "- name: "+name)}}
}

// awsPull is how ECR refuses an image to a role.
var awsPull = pattern.MustCompile(`User: (arn:aws[\w-]*:\S+) is not authorized to perform: (ecr:\w+)`)

// pullSecretsOf are the pull secrets that the pod names.
func pullSecretsOf(s *unhealthy.Resource) []string {
	var out []string
	for _, r := range s.Object.List("spec", "imagePullSecrets") {
		out = append(out, r.Text("name"))
	}
	return withoutRepeats(out)
}

// nodeAccount is what a cloud's own registry lets nodes pull with; empty for other registries.
func nodeAccount(registry string) string {
	switch {
	case strings.HasSuffix(registry, ".amazonaws.com") && strings.Contains(registry, ".dkr.ecr."):
		return "IAM role ecr:BatchGetImage, ecr:GetDownloadUrlForLayer and ecr:GetAuthorizationToken"
	case strings.HasSuffix(registry, "-docker.pkg.dev"), registry == "gcr.io", strings.HasSuffix(registry, ".gcr.io"):
		return "service account roles/artifactregistry.reader"
	case strings.HasSuffix(registry, ".azurecr.io"):
		return "kubelet identity the role AcrPull"
	}
	return ""
}

func rateLimitSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	credentials := credentialSteps(s, image)
	if len(pullSecretsOf(s)) > 0 {
		return []diagnose.Fix{{Text: fmt.Sprintf("Wait until the rate limit resets, pull through your own mirror, or put an account with a higher limit into Secret/%s", pullSecretsOf(s)[0])}}
	}
	credentials[0].Text = "Or pull with an account that has a higher limit: create its credentials in the namespace"
	return append([]diagnose.Fix{{Text: "Wait until the rate limit resets, or pull through your own mirror"}}, credentials...)
}

// public reports whether an image lies where only its makers can push it.
func public(image string) bool {
	repository := strings.TrimPrefix(repositoryOf(image), "docker.io/")
	return !strings.Contains(repository, "/") || strings.HasPrefix(repository, "library/") || strings.HasPrefix(repository, "registry.k8s.io/") || strings.HasPrefix(repository, "k8s.gcr.io/") || strings.HasPrefix(repository, "mcr.microsoft.com/")
}

// unknownSteps: what the registry answered is not known, and a wrong name is what it most often is.
func unknownSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	correct := imageSteps(s, image, "If it says that the image does not exist, correct it in Git, or push it to the registry")
	return append([]diagnose.Fix{s.Describe("Show the pod's events with the registry's answer")}, correct...)
}

// noSteps: nothing is known but that the pull fails, and the step that shows the events stands behind it.
func noSteps(*unhealthy.Resource, string) []diagnose.Fix { return nil }

func waitSteps(*unhealthy.Resource, string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Wait: the node tries again. If it stays, raise registryPullQPS and registryBurst of its kubelet"}}
}

func signatureSteps(*unhealthy.Resource, string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Use an image that is signed as the nodes require (for CRI-O /etc/containers/policy.json), or correct that policy on the nodes"}}
}

// registrySteps: the name has no registry in front, and the nodes are not set up to guess one.
func registrySteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	if image == "" {
		return nameSteps(s, image)
	}
	full := "docker.io/" + image
	if !strings.Contains(image, "/") {
		full = "docker.io/library/" + image
	}
	return []diagnose.Fix{{Text: "Write the registry in front of the image in Git; for an image of Docker Hub", Patch: s.PatchContainer("image: " + full)}}
}

// peerOfPull is the host that the node asked: a mirror or the storage behind a registry can be another than the image names.
func peerOfPull(s *unhealthy.Resource, image string) string {
	f := message.Parse(s.Symptom.Text)
	return cmp.Or(f.Host(), registryHost(image))
}

func reachSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	said := "Make sure that the nodes can reach " + peerOfPull(s, image) + " (firewall, routes, proxy)"
	if peerOfPull(s, image) == registryHost(image) && registryOf(image) != dockerHub {
		said += ", and that the registry's name in Git is right"
	}
	return []diagnose.Fix{{Text: said}}
}

func brokenSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Check what is between the nodes and " + peerOfPull(s, image) + " (proxy, firewall, a slow line); the node tries again by itself"}}
}

func serverSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Check the status or the log of " + peerOfPull(s, image) + " and of the storage behind it; the node tries again by itself"}}
}

func resolveSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	host := peerOfPull(s, image)
	if strings.Contains(host, ".svc") {
		return []diagnose.Fix{{Text: "Give the registry a name that the nodes can resolve, such as that of an Ingress: nodes do not use the cluster's DNS, so they do not know the Service " + host}}
	}
	return []diagnose.Fix{{Text: "Correct the registry's name in Git, or make the DNS of the nodes resolve " + host}}
}

// viaProxy is how Go says which proxy it could not connect to.
var viaProxy = pattern.MustCompile(`proxyconnect tcp: dial tcp (?:lookup )?([^\s:]+(?::\d+)?)`)

func proxySteps(s *unhealthy.Resource, _ string) []diagnose.Fix {
	name := "the proxy"
	if m := viaProxy.FindStringSubmatch(s.Symptom.Text); m != nil {
		name = "the proxy " + m[1]
	}
	return []diagnose.Fix{{Text: "Make " + name + " reachable from the nodes, or correct HTTPS_PROXY of their container runtime"}}
}

func expiredSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Renew the certificate of " + peerOfPull(s, image) + "; if it is valid now, correct the clock of the node"}}
}

func certificateNameSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Use the name in Git that the certificate is for, or give " + peerOfPull(s, image) + " a certificate with this name or address (as subject alternative name)"}}
}

func plainHTTPSteps(_ *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Serve the registry with TLS, or configure " + registryHost(image) + " on every node as a registry without it (for containerd in /etc/containerd/certs.d/" + registryHost(image) + "/hosts.toml)"}}
}

func trustSteps(_ *unhealthy.Resource, image string) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Install the CA certificate of " + registryHost(image) + " on every node (for containerd in /etc/containerd/certs.d/" + registryHost(image) + "/)"}}
}

func formatSteps(s *unhealthy.Resource, image string) []diagnose.Fix {
	return imageSteps(s, image, "Rebuild the image with a current tool and push it, or use a newer tag")
}

func unpackSteps(s *unhealthy.Resource, _ string) []diagnose.Fix {
	return onItsNode(s, "Rebuild the image if its layers are damaged, or check the disk and the container runtime of the node")
}

func fullDiskSteps(s *unhealthy.Resource, _ string) []diagnose.Fix {
	return onItsNode(s, "Free disk space on the node, or give the nodes larger disks")
}

// onItsNode is a step with the command that shows the pod's node, where that is known.
func onItsNode(s *unhealthy.Resource, said string) []diagnose.Fix {
	fix := diagnose.Fix{Text: said}
	if node := s.Object.Text("spec", "nodeName"); node != "" {
		fix.Command = diagnose.Shell("kubectl describe node %s", node)
	}
	return []diagnose.Fix{fix}
}

// dockerHub is how Docker Hub is called in credentials.
const dockerHub = "https://index.docker.io/v1/"

// registryHost is the registry of an image as people call it.
func registryHost(image string) string {
	if of := registryOf(image); of != dockerHub {
		return of
	}
	return "docker.io"
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
	return dockerHub
}

// repositoryOf is an image without its tag and digest.
func repositoryOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	return image
}
