package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// pullStep is what to do about the registry's answer, or about there being none, as far as it is known.
func pullStep(in *diagnose.In, answer, image, node string) diagnose.Fix {
	const secret = "the ServiceAccount of its pod an imagePullSecret"
	f := message.Parse(answer)
	registry := cmp.Or(f.Host(), registryOf(image))
	if m := awsPull.FindStringSubmatch(answer); m != nil { // the nodes log in by themselves, so that no secret helps
		return diagnose.Fix{Text: fmt.Sprintf("Allow %s to %s: in the IAM policy of that role, and in the policy of the repository if it is in another account", m[2], m[1])}
	}
	switch lower := strings.ToLower(answer); {
	case message.HasAny(lower, "toomanyrequests", "too many requests", "rate limit"):
		return diagnose.Fix{Text: "Give " + secret + " with a higher pull limit, or wait until the limit resets"}
	case message.HasAny(lower, "invalid reference format", "couldn't parse image", "invalidimagename"):
		return diagnose.Fix{Text: "Correct the image's name in Git: it is not a valid reference"}
	case message.HasAny(lower, "no matching manifest", "no match for platform"):
		return diagnose.Fix{Text: "Publish the image for the node's CPU architecture, or keep the pod on nodes of one that it has (nodeSelector kubernetes.io/arch)"}
	case message.HasAny(lower, "no space left on device"):
		return diagnose.Fix{Text: fmt.Sprintf("Free disk space on %s, where the image does not fit", nodeName(node))}
	case message.HasAny(lower, "never", "imageneverpull") && strings.Contains(lower, "not present with pull policy"):
		return diagnose.Fix{Text: "In Git, set imagePullPolicy to IfNotPresent: with Never, the image has to be on the node already"}
	case message.HasAny(lower, "does not exist or may require", "does not exist or no pull access", "may not exist or may require"): // the registry does not tell which
		return diagnose.Fix{Text: "Check the image's name: if it is right, the repository is private, so give " + secret + " that can read it; if not, correct it in Git"}
	case message.HasAny(lower, "server gave http response to https client"):
		return diagnose.Fix{Text: fmt.Sprintf("Serve the registry %s over HTTPS, or allow it as an insecure registry in the nodes' container runtime", registry)}
	case message.HasAny(lower, "unauthorized", "authentication required", "no basic auth", "access denied", "denied:", "403 forbidden", "authorization token has expired"):
		return diagnose.Fix{Text: "Give " + secret + " that can read this repository"}
	case message.HasAny(lower, "not found", "manifest unknown", "name unknown"):
		return diagnose.Fix{Text: missingImage(in, image)}
	case f.Network() == message.NetworkTLS && !strings.Contains(lower, "timeout"):
		return diagnose.Fix{Text: fmt.Sprintf("Let the nodes' container runtime trust the certificate of %s, or correct that certificate", registry)}
	case f.Network() == message.NetworkUnavailable, message.HasAny(lower, "unexpected status code 5", "unexpected status from head request", "received unexpected http status: 5"):
		return diagnose.Fix{Text: fmt.Sprintf("Check the registry %s: it answers with an error", registry)}
	case f.Network() != message.NetworkOK, message.HasAny(lower, "deadline exceeded", "request canceled", ": eof"):
		return diagnose.Fix{Text: fmt.Sprintf("Check that %s can reach %s (DNS, firewall, proxy), or use an image from a registry that it can reach", nodeName(node), registry)}
	}
	return diagnose.Fix{Text: "Check that the image exists and that the ServiceAccount of its pod has pull credentials"}
}

// awsPull is how ECR refuses an image to a role.
var awsPull = pattern.MustCompile(`User: (arn:aws[\w-]*:\S+) is not authorized to perform: (ecr:\w+)`)

func nodeName(name string) string {
	if name == "" {
		return "the node"
	}
	return "node " + name
}

// registryOf is the registry of an image, with Docker Hub's own host where the name has none.
func registryOf(image string) string {
	host, _, ok := strings.Cut(image, "/")
	if !ok || !strings.ContainsAny(host, ".:") && host != "localhost" {
		host = ""
	}
	if host == "docker.io" || host == "" && image != "" {
		host = "registry-1.docker.io"
	}
	return cmp.Or(host, "the registry")
}
