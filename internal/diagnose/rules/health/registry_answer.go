package health

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// imageNotFound is the title where the registry does not have the image, pullDenied where it does not hand it out, formatUnknown where
// the node cannot read it.
const (
	imageNotFound = "image not found"
	pullDenied    = "registry denies the image pull"
	formatUnknown = "image has a format that is not supported"
)

// pullFailure is what a registry's answer means.
type pullFailure struct {
	title, why string
	// quoted: the registry's own words belong to it.
	quoted bool
	fix    func(s *unhealthy.Resource, image string) []diagnose.Fix
}

var (
	// imageNames are names, URLs and digests in a registry's answer: a repository may be called credentials-429.
	imageNames = pattern.MustCompile(`"[^"]*"|sha256:[0-9a-f]+|\S+/\S+`)
	// serverError is a status with which a server says that it is at fault itself, not who asks.
	serverError = pattern.MustCompile(`: 50[0234] |\b50[0234] (?:internal server error|bad gateway|service unavailable|gateway time-?out)|received unexpected http status: 50`)
	// registryUnresolved is how Go says that a name has no address.
	registryUnresolved = pattern.MustCompile(`no such host|server misbehaving|temporary failure in name resolution|lookup .* (?:i/o timeout|connection refused)`)
	oldMedia           = pattern.MustCompile(`v1\+prettyjws|schema 1 image|docker image format v1|mediatype|media ?type|unsupported manifest`)
)

func registryAnswer(a *pods.Symptom) pullFailure {
	all := strings.ToLower(a.Text)
	lower := imageNames.ReplaceAllString(all, " ")
	switch {
	case a.Reason == "InvalidImageName", strings.Contains(lower, "invalid reference format"), strings.Contains(lower, "couldn't parse image"):
		return pullFailure{"invalid image name", "Kubernetes cannot read that as registry/repository:tag.", true, nameSteps}
	case a.Reason == "ErrImageNeverPull":
		return pullFailure{"image is not on the node", "Its imagePullPolicy is Never, so the node does not pull it.", false, policySteps}
	case a.Reason == "SignatureValidationFailed":
		return pullFailure{"signature of the image is not accepted", "The signature policy of the node rejects the image.", true, signatureSteps}
	case message.HasAny(lower, "toomanyrequests", "too many requests", "rate limit", "429"):
		return pullFailure{"registry rate limit reached", "The registry refuses further pulls for now.", false, rateLimitSteps}
	case message.HasAny(lower, "pull qps exceeded"):
		return pullFailure{"node pulls too many images at once", "The kubelet limits how many pulls it starts (registryPullQPS), and tries again by itself.", false, waitSteps}
	case message.HasAny(lower, "no match for platform", "no matching manifest", "no image found in image index", "no image found in manifest list", "no matching platform"):
		return pullFailure{"image lacks the node's architecture", "The image exists, but was not built for this platform.", true, platformSteps}
	case message.HasAny(lower, "short-name", "short name"):
		return pullFailure{"image name lacks its registry", "The nodes do not complete a name without a registry.", true, registrySteps}
	case message.HasAny(lower, "proxyconnect"):
		return pullFailure{"proxy of the node cannot be reached", "The node pulls through a proxy, which does not answer.", true, proxySteps}
	case registryUnresolved.MatchString(lower), registryUnresolved.MatchString(all) && strings.Contains(all, "dial tcp"):
		return pullFailure{"name of the registry cannot be resolved", "The node cannot look up its address.", true, resolveSteps}
	case message.HasAny(lower, "authorization token has expired", "token has expired", "token is expired"):
		return pullFailure{"pull credentials have expired", "The registry no longer accepts the token.", true, credentialSteps}
	case message.HasAny(lower, "unauthorized", "authentication required", "authorization failed", "no basic auth", "403 forbidden", "access denied", "access forbidden", "denied:", "permission denied", "insufficient_scope", "401", "credential"):
		return pullFailure{pullDenied, "Credentials are missing, wrong, or do not cover this repository. Many registries also answer like this if the repository does not exist.", true, credentialSteps}
	case serverError.MatchString(lower):
		return pullFailure{"registry answers with an error of its own", "The node reaches the registry, which fails itself.", true, serverSteps}
	case message.HasAny(lower, "not found", "manifest unknown", "name unknown", "does not exist", "404"):
		return pullFailure{imageNotFound, "The registry does not have this repository or tag.", true, correctionSteps}
	case message.HasAny(lower, "server gave http response to https client"):
		return pullFailure{"registry answers HTTP, not HTTPS", "The node asks for TLS, and the registry does not offer it on that port.", true, plainHTTPSteps}
	case message.HasAny(lower, "certificate has expired", "not yet valid"):
		return pullFailure{"registry certificate is out of date", "The node refuses it: it has expired, or the clock of the node is wrong.", true, expiredSteps}
	case message.HasAny(lower, "cannot validate certificate", "certificate is valid for", "certificate is not valid for", "relies on legacy common name"):
		return pullFailure{"registry certificate is for another name", "The node refuses it.", true, certificateNameSteps}
	case message.HasAny(lower, "x509", "tls:", "certificate") && !strings.Contains(lower, "handshake timeout"):
		return pullFailure{"registry certificate not trusted", "The node does not trust the registry's TLS certificate.", true, trustSteps}
	case oldMedia.MatchString(all):
		return pullFailure{formatUnknown, "The node's container runtime cannot read the image's manifest.", true, formatSteps}
	case message.HasAny(lower, "no space left"):
		return pullFailure{"disk of the node is full", "The node cannot store the image.", true, fullDiskSteps}
	case message.HasAny(lower, "connection reset", "unexpected eof", ": eof", "short read", "stream error", "use of closed network connection"):
		return pullFailure{"image download breaks off", "The connection to the registry, or to the storage behind it, ends during the pull.", true, brokenSteps}
	case message.HasAny(lower, "context canceled"):
		return pullFailure{"node gave up the image pull", "It was cancelled on the node: no progress for minutes, or a restart of the container runtime.", false, brokenSteps}
	case message.HasAny(lower, "i/o timeout", "connection refused", "deadline exceeded", "network is unreachable", "timeout", "tls handshake", "no route to host", "eof", "awaiting headers"):
		return pullFailure{"registry cannot be reached", "The node cannot connect to the registry.", true, reachSteps}
	case message.HasAny(lower, "failed to extract", "error unpacking", "failed to register layer"):
		return pullFailure{"node cannot unpack the image", "The image was downloaded, but the node could not store it.", true, unpackSteps}
	case message.HasAny(lower, "failed to authorize", "failed to fetch anonymous token", "failed to fetch oauth token"):
		return pullFailure{pullDenied, "The registry hands out no token for this repository.", true, credentialSteps}
	}
	if pullError(a.Text, "").Text == "" {
		return pullFailure{"image cannot be pulled", "The registry's answer is not in the evidence.", false, unknownSteps}
	}
	return pullFailure{"image cannot be pulled", "", true, noSteps}
}
