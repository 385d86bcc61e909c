package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var GitUnreachable = &diagnose.Rule{
	ID: "render/git-unreachable",
	Doc: diagnose.Doc{
		Title:    "Git host cannot be reached",
		What:     "The repo-server cannot talk to the Git host: its name does not resolve, the connection is refused, reset or too slow, the certificate or the SSH host key is not trusted, or a proxy fails.",
		Decisive: "A network, TLS or host key error between the repo-server and the Git host.",
		Example:  "Get \"https://git.example.com/team/deploy.git/info/refs?service=git-upload-pack\": dial tcp: lookup git.example.com: no such host",
		Fix:      "Fix the network, DNS or proxy, or add the CA or the host key to Argo CD.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/#self-signed-untrusted-tls-certificates"},
	},
	Sync: nothingRenders,
	Check: during(message.CallGit).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		n := f.Network()
		if n == message.NetworkOK && f.Command != nil && f.Command.TimedOut() {
			n = message.NetworkTimeout
		}
		if n == message.NetworkOK && f.Has("deadline exceeded") {
			n = message.NetworkTimeout
		}
		// The host answers with an error of its own that is not known here.
		answered := f.Has("unknown error: remote")
		fetching := answered || f.Command != nil && f.Command.Tool == "git" && (f.Command.Verb == "fetch" || f.Command.Verb == "ls-remote" || f.Command.Verb == "clone")
		if peerOf(in, s) != peerGit || n == message.NetworkOK && !fetching {
			return diagnose.Finding{}, false
		}
		h := host(in, s)
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(n != message.NetworkOK),
			Shared:     "git host " + h,
			Title:      gitTitle(f, h, n),
			Why:        inSource(s) + "Other applications with a repository on this host may be affected too.",
			Says:       said(s),
			Fix:        reachGit(f, advice.ArgoNamespace(in), h, repository(in, s)),
		}
		if answered { // "unknown error: remote: " and its reason, which is often missing
			out.Says.Text = strings.TrimPrefix(strings.TrimPrefix(out.Says.Text, "unknown error: "), "remote")
			out.Says.Text = strings.TrimLeft(out.Says.Text, ": ")
			if out.Says.Text == "" {
				out.Title = fmt.Sprintf("Git host %s returns an unknown error", h)
			}
		}
		if f.Network() == message.NetworkOK && f.Command != nil && f.Command.TimedOut() {
			out.Title = fmt.Sprintf("Git fetch from %s timed out%s", h, strings.TrimRight(strings.TrimPrefix(f.Command.Result, "timeout"), "."))
			out.Why = inSource(s) + "The host is slow or cannot be reached, or the repository is large."
			out.Says = diagnose.Said{}
			out.Fix = append(out.Fix, diagnose.Fix{Text: "If the host responds, give git more time", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_EXEC_TIMEOUT=3m", advice.ArgoNamespace(in))})
		}
		return out, true
	}),
}

func gitTitle(f *message.Failure, host string, n message.Network) string {
	switch {
	case n == message.NetworkHostKey && !negotiationFails(f):
		return fmt.Sprintf("SSH host key of Git host %s is not trusted", host)
	case n == message.NetworkOK:
		return fmt.Sprintf("Git host %s returns an error", host)
	}
	return n.Trouble("Git host " + host)
}

// negotiationFails: SSH got no further than the choice of algorithms, so the host's key was not looked at.
func negotiationFails(f *message.Failure) bool {
	return f.Has("unable to negotiate", "no matching", "no hostkey alg")
}

// reachGit are the steps for the kind of network failure.
func reachGit(f *message.Failure, argo, host, repo string) []diagnose.Fix {
	switch f.Network() {
	case message.NetworkTLS:
		return trustHost(host)
	case message.NetworkHostKey:
		if negotiationFails(f) {
			return advice.Steps("Enable a host key type, key exchange and cipher on the host that the repo-server also supports, or use HTTPS")
		}
		return []diagnose.Fix{{Text: "Compare the host's key fingerprint with the published one, then add the key to Argo CD", Command: diagnose.Shell("ssh-keyscan %s | argocd cert add-ssh --batch", scanned(host))}}
	case message.NetworkProxy:
		return []diagnose.Fix{{Text: "Check HTTPS_PROXY and NO_PROXY of the repo-server, and the proxy set for the repository", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server --list", argo)}}
	case message.NetworkDNS:
		return []diagnose.Fix{{Text: "Resolve the name from the repo-server's pod", Command: diagnose.Shell("kubectl -n %s exec deploy/argocd-repo-server -- getent hosts %s", argo, host)}}
	case message.NetworkOK, message.NetworkRefused, message.NetworkReset, message.NetworkTimeout, message.NetworkUnreachable, message.NetworkUnavailable:
	}
	return []diagnose.Fix{{Text: "Test the connection from the repo-server's pod; if it fails, check the host, firewalls and network policies", Command: diagnose.Shell("kubectl -n %s exec deploy/argocd-repo-server -- git ls-remote %s", argo, repo)}}
}

// trustHost are the steps for a host whose certificate is not trusted.
func trustHost(host string) []diagnose.Fix {
	return []diagnose.Fix{
		{Text: "Check the certificate that the host presents", Command: diagnose.Shell("openssl s_client -connect %s -showcerts </dev/null", advice.WithPort(host, "443"))},
		{Text: "If it is signed by a private CA, add that CA to Argo CD", Command: diagnose.Shell("argocd cert add-tls %s --from ca.pem", host)},
	}
}

// scanned is a host as ssh-keyscan takes it: the port in front.
func scanned(host string) diagnose.Raw {
	if name, port, ok := strings.Cut(host, ":"); ok {
		return diagnose.Raw(diagnose.Shell("-p %s %s", port, name))
	}
	return diagnose.Raw(diagnose.Shell("%s", host))
}
