package apply

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// What checks of signatures (Kyverno, the policy controller of Sigstore) say about an image.
var (
	unverified = pattern.MustCompile(`failed to verify image ([^\s:]+(?::\d+/[^\s:]+)?(?::[^\s:]+)?(?:@sha256:[0-9a-f]+)?)`)
	unsigned   = pattern.MustCompile(`(?i)no (?:matching|valid) (?:signatures?|attestations?)|no signatures found|signature mismatch`)
	sigstore   = pattern.MustCompile(`(\S+) signature key(?:less)? validation failed`)
	noDigest   = pattern.MustCompile(`missing digest for (\S+)`)
)

// blameImage says what is wrong with the image where a policy could not verify its signature. Often that is not the signature.
func (d *denial) blameImage() {
	image := ""
	for _, form := range []*pattern.Regexp{unverified, sigstore, noDigest} {
		if m := form.FindStringSubmatch(d.reason); m != nil {
			image = strings.Trim(m[1], `"'`)
			break
		}
	}
	if image == "" {
		return
	}
	f := message.Parse(d.reason)
	lower := strings.ToLower(d.reason)
	switch {
	case noDigest.MatchString(d.reason):
		d.change = fmt.Sprintf("Name the image by its digest in Git (%s@sha256:…), then push", image)
		return
	case message.HasAny(lower, "manifest_unknown", "manifest unknown", "name_unknown", "404 not found"):
		d.title = "its image is not in the registry"
		d.change = fmt.Sprintf("Push and sign %s, or correct the image in Git: its signature cannot be verified because the registry does not have it", image)
		d.exempt, d.show = "Check that the registry has it", diagnose.Shell("docker manifest inspect %s", image)
	case message.HasAny(lower, "unauthorized", "authentication required", "401", "403 forbidden", "denied: "):
		d.title = "the policy cannot read its image"
		d.outsideGit = true
		d.change = fmt.Sprintf("Give the policy engine credentials for the registry of %s: it does not use the pull secret of the pod unless the policy names it", image)
		d.exempt = "This finds the policy (in Kyverno: imageRegistryCredentials of its verifyImages)"
	case f.Network() != message.NetworkOK:
		d.title = "the registry of its image cannot be reached"
		d.outsideGit = true
		d.change = fmt.Sprintf("Let the pods of the policy engine connect to the registry of %s: network policy, proxy, DNS", image)
		d.exempt = "This finds the policy"
	case unsigned.MatchString(d.reason):
		d.title = "its image has no valid signature"
		d.change = fmt.Sprintf("Sign %s with the key or identity that the policy names, or use a signed image in Git", image)
	}
}
