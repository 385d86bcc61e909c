package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var RepoServerUnavailable = &diagnose.Rule{
	ID: "render/repo-server-unavailable",
	Doc: diagnose.Doc{
		Title:    "Argo CD's repo-server is unavailable",
		What:     "Argo CD's repo-server renders all manifests. While its pods are down, restarting or out of memory, no application can be compared.",
		Decisive: "A connection error to the repo-server (port 8081, gRPC code Unavailable).",
		Example:  "rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing dial tcp 10.11.169.93:8081: connect: connection refused\"",
		Fix:      "Check the repo-server's pods: most often they ran out of memory or cannot be scheduled.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-repo-server"},
	},
	Sync: nothingRenders,
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if out, ok := brokenCheckout(in, s); ok {
			return out, true
		}
		if !ownParts(s) || peerOf(in, s) != peerRepoServer {
			return diagnose.Finding{}, false
		}
		if s.Failure.Network() == message.NetworkTLS {
			return untrusted(in, s), true
		}
		if f := &s.Failure; f.Has("error reading from server", "transport is closing", "the connection is draining", "stream terminated") || f.Network() == message.NetworkReset && !f.Has("dial") {
			return cutOff(in, s), true
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: "Argo CD's repo-server",
			Title:  "Argo CD's repo-server cannot be reached",
			Why:    "The repo-server renders all manifests, so every application of this Argo CD is affected.",
			Says:   said(s),
			Fix: []diagnose.Fix{
				{Text: "Check whether the repo-server's pods are running and ready", Command: diagnose.Shell("kubectl -n %s get pods -l app.kubernetes.io/name=argocd-repo-server", advice.ArgoNamespace(in))},
				{Text: "If they restarted, read the log of the last crash", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --previous --tail=50", advice.ArgoNamespace(in))},
			},
		}, true
	}),
}

// cutOff is the finding about a repo-server that was reached, and gone before it answered.
func cutOff(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	argo := advice.ArgoNamespace(in)
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Shared: "Argo CD's repo-server",
		Title:  "Argo CD's repo-server broke off while it worked",
		Why:    inSource(s) + "The connection to the repo-server ended before its answer. Most often its container was restarted: out of memory, or a failed liveness probe. Nothing is known to be wrong with the manifests.",
		Says:   said(s),
		Fix: []diagnose.Fix{
			{Text: "See whether the repo-server restarted, and why (Last State); give it the memory or CPU that it lacks", Command: diagnose.Shell("kubectl -n %s describe pods -l app.kubernetes.io/name=argocd-repo-server", argo)},
			{Text: "Then refresh the application", Command: diagnose.Shell("argocd app get %s --refresh", advice.AppName(in))},
		},
	}
}

// untrusted is the finding about components that do not accept the repo-server's certificate.
func untrusted(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	argo := advice.ArgoNamespace(in)
	if s.Failure.Has("first record does not look like a tls handshake") {
		return plaintext(in, s)
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Shared: "Argo CD's repo-server",
		Title:  "TLS handshake with Argo CD's repo-server fails",
		Why:    "The components of Argo CD read the certificate when they start. After a change all of them have to be restarted, and a service mesh must not intercept the port.",
		Says:   said(s),
		Fix: []diagnose.Fix{
			{Text: "Restart the components, so all of them read the same certificate", Command: restartAll(argo)},
			{Text: "Show how the repo-server is set up for TLS", Command: diagnose.Shell("kubectl -n %s get deploy argocd-repo-server -o yaml", argo)},
		},
	}
}

// restartAll restarts the repo-server and what talks to it: all of them read its settings only when they start.
func restartAll(argo string) string {
	return diagnose.Shell("kubectl -n %s rollout restart deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller", argo)
}

// plaintext is the finding about a repo-server that answers a TLS handshake in plain text. Whether it serves TLS and whether the others
// expect it are settings of their own.
func plaintext(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	argo := advice.ArgoNamespace(in)
	set := func(data string) string {
		return diagnose.Shell("kubectl -n %s patch cm argocd-cmd-params-cm --type merge -p %s && %s", argo, data, diagnose.Raw(restartAll(argo)))
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Shared: "Argo CD's repo-server",
		Title:  "Argo CD's repo-server answers without TLS",
		Why:    inSource(s) + "The other components speak TLS to it, and what answers on its port does not: the repo-server runs with --disable-tls and the others without --repo-server-plaintext, or a proxy of a service mesh is in between.",
		Says:   said(s),
		Fix: []diagnose.Fix{
			{Text: "Compare the settings: reposerver.disable.tls has to agree with controller.repo.server.plaintext and server.repo.server.plaintext (and --disable-tls in the arguments of the repo-server with --repo-server-plaintext in those of the others)", Command: diagnose.Shell("kubectl -n %s get cm argocd-cmd-params-cm -o yaml", argo)},
			{Text: "If the repo-server is meant to serve TLS, turn it on again", Command: set(`{"data":{"reposerver.disable.tls":"false"}}`)},
			{Text: "If it is meant to serve plain text, tell the others", Command: set(`{"data":{"controller.repo.server.plaintext":"true","server.repo.server.plaintext":"true"}}`)},
		},
	}
}

// local are failures of the repo-server itself: of its working copies, its processes and its code.
var local = []struct {
	words      []string
	title, why string
}{
	{[]string{"index.lock", "another git process seems to be running", ".lock': file exists"}, "Argo CD's working copy of the repository is locked", "A git process of the repo-server was interrupted and left its lock file behind."},
	{[]string{"dubious ownership"}, "Argo CD's working copy belongs to another user", "The repo-server runs as another user than the one that created the directory, often since an upgrade or with a persistent volume."},
	{[]string{"failed to initialize git repo: mkdir", "not a git repository", "object file", "loose object", "cannot lock ref", "bad object refs/", "index file corrupt", "bad index file"}, "Argo CD's working copy of the repository is damaged", "The directory in which the repo-server keeps it was removed or is incomplete."},
	{[]string{"resource temporarily unavailable", "cannot allocate memory", "cannot fork", "unable to create thread"}, "Argo CD's repo-server cannot start a process", "The limit of processes or memory of its container or node is reached."},
	{[]string{"runtime error: ", "nil pointer dereference", "recovered from panic"}, "Argo CD's repo-server fails with an internal error", "Its own code fails on this application; its log shows where."},
}

// brokenCheckout is the finding about a repo-server that answers, but cannot work. A restart creates its directories anew.
func brokenCheckout(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	f := &s.Failure
	if f.Stage != message.StageRender || f.Call != message.CallGit && (f.Call != message.CallUnknown || f.Code != "Internal") {
		return diagnose.Finding{}, false
	}
	argo := advice.ArgoNamespace(in)
	for _, l := range local {
		if !f.Mentions(l.words...) {
			continue
		}
		return diagnose.Finding{
			Confidence: diagnose.Likely, OutsideGit: true,
			Title: l.title,
			Why:   inSource(s) + l.why,
			Fix: []diagnose.Fix{
				{Text: "Restart the repo-server, which empties its working copies", Command: diagnose.Shell("kubectl -n %s rollout restart deploy/argocd-repo-server", argo)},
				{Text: "If it happens again, read its log", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --tail=100", argo)},
			},
		}, true
	}
	return diagnose.Finding{}, false
}
