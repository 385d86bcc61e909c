package message_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestTrouble(t *testing.T) {
	for n, want := range map[message.Network]string{
		message.NetworkOK:          "Git host a.example cannot be reached",
		message.NetworkDNS:         "Git host a.example does not resolve",
		message.NetworkRefused:     "Git host a.example cannot be reached",
		message.NetworkReset:       "Git host a.example drops the connection",
		message.NetworkTimeout:     "Git host a.example does not respond",
		message.NetworkUnreachable: "Git host a.example cannot be reached",
		message.NetworkTLS:         "TLS handshake with git host a.example fails",
		message.NetworkHostKey:     "SSH handshake with git host a.example fails",
		message.NetworkProxy:       "Proxy in front of git host a.example fails",
		message.NetworkUnavailable: "Git host a.example returns an HTTP error",
	} {
		if got := n.Trouble("git host a.example"); got != want {
			t.Errorf("%s: %q, want %q", n, got, want)
		}
	}
}
