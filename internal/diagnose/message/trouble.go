package message

import "github.com/argo-why/argo-why/internal/text"

// Trouble is the network failure as a title about the peer: "Git host git.example.com does not respond".
func (n Network) Trouble(peer string) string {
	switch n {
	case NetworkDNS:
		return text.UpperFirst(peer) + " does not resolve"
	case NetworkReset:
		return text.UpperFirst(peer) + " drops the connection"
	case NetworkTimeout:
		return text.UpperFirst(peer) + " does not respond"
	case NetworkTLS:
		return "TLS handshake with " + peer + " fails"
	case NetworkHostKey:
		return "SSH handshake with " + peer + " fails"
	case NetworkProxy:
		return "Proxy in front of " + peer + " fails"
	case NetworkUnavailable:
		return text.UpperFirst(peer) + " returns an HTTP error"
	case NetworkOK, NetworkRefused, NetworkUnreachable: // the clause that follows says it
	}
	return text.UpperFirst(peer) + " cannot be reached"
}
