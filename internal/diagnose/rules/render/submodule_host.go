package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
)

// unreachableSubmodule completes the finding about a submodule on a host that git does not reach: nobody asked for credentials.
func unreachableSubmodule(r rendered, url string, n message.Network, out *diagnose.Finding) {
	host := cmp.Or(repourl.Host(url), "it")
	off := out.Fix[len(out.Fix)-1]
	off.Text = "If the manifests do not need it, turn submodules off for all applications of this Argo CD"
	reach := diagnose.Fix{Text: fmt.Sprintf("Otherwise let the repo-server reach %s", host)}
	out.Why = inSource(r.s) + fmt.Sprintf("The repository itself was fetched; the submodule is at %s, which the repo-server does not reach.", host)
	if n == message.NetworkDNS {
		out.Short = "The host of a Git submodule does not resolve"
		out.Why = inSource(r.s) + fmt.Sprintf("The repository itself was fetched. Its .gitmodules refers to host %s, which the repo-server cannot resolve.", host)
		reach.Text = fmt.Sprintf("Otherwise have the cluster's DNS resolve %s, or, if the repository is yours, correct the URL in .gitmodules", host)
	}
	out.Fix = []diagnose.Fix{off, reach}
	if m := browserPath.FindStringSubmatch(r.src.Path); m != nil {
		out.Fix = append(out.Fix, diagnose.Fix{Text: fmt.Sprintf("Also correct %s: %s is a path of the website; the directory is %s", r.edited("path"), r.src.Path, m[1])})
	}
}

// browserPath is a directory as the website of a Git host writes it, with the branch in front.
var browserPath = pattern.MustCompile(`^/?(?:-/)?(?:blob|tree)/[^/]+/(.+)$`)
