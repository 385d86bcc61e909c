package pods

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// wrapping is what the kubelet, containerd and runc put in front of the error that decides, each around the one below it.
var wrapping = []*pattern.Regexp{
	pattern.MustCompile(`^Failed to pull image "[^"]*": `),
	pattern.MustCompile(`^Back-off pulling image "[^"]*": `),
	pattern.MustCompile(`^(?:ErrImagePull|ImagePullBackOff|Error): `),
	pattern.MustCompile(`^rpc error: code = \w+ desc = `),
	pattern.MustCompile(`^(?:failed to pull and unpack image|failed to resolve reference|failed to resolve image|initializing source|reading manifest) "?[^" ]*"?: `),
	pattern.MustCompile(`^(?:failed to copy|httpReadSeeker: failed open|failed to authorize|failed to fetch anonymous token|failed to fetch oauth token): `),
	pattern.MustCompile(`^Error response from daemon: `),
	pattern.MustCompile(`^(?:failed to create|failed to start) (?:containerd task|container "[^"]*"|shim task|shim): `),
	pattern.MustCompile(`^(?:OCI runtime (?:create|start) failed|runc create failed|unable to start container process|error during container init): `),
	pattern.MustCompile(`^container_linux\.go:\d+: starting container process caused: `),
	pattern.MustCompile(`^[Ff]ailed to create pod sandbox: `),
	pattern.MustCompile(`^failed to set ?up network for sandbox "[^"]*": `),
}

// Unwrap leaves of a text of Kubernetes the part that decides, on one line.
func Unwrap(said string) string {
	said = text.OneLine(said)
	for again := true; again; {
		again = false
		for _, w := range wrapping {
			if rest := w.ReplaceAllString(said, ""); rest != said && rest != "" {
				said, again = rest, true
			}
		}
	}
	return strings.TrimSuffix(said, ": unknown")
}
