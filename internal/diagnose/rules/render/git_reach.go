package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/text"
)

func gitTitle(f *message.Failure, host string, n message.Network) string {
	switch {
	case n == message.NetworkHostKey && !negotiationFails(f) && f.Has("has changed", "key mismatch"):
		return fmt.Sprintf("SSH host key of %s does not match", host)
	case n == message.NetworkHostKey && !negotiationFails(f):
		return fmt.Sprintf("SSH host key of %s is unknown", host)
	case n == message.NetworkTLS:
		return tlsTrouble(f, "Git host "+host)
	case n == message.NetworkOK:
		return fmt.Sprintf("Git host %s returns an error", host)
	}
	return n.Trouble("Git host " + host)
}

// pollLess is the step that has Argo CD ask Git less often.
func pollLess(in *diagnose.In) diagnose.Fix {
	const what = "Configure a Git webhook, and poll less often"
	if advice.ByOperator(in) {
		return advice.Config("timeout.reconciliation").Set(in, what+":", "10m")
	}
	return diagnose.Fix{
		Text: what,
		Command: diagnose.Shell("kubectl -n %[1]s patch cm argocd-cm --type merge -p %[2]s && kubectl -n %[1]s rollout restart deploy,statefulset -l %[3]s", advice.ArgoNamespace(in),
			`{"data":{"timeout.reconciliation":"600s"}}`, "app.kubernetes.io/part-of=argocd,app.kubernetes.io/component in (repo-server,application-controller)"),
	}
}

// tlsTrouble is a title about a peer whose certificate or TLS is not right.
func tlsTrouble(f *message.Failure, peer string) string {
	switch {
	case f.Has("handshake timeout"):
		return text.UpperFirst(peer) + " does not finish the TLS handshake"
	case f.Has("certificate has expired", "is not yet valid"):
		return "Certificate of " + peer + " is not valid at this time"
	case f.Has("unknown authority", "self-signed", "self signed", "unable to get local issuer", "certificate verification failed"):
		return "Certificate of " + peer + " is not trusted"
	case f.Has("certificate is valid for", "not valid for any names", "doesn't contain any ip sans", "cannot validate certificate for", "does not match target host name", "no alternative certificate subject name"):
		return "Certificate of " + peer + " is for another name"
	case f.Has("http response to https client", "first record does not look like a tls handshake", "wrong version number"):
		return text.UpperFirst(peer) + " answers without TLS"
	}
	return message.NetworkTLS.Trouble(peer)
}

// negotiationFails: SSH got no further than the choice of algorithms, so the host's key was not looked at.
func negotiationFails(f *message.Failure) bool {
	return f.Has("unable to negotiate", "no matching", "no hostkey alg")
}

// reachGit are the steps for the kind of network failure. Without a repository, the host is one of charts.
func reachGit(f *message.Failure, r rendered, host, repo string) []diagnose.Fix {
	switch f.Network() {
	case message.NetworkTLS:
		return trustHost(f, host)
	case message.NetworkHostKey:
		return trustKey(f, host)
	case message.NetworkUnavailable:
		if repo == "" {
			return []diagnose.Fix{{Text: "Check the state of " + host + " and of proxies in front of it: it answered with an error of its own, so the connection works"}, {Text: "Show which repositories Argo CD can read", Command: listRepositories}}
		}
	case message.NetworkProxy:
		if f.Has("authentication required") {
			return []diagnose.Fix{{Text: "Give Argo CD a user and password that the proxy accepts: in HTTPS_PROXY of the repo-server (http://USER:PASSWORD@PROXY:PORT), or in the proxy set for the repository", Command: diagnose.Shell("kubectl -n %s set env %s --list", advice.ArgoNamespace(r.in), workload(r.in, "repo-server"))}}
		}
		return []diagnose.Fix{{Text: "Check HTTPS_PROXY and NO_PROXY of the repo-server, and the proxy set for the repository", Command: diagnose.Shell("kubectl -n %s set env %s --list", advice.ArgoNamespace(r.in), workload(r.in, "repo-server"))}}
	case message.NetworkDNS:
		return fixDNS(r.in, f, host)
	case message.NetworkOK, message.NetworkRefused, message.NetworkReset, message.NetworkTimeout, message.NetworkUnreachable:
	}
	if repo == "" || repo == unnamedRepository {
		return []diagnose.Fix{
			{Text: "Check whether the repository, firewalls and network policies let the repo-server's pod connect to " + host},
			{Text: "Show which repositories Argo CD can connect to", Command: listRepositories},
		}
	}
	test := lsRemote(r.in, repo, "Test the connection from the repo-server's pod (a refused login means that it works); if it fails, check the host, firewalls and network policies")
	if repourl.IsSSH(repo) { // it has neither the stored key nor Argo CD's list of known hosts
		test.Text = "Test the connection from the repo-server's pod (\"Host key verification failed\" or \"Permission denied\" means that it works); if it fails otherwise, check the host, firewalls and network policies"
	}
	return []diagnose.Fix{test}
}

// lsRemote is a step that reads the repository from where Argo CD does.
func lsRemote(in *diagnose.In, repo, why string) diagnose.Fix {
	return diagnose.Fix{Text: why, Command: inRepoServer(in, diagnose.Shell("git ls-remote %s HEAD", repo))}
}

// resolver is what Go puts in front of the reason why a name does not resolve; requested the request that failed.
var (
	resolver  = pattern.MustCompile(`^.*\blookup \S+(?: on \S+)?: (?:(?:read|dial|write) udp \S+ )?(?:(?:read|dial|write|connect): )?`)
	requested = pattern.MustCompile(`^(?:(?:cannot get digest for revision \S+|failed to resolve revision \S+|error resolving repo revision|error getting helm index|failed to get index|failed to list refs|error testing repository connectivity|unknown error|unexpected client error): )*(?:unable to access '[^']*': )?(?:(?i:get|post|head) "?[^"\s]*"?: )*(?:(?:dial|read|write) tcp(?: [\d.:[\]a-f]+(?:->[\d.:[\]a-f]+)?)?: (?:connect: )?)?`)
)

// fixDNS are the steps where a name does not resolve: the name may be wrong, or the server that was asked.
func fixDNS(in *diagnose.In, f *message.Failure, host string) []diagnose.Fix {
	name, _, _ := strings.Cut(host, ":")
	resolve := diagnose.Fix{
		Text:    "Correct the host in the URL if it is misspelled. Otherwise resolve the name from the repo-server's pod, and fix the cluster's DNS",
		Command: inRepoServer(in, diagnose.Shell("sh -c %s", diagnose.Shell("getent hosts %s || echo not resolved", name))),
	}
	if !dnsFails(f) {
		return []diagnose.Fix{resolve}
	}
	resolve.Text = "Then resolve the name from the repo-server's pod"
	return []diagnose.Fix{checkDNS(in, f), resolve}
}

// dnsFails: the DNS server does not answer or has an error, as opposed to a name that does not exist.
func dnsFails(f *message.Failure) bool {
	return f.Has("server misbehaving", "temporary failure", "i/o timeout", "connection refused", "operation not permitted", "network is unreachable", "no route to host", "deadline exceeded")
}

// checkDNS is the step that looks at the DNS servers of the cluster that Argo CD runs in.
func checkDNS(in *diagnose.In, f *message.Failure) diagnose.Fix {
	logs := diagnose.Fix{
		Text:    "The cluster's DNS server does not answer: check its pods, and whether network policies let Argo CD's pods reach it",
		Command: "kubectl -n kube-system get pods -o wide -l k8s-app=kube-dns",
	}
	if f.Has("server misbehaving") {
		logs.Text = "The cluster's DNS server answers with an error, not that the name is unknown: check its log, and the servers that it asks"
		logs.Command = "kubectl -n kube-system logs -l k8s-app=kube-dns --tail=50"
	}
	if advice.ArgoNamespace(in) == "openshift-gitops" { // on OpenShift
		logs.Command = "kubectl -n openshift-dns get pods -o wide"
	}
	return logs
}

// inRepoServer runs a command in the repo-server's pod. Its container has another name in each way to install Argo CD, and is the first one.
func inRepoServer(in *diagnose.In, command string) string {
	return diagnose.Shell("kubectl -n %s exec %s -- ", advice.ArgoNamespace(in), workload(in, "repo-server")) + command
}

// trustKey is the step that makes an SSH host key known.
func trustKey(f *message.Failure, host string) []diagnose.Fix {
	if negotiationFails(f) {
		return advice.Steps("Enable a host key type, key exchange and cipher on the host that the repo-server also supports, or use HTTPS")
	}
	if host == noHost {
		return []diagnose.Fix{{Text: "See which repository fails; compare the fingerprint of its host's key with the published one, then add the key to Argo CD (ssh-keyscan HOST | argocd cert add-ssh --batch --upsert)", Command: listRepositories}}
	}
	if f.Has("has changed", "key mismatch") {
		return []diagnose.Fix{{Text: "Compare the fingerprint of the key with the one that the host's operators publish; then store all keys of the host in Argo CD", Command: diagnose.Shell("ssh-keyscan %s | argocd cert add-ssh --batch --upsert", scanned(host))}}
	}
	return []diagnose.Fix{{Text: "Compare the host's key fingerprint with the published one, then add the key to Argo CD", Command: diagnose.Shell("ssh-keyscan %s | argocd cert add-ssh --batch", scanned(host))}}
}

// trustHost are the steps for a host whose certificate is not accepted. Argo CD stores certificates by name, without the port.
func trustHost(f *message.Failure, host string) []diagnose.Fix {
	if host == noHost {
		return []diagnose.Fix{{Text: "See which repository fails, and check the certificate of its host. If a private CA signed it, add that CA to Argo CD (argocd cert add-tls HOST --from ca.pem)", Command: listRepositories}}
	}
	name, _, _ := strings.Cut(host, ":")
	see := diagnose.Fix{Text: "Check the certificate that the host presents", Command: diagnose.Shell("openssl s_client -connect %s -showcerts </dev/null", advice.WithPort(host, "443"))}
	switch {
	case f.Has("handshake timeout"):
		return []diagnose.Fix{{Text: "Check the load of the host, and proxies, firewalls and the MTU between the repo-server's pod and it: the connection is made, and then no answer arrives"}, see}
	case f.Has("certificate has expired", "is not yet valid"):
		return []diagnose.Fix{{Text: "Renew the certificate on the host"}, see}
	case f.Has("certificate is valid for", "not valid for any names", "doesn't contain any ip sans", "cannot validate certificate for", "does not match target host name", "no alternative certificate subject name"):
		return []diagnose.Fix{{Text: "Use a name in the URL that the certificate is issued for, or issue one for this name"}, see}
	case f.Has("http response to https client", "first record does not look like a tls handshake", "wrong version number"):
		return []diagnose.Fix{{Text: "Use http://, or the port for HTTPS, in the URL: this port does not speak TLS. An OCI registry must speak it, unless its entry in Argo CD allows plain HTTP (since 3.1: argocd repo add --insecure-oci-force-http)"}}
	}
	return []diagnose.Fix{see, {Text: "If it is signed by a private CA, or by a proxy that inspects TLS, add that CA to Argo CD", Command: diagnose.Shell("argocd cert add-tls %s --from ca.pem", name)}}
}

// scanned is a host as ssh-keyscan takes it: the port in front.
func scanned(host string) diagnose.Raw {
	if name, port, ok := strings.Cut(host, ":"); ok {
		return diagnose.Raw(diagnose.Shell("-p %s %s", port, name))
	}
	return diagnose.Raw(diagnose.Shell("%s", host))
}
