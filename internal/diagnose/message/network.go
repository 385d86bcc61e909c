package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// Network is what went wrong between two machines.
type Network string

// The kinds of network failure, by what has to be looked at: name service, the listener, the path, the certificate.
const (
	NetworkOK          Network = ""
	NetworkDNS         Network = "name not found"
	NetworkRefused     Network = "connection refused"
	NetworkReset       Network = "connection reset"
	NetworkTimeout     Network = "no answer in time"
	NetworkUnreachable Network = "no route"
	NetworkTLS         Network = "TLS or certificate"
	NetworkHostKey     Network = "SSH host key"
	NetworkProxy       Network = "proxy"
	NetworkUnavailable Network = "server error"
)

// network lists the words of Go's net package, of libcurl (git), of OpenSSH and of HTTP servers, the telling ones first.
var network = []struct {
	kind  Network
	words []string
}{
	{NetworkProxy, []string{"proxyconnect", "proxy connect", "could not resolve proxy", "from proxy after connect", "proxy authentication required"}},
	{NetworkHostKey, []string{"knownhosts:", "host key verification failed", "key is unknown", "host key mismatch", "no authorities for hostname", "unknown host key", "host key is known for", "no hostkey alg", "no matching host key", "no matching key exchange", "no matching cipher", "unable to negotiate", "remote host identification has changed"}},
	{NetworkTLS, []string{"x509:", "tls:", "tls handshake", "ssl certificate", "certificate verif", "ssl_error", "ssl routines", "server gave http response to https client", "sslv3", "unable to get local issuer certificate", "gnutls_handshake", "certificate signed by"}},
	{NetworkDNS, []string{"no such host", "nosuch host", "could not resolve host", "temporary failure in name resolution", "name or service not known", "server misbehaving", "name does not resolve", "nodename nor servname"}},
	{NetworkRefused, []string{"connection refused", "econnrefused", "actively refused"}},
	{NetworkReset, []string{"connection reset", "reset by peer", "broken pipe", "unexpected eof", ": eof", "early eof", "connection closed by", "remote end hung up", "connection timed out while reading", "stream error", "server closed", "transport is closing", "use of closed network connection", "kex_exchange_identification", "ssh_exchange_identification"}},
	{NetworkUnreachable, []string{"no route to host", "network is unreachable", "host is unreachable", "ehostunreach"}},
	{NetworkTimeout, []string{"i/o timeout", "client.timeout", "timed out", "awaiting headers", "etimedout", "timeout exceeded", "failed to connect to", "couldn't connect to server", "could not connect to server"}},
	{NetworkUnavailable, []string{"502 bad gateway", "503 service unavailable", "504 gateway", "500 internal server error", "status code: 500", "status code: 502", "status code: 503", "status code: 504", "returned error: 50", "returned error: 429", "status code: 429", "service unavailable", "bad gateway", "gateway time", "not responding", "too many requests", "rate limit", "<html"}},
}

// lookupFails is how Go ends a lookup that got no answer.
var lookupFails = pattern.MustCompile(`lookup \S+(?: on \S+)?: (?:i/o timeout|operation was canceled|context deadline exceeded)`)

// requestEnds is how Go ends a request to a host that took too long.
var requestEnds = pattern.MustCompile(`\b(?:get|head|post) "[^" ]*": context deadline exceeded`)

// Network is the network failure that the text speaks of.
func (f *Failure) Network() Network { return f.network }

func networkOf(masked string) Network {
	if strings.Contains(masked, "lookup ") && (strings.Contains(masked, "udp ") || lookupFails.MatchString(masked)) { // the DNS server did not answer
		return NetworkDNS
	}
	for _, n := range network {
		if HasAny(masked, n.words...) {
			return n.kind
		}
	}
	if strings.Contains(masked, "context deadline exceeded") && requestEnds.MatchString(masked) {
		return NetworkTimeout
	}
	return NetworkOK
}

// authWords are how git hosts, SSH, registries and HTTP servers refuse a caller.
var authWords = []string{
	"authentication required", "authentication failed", "authorization failed", "invalid credentials", "bad credentials",
	"permission denied (public", "permission denied (keyboard", "permission to ", "could not read username", "could not read password",
	"terminal prompts disabled", "invalid username or password", "incorrect username or password", "unable to authenticate", "saml sso", "could not refresh installation", "access_tokens", "failed to get azure access token", "identitycredential", "passphrase protected", "git creds", "ssh key has expired", "no longer allowed", "from redirection", "status code: 302", "status code: 301",
	"no supported methods remain", "access denied", "http basic:", "unauthorized", "not authorized",
	"app password which has expired", "account is suspended", "account has been suspended", "account is disabled", "do not have permissions for the operation", "not allowed to download code",
	"token is expired", "token expired", "token has expired", "expired token", "password authentication was removed", "permissions to perform this",
	"error in libcrypto", "ssh_auth_sock", "error creating ssh agent", "no basic auth credentials", "basic credential not found", "requested access to the resource is denied",
	"denied: ", "not have permission", "you are not allowed", "is not allowed to", "deploy key", "no such identity", "unprotected private key",
	"error loading key", "load key", "invalid format", "ssh: no key found", "cannot decode encrypted private keys", "pull access denied", "login required",
	"does not have permission", "write access to repository not granted", "that is about to be deprecated and your request has been blocked", "which is no longer secure",
}

// AuthRefused reports whether a server refused the caller's credentials, or their absence.
func (f *Failure) AuthRefused() bool { return f.authRefused }

func authRefusedIn(masked string) bool {
	return HasAny(masked, authWords...) || status(masked, "401") || status(masked, "403")
}

// afterStatusWord reports whether a number that follows is said to be a status: "status code: 401", "HTTP 403", "GET …: 401".
func afterStatusWord(before string) bool {
	before = strings.TrimRight(before, " :=(\"'")
	for _, w := range []string{"status", "code", "http", "error", "returned", "received", "response", "answered", "desc", "request", "_"} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return before == ""
}

// status reports whether a number is in the text by itself: not within a hash, a version or a port.
func status(lower, number string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], number)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(number)
		if afterStatusWord(lower[:i]) && (end == len(lower) || strings.IndexByte(" :;,.)\"'\n", lower[end]) >= 0) {
			return true
		}
		from = end
	}
}

var (
	urlHost  = pattern.MustCompile(`(?:https?|ssh|oci|git)://(?:[^/?#\\\s"']+@)?([A-Za-z0-9.\-_]+(?::\d+)?)`) // the host begins behind the last @ in front of the path
	dialHost = pattern.MustCompile(`(?:dial tcp|lookup|Could not resolve host:|hostname:|connect to host)\s+([A-Za-z0-9.\-_]+(?::\d+)?)`)
	scpHost  = pattern.MustCompile(`[A-Za-z0-9_\-]+@([A-Za-z0-9.\-_]+):`)
)

// Host is the peer of a network failure, with its port where the text has one; empty when it names none. The name that
// was asked for is preferred to the address it resolved to.
func (f *Failure) Host() string {
	for _, e := range []*pattern.Regexp{urlHost, dialHost, scpHost} {
		for _, m := range e.FindAllStringSubmatch(f.Text, -1) {
			if h := strings.TrimSuffix(m[1], ":"); !strings.HasSuffix(h, "-") { // else the name is broken by the end of a line
				return h
			}
		}
	}
	return ""
}

var urlText = pattern.MustCompile(`(?:https?|ssh|oci|git)://[^\s"'` + "`" + `<>,;)]+`)

// URL is the first address in the text; empty without one.
func (f *Failure) URL() string {
	return strings.TrimRight(urlText.FindString(f.Text), ".:")
}
