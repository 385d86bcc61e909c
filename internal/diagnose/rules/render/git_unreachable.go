package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var GitUnreachable = &diagnose.Rule{
	ID:    "render/git-unreachable",
	Needs: []evidence.Kind{evidence.KindRepositories},
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
		if n == message.NetworkOK && (f.Command != nil && f.Command.TimedOut() || f.Has("deadline exceeded", "context canceled")) {
			n = message.NetworkTimeout
		}
		status := httpStatus(f)
		// The host answers with an error of its own that is not known here.
		answered := f.Has("unknown error: remote")
		fetching := answered || status != "" || f.Command != nil && f.Command.Tool == "git" && (f.Command.Verb == "fetch" || f.Command.Verb == "ls-remote" || f.Command.Verb == "clone")
		if peerOf(in, s) != peerGit || n == message.NetworkOK && !fetching || f.Code == "Canceled" {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		h := host(in, s)
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(n != message.NetworkOK && !f.Has("context canceled")), OutsideGit: true,
			Shared: "Git host " + h,
			Title:  gitTitle(f, h, n),
			Why:    inSource(s) + "Other applications with a repository on this host may be affected too.",
			Says:   said(s),
			Fix:    reachGit(f, r, h, repository(in, s)),
		}
		if n != message.NetworkProxy { // else it names the proxy
			out.Says.Text = resolver.ReplaceAllString(out.Says.Text, "")
		}
		out.Says.Text = requested.ReplaceAllString(out.Says.Text, "")
		switch {
		case answered:
			out = hostAnswers(r, out, h)
		case f.Has("invalid index-pack output", "index-pack failed", "early eof", "reading sideband packet", "bytes of body are still expected"):
			out = brokeOff(r, out)
		case repourl.IsSSH(repository(in, s)) && n == message.NetworkReset && f.Has("kex_exchange_identification", "ssh_exchange_identification", "handshake failed"):
			out.Why = because(s, "The host closes the connection before it asks for a key. If this comes and goes, it limits how many connections it takes at once.", out.Why)
			out.Fix = append(out.Fix, pollLess(in))
		case f.Has("crlfile"):
			out.Says.Text, _, _ = strings.Cut(out.Says.Text, ". CAfile")
		case status != "" && n != message.NetworkProxy:
			out = refusesRequest(r, out, h, status)
		case n == message.NetworkHostKey && !negotiationFails(f):
			out.Says = diagnose.Said{}
			why := "Argo CD has no key of this host."
			if f.Has("has changed", "key mismatch") {
				why = "Argo CD knows another key of this host: it was changed, or the host now offers a key of another type."
			}
			out.Why = because(s, why, out.Why)
		case f.Network() == message.NetworkOK && f.Command != nil && f.Command.TimedOut():
			out.Title = fmt.Sprintf("Git fetch from %s timed out%s", h, strings.TrimRight(strings.TrimPrefix(f.Command.Result, "timeout"), "."))
			out.Why = inSource(s) + "The host is slow or cannot be reached, or the repository is large."
			out.Says = diagnose.Said{}
			out.Fix = append(out.Fix, set(in, "If the host responds, give git more time", setting{"repo-server", "", "ARGOCD_EXEC_TIMEOUT", "3m"}))
		}
		out.Title = withoutHost(out.Title)
		return out, true
	}),
}

// because puts a reason in front of a why, behind the source that it is about.
func because(s *diagnose.Statement, reason, why string) string {
	return inSource(s) + reason + " " + strings.TrimPrefix(why, inSource(s))
}

// withoutHost is a title for a host that the text does not name and several sources leave open.
func withoutHost(title string) string {
	for _, before := range []string{"Git host ", "of ", "from ", "on "} {
		after := strings.TrimSuffix(before, "Git host ") + "a Git host"
		title = strings.Replace(title, before+noHost, after, 1)
	}
	return text.UpperFirst(title)
}
