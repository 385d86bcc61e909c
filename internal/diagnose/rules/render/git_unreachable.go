package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var GitUnreachable = &diagnose.Rule{
	ID: "render/git-unreachable",
	Doc: diagnose.Doc{
		Title:    "The git host cannot be reached",
		What:     "The repo-server cannot talk to the git host: its name does not resolve, the connection is refused, reset or too slow, the certificate or the SSH host key is not trusted, or a proxy is in the way.",
		Decisive: "A network, TLS or host key error on the way to the git host.",
		Example:  "Get \"https://git.example.com/team/deploy.git/info/refs?service=git-upload-pack\": dial tcp: lookup git.example.com: no such host",
		Fix:      "Repair network, DNS or proxy; add the CA or the host key to Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/#self-signed-untrusted-tls-certificates"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		n := f.Network()
		if n == message.NetworkOK && f.Command != nil && f.Command.TimedOut() {
			n = message.NetworkTimeout
		}
		if n == message.NetworkOK && f.Has("deadline exceeded") {
			n = message.NetworkTimeout
		}
		// The host answers with an error of its own that nothing here knows.
		answered := f.Has("unknown error: remote")
		fetching := answered || f.Command != nil && f.Command.Tool == "git" && (f.Command.Verb == "fetch" || f.Command.Verb == "ls-remote" || f.Command.Verb == "clone")
		if peerOf(in, s) != peerGit || n == message.NetworkOK && !fetching {
			return diagnose.Finding{}, false
		}
		h := host(in, s)
		return diagnose.Finding{
			Confidence: diagnose.CertainIf(n != message.NetworkOK),
			Shared:     "git host " + h,
			Title:      gitTitle(h, n),
			Why:        fmt.Sprintf("The repo-server cannot talk to %s%s: %s", h, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix:        reachGit(advice.ArgoNamespace(in), h, repository(in, s), n),
		}, true
	}),
}

func gitTitle(host string, n message.Network) string {
	switch n {
	case message.NetworkHostKey:
		return fmt.Sprintf("the SSH host key of git host %s is not trusted", host)
	case message.NetworkOK:
		return fmt.Sprintf("git host %s answers with an error", host)
	case message.NetworkDNS, message.NetworkRefused, message.NetworkReset, message.NetworkTimeout, message.NetworkUnreachable, message.NetworkTLS, message.NetworkProxy, message.NetworkUnavailable:
	}
	return fmt.Sprintf("git host %s cannot be reached: %s", host, n)
}

// reachGit are the steps for the kind of network failure.
func reachGit(argo, host, repo string, n message.Network) []diagnose.Fix {
	switch n {
	case message.NetworkTLS:
		return []diagnose.Fix{
			{Text: "Look at the certificate", Command: diagnose.Shell("openssl s_client -connect %s -showcerts </dev/null", advice.WithPort(host, "443"))},
			{Text: "Have Argo CD trust the CA that signed it", Command: diagnose.Shell("argocd cert add-tls %s --from ca.pem", host)},
		}
	case message.NetworkHostKey:
		return []diagnose.Fix{{Text: "Have Argo CD know the host's key (compare the fingerprint first)", Command: diagnose.Shell("ssh-keyscan %s | argocd cert add-ssh --batch", host)}}
	case message.NetworkProxy:
		return []diagnose.Fix{{Text: "Check the proxy of the repository and HTTPS_PROXY, NO_PROXY of the repo-server", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server --list", argo)}}
	case message.NetworkDNS:
		return []diagnose.Fix{{Text: "Resolve the name from where the repo-server runs", Command: diagnose.Shell("kubectl -n %s exec deploy/argocd-repo-server -- getent hosts %s", argo, host)}}
	case message.NetworkOK, message.NetworkRefused, message.NetworkReset, message.NetworkTimeout, message.NetworkUnreachable, message.NetworkUnavailable:
	}
	return []diagnose.Fix{{Text: "Try the connection from where the repo-server runs: host up, firewall, network policy", Command: diagnose.Shell("kubectl -n %s exec deploy/argocd-repo-server -- git ls-remote %s", argo, repo)}}
}
