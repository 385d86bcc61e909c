package message_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// TestAwaited: what a program lacks or waits for is found in its words, and its own caches do not count.
func TestAwaited(t *testing.T) {
	for line, want := range map[string]string{
		`2026-11-02T23:09:41Z [ERROR] agent: update: error="No known Consul servers"`: "consul servers",
		"Waiting for zookeeper: 2 of 3 ready ...":                                     "zookeeper",
		"wait-for-kafka":                            "kafka",
		"broker is not available yet":               "broker",
		"index is not ready yet (2/3 shards)":       "index",
		"waiting for caches to sync":                "",
		"Waiting for informer cache to sync":        "",
		"waiting for the service shop-db:5432":      "shop-db",
		"waiting for plugin index to download":      "plugin",
		"listening on :8080":                        "",
		"GET /ready 503 in 3ms":                     "",
		"no such file or directory: /etc/app.yaml":  "",
		"the nodeSelector of the pod was corrected": "",
	} {
		if got := message.Awaited(line); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
