package message_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestPlainLine(t *testing.T) {
	for line, want := range map[string]string{
		"2026-11-20 08:00:00 ERROR: no such table":                                            "ERROR: no such table",
		`ts=2026-11-17T14:20:00Z caller=main.go:1180 level=error err="open: read-only"`:       "open: read-only",
		`time="2026-10-04T11:02:19Z" level=fatal msg="configmap \"argocd-cm\" not found"`:     `configmap "argocd-cm" not found`,
		`level=error msg="cannot load config" err="no such file"`:                             "cannot load config: no such file",
		`{"level":"error","msg":"cannot start","error":"connection refused"}`:                 "cannot start: connection refused",
		`ERROR setup unable to start manager {"error": "no matches for kind"}`:                "ERROR setup unable to start manager: no matches for kind",
		`DB_HOST=db is not reachable`:                                                         "DB_HOST=db is not reachable",
		`{"level":"error","code":7}`:                                                          `{"level":"error","code":7}`,
		`dial tcp 10.0.1.45:5432: connect: connection refused, retry={"after":"5s"} and more`: `dial tcp 10.0.1.45:5432: connect: connection refused, retry={"after":"5s"} and more`,
		"": "",
	} {
		if got := message.Plain(line); got != want {
			t.Errorf("%s\n%s\nwant\n%s", line, got, want)
		}
	}
}
