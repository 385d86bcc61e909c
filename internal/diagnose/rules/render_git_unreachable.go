package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var renderGitUnreachable = &diagnose.Rule{
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
		if talkingTo(in, s) != peerGit || n == message.NetworkOK && !fetching {
			return none, false
		}
		h := host(in, s)
		return diagnose.Finding{
			Confidence: sure(n != message.NetworkOK),
			Title:      fmt.Sprintf("git host %s cannot be reached: %s", h, or(string(n), "git fails")),
			Why:        fmt.Sprintf("The repo-server cannot talk to %s%s: %s", h, sourceOf(s), sentence(f.Line(clause))),
			Fix:        reachGit(h, repository(in, s), n),
		}, true
	}),
}

// reachGit are the steps for the kind of network failure.
func reachGit(host, repo string, n message.Network) []diagnose.Fix {
	switch n {
	case message.NetworkTLS:
		return []diagnose.Fix{
			{Text: "Look at the certificate", Command: "openssl s_client -connect " + withPort(host, "443") + " -showcerts </dev/null"},
			{Text: "Have Argo CD trust the CA that signed it", Command: "argocd cert add-tls " + host + " --from ca.pem"},
		}
	case message.NetworkHostKey:
		return []diagnose.Fix{{Text: "Have Argo CD know the host's key (compare the fingerprint first)", Command: "ssh-keyscan " + host + " | argocd cert add-ssh --batch"}}
	case message.NetworkProxy:
		return []diagnose.Fix{{Text: "Check the proxy of the repository and HTTPS_PROXY, NO_PROXY of the repo-server", Command: "kubectl -n argocd set env deploy/argocd-repo-server --list"}}
	case message.NetworkDNS:
		return []diagnose.Fix{{Text: "Resolve the name from where the repo-server runs", Command: "kubectl -n argocd exec deploy/argocd-repo-server -- getent hosts " + host}}
	case message.NetworkOK, message.NetworkRefused, message.NetworkReset, message.NetworkTimeout, message.NetworkUnreachable, message.NetworkUnavailable:
	}
	return []diagnose.Fix{{Text: "Try the connection from where the repo-server runs: host up, firewall, network policy", Command: "kubectl -n argocd exec deploy/argocd-repo-server -- git ls-remote " + repo}}
}

func withPort(host, port string) string {
	for i := len(host) - 1; i >= 0; i-- {
		if host[i] == ':' {
			return host
		}
	}
	return host + ":" + port
}
