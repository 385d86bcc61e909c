package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		switch {
		case s.Failure.Mentions("do connect handshake", "proxyconnect"):
			return throughProxy(in, s), true
		case s.Failure.Network() == message.NetworkDNS:
			return unresolved(in, s), true
		}
		return partFails(s, repoServer, "Argo CD's repo-server cannot be reached", rendersAll,
			ofRepoServer(in, "Check whether the repo-server's pods are running and ready", "get pods -l PODS"),
			ofRepoServer(in, "If they restarted, read the log of the last crash", "logs deploy/PART --previous --tail=50"),
		), true
	}),
}

const (
	repoServer = "Argo CD's repo-server"
	rendersAll = "The repo-server renders all manifests, so every application of this Argo CD is affected."
)

// asked is the name that was looked up. A sentence may say "lookup error" before.
var asked = pattern.MustCompile(`lookup ([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.?)(?: on \S+?)?: (?:[a-z/ ]+$|no such|server|i/o|read|dial|write|operation|context)`)

// unresolved is the finding about a repo-server whose name does not resolve: there is no such Service, or the cluster's DNS does not answer.
func unresolved(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	name := advice.ArgoPart(in, "repo-server")
	if m := asked.FindStringSubmatch(s.Failure.Flat()); m != nil {
		name = m[1]
	}
	service, _, _ := strings.Cut(name, ".")
	look := ofRepoServer(in, "Check that a Service named "+service+" exists; if not, restore it from what Argo CD was installed with", "get services | grep repo-server")
	out := partFails(s, repoServer, "Argo CD cannot resolve the name of its repo-server", rendersAll, look)
	out.Says.Text = resolver.ReplaceAllString(out.Says.Text, "")
	if !dnsFails(&s.Failure) {
		return out
	}
	out.Title = "Cluster DNS fails for Argo CD's repo-server"
	out.Fix = []diagnose.Fix{checkDNS(in, &s.Failure), {
		Text:    "Then resolve the name where the application controller runs",
		Command: diagnose.Shell("kubectl -n %s exec %s -- sh -c %s", advice.ArgoNamespace(in), workload(in, "application-controller"), diagnose.Shell("getent hosts %s || echo not resolved", name)),
	}}
	return out
}

// throughProxy is the finding about components that ask an HTTP proxy for the repo-server, which no proxy knows.
func throughProxy(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	name := advice.ArgoPart(in, "repo-server")
	out := partFails(s, repoServer, "Argo CD asks an HTTP proxy for its own repo-server",
		"HTTPS_PROXY is set on the component that asks, and NO_PROXY does not cover the repo-server. "+rendersAll,
		diagnose.Fix{Text: "Where Argo CD is installed from, add " + name + ",.svc,.cluster.local and the cluster's Service addresses to NO_PROXY of the application controller and the server. See what they have", Command: diagnose.Shell("kubectl -n %[1]s set env %[2]s --list; kubectl -n %[1]s set env %[3]s --list", advice.ArgoNamespace(in), workload(in, "application-controller"), workload(in, "server"))},
	)
	out.Says = diagnose.Said{}
	return out
}

// cutOff is the finding about a repo-server that was reached, and gone before it answered.
func cutOff(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	out := partFails(s, repoServer, "Argo CD's repo-server broke off while it worked",
		inSource(s)+"The connection to the repo-server ended before its answer. Most often its container was restarted: out of memory, or a failed liveness probe. Nothing is known to be wrong with the manifests.",
		ofRepoServer(in, "See whether the repo-server restarted, and why (Last State); give it the memory or CPU that it lacks", "describe pods -l PODS"),
		diagnose.Fix{Text: "Then refresh the application", Command: diagnose.Shell("argocd app get %s --refresh", advice.AppName(in))},
	)
	out.Says.Text, _, _ = strings.Cut(out.Says.Text, `", received`)
	return out
}

// untrusted is the finding about components that do not accept the repo-server's certificate.
func untrusted(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	if s.Failure.Has("first record does not look like a tls handshake") {
		return plaintext(in, s)
	}
	return partFails(s, repoServer, "TLS handshake with Argo CD's repo-server fails",
		"The components of Argo CD read the certificate when they start. After a change all of them have to be restarted, and a service mesh must not intercept the port.",
		diagnose.Fix{Text: "Restart the components, so all of them read the same certificate", Command: restartAll(advice.ArgoNamespace(in))},
		ofRepoServer(in, "Show how the repo-server is set up for TLS", "get deploy PART -o yaml"),
	)
}

// plaintext is the finding about a repo-server that answers a TLS handshake in plain text. Whether it serves TLS and whether the others
// expect it are settings of their own.
func plaintext(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	argo := advice.ArgoNamespace(in)
	out := partFails(s, repoServer, "Argo CD's repo-server answers without TLS",
		inSource(s)+"The other components speak TLS to it, and what answers on its port does not: the repo-server runs with --disable-tls and the others without --repo-server-plaintext, or a proxy of a service mesh is in between.",
		diagnose.Fix{Text: "Compare the settings: reposerver.disable.tls has to agree with controller.repo.server.plaintext and server.repo.server.plaintext (and --disable-tls in the arguments of the repo-server with --repo-server-plaintext in those of the others)", Command: diagnose.Shell("kubectl -n %s get cm argocd-cmd-params-cm -o yaml", argo)},
	)
	if advice.ByOperator(in) {
		out.Fix[0] = ofRepoServer(in, "Compare the arguments: --disable-tls of the repo-server has to agree with --repo-server-plaintext of the server and the application controller. Correct them in the ArgoCD resource "+advice.Operator(in), "get deploy,statefulset -o yaml | grep -E 'name: PART|disable-tls|plaintext'")
		return out
	}
	change := func(text, data string) diagnose.Fix {
		return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s patch cm argocd-cmd-params-cm --type merge -p %s && %s", argo, data, diagnose.Raw(restartAll(argo)))}
	}
	out.Fix = append(out.Fix,
		change("If the repo-server is meant to serve TLS, turn it on again", `{"data":{"reposerver.disable.tls":"false"}}`),
		change("If it is meant to serve plain text, tell the others", `{"data":{"controller.repo.server.plaintext":"true","server.repo.server.plaintext":"true"}}`),
	)
	return out
}

// local are failures of the repo-server itself: of its working copies, its processes and its code.
var local = []struct {
	words                 []string
	title, why, fix, show string
}{
	{[]string{"index.lock", "another git process seems to be running", ".lock': file exists"}, "Argo CD's working copy of the repository is locked", "A git process of the repo-server was interrupted and left its lock file behind.", emptiesClones, showLog},
	{[]string{"dubious ownership"}, "Argo CD's working copy belongs to another user", "The repo-server runs as another user than the one that created the directory, often since an upgrade or with a persistent volume.", emptiesClones + ", unless they are on a persistent volume", showLog},
	{[]string{"failed to initialize git repo: mkdir", "not a git repository", "object file", "loose object", "cannot lock ref", "bad object refs/", "index file corrupt", "bad index file"}, "Argo CD's working copy of the repository is damaged", "The directory in which the repo-server keeps it was removed, is incomplete, or has a branch whose name stands in the way of another.", emptiesClones, showLog},
	{[]string{"resource temporarily unavailable", "cannot allocate memory", "cannot fork", "unable to create thread"}, "Argo CD's repo-server cannot start a process", "The limit of processes or memory of its container or node is reached.", "Restart the repo-server, which ends leftover processes (a stopgap)", "top pods -l PODS --containers"},
	{[]string{"runtime error: ", "nil pointer dereference", "recovered from panic"}, "Argo CD's repo-server fails with an internal error", "Its own code fails on this application; its log shows where.", "", "logs deploy/PART --since=1h | grep -iA30 panic"},
}

const (
	emptiesClones = "Restart the repo-server, which empties its working copies"
	showLog       = "logs deploy/PART --tail=100"
)

// brokenCheckout is the finding about a repo-server that answers, but cannot work. A restart creates its directories anew.
func brokenCheckout(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	f := &s.Failure
	if f.Stage != message.StageRender || f.Call != message.CallGit && (f.Call != message.CallUnknown || f.Code != "Internal") {
		return diagnose.Finding{}, false
	}
	for _, l := range local {
		if !f.Mentions(l.words...) {
			continue
		}
		out := diagnose.Finding{Confidence: diagnose.Likely, OutsideGit: true, Title: l.title, Why: inSource(s) + l.why}
		switch {
		case l.fix == "":
			out.Fix = []diagnose.Fix{
				ofRepoServer(in, "Read where it fails", l.show),
				{Text: "Look for the error in the release notes of Argo CD, and upgrade if a later release fixes it"},
			}
		case l.show == showLog:
			out.Fix = []diagnose.Fix{restartRepoServer(in, l.fix), ofRepoServer(in, "If it happens again, read its log", l.show)}
		default:
			out.Fix = []diagnose.Fix{
				restartRepoServer(in, l.fix),
				ofRepoServer(in, "Compare its memory with the limit, and the number of its processes with the limit of pids of the node; raise the one that is reached", l.show),
			}
		}
		return out, true
	}
	return diagnose.Finding{}, false
}
