package message_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestNamesSayNothing(t *testing.T) {
	for _, text := range []string{
		`chart "denied" not ready`,
		"https://git.example.com/denied/x.git: gone",
		"apps/denied: app path does not exist",
		"`helm template . --set mode=denied` failed exit status 1: Error: boom",
		`Job.batch "migrate" is invalid: spec.template: Invalid value: core.PodTemplateSpec{Env:[]core.EnvVar{Value:"was denied: yes"}}: field is immutable`,
		"values from '../denied/values.yaml' are missing",
		"dial tcp: lookup denied.example.com on 10.0.0.10:53: no such host",
		"ssh: Could not resolve hostname denied.example.com: Name or service not known",
	} {
		f := message.Parse(text)
		if f.Has("denied") {
			t.Errorf("%s: a name is taken for a statement", text)
		}
		if !f.Mentions("denied") {
			t.Errorf("%s: the name is not mentioned", text)
		}
	}
	for text, words := range map[string]string{
		`rpc error: desc = "transport: Error while dialing: connection refused"`: "connection refused",
		"dial tcp 10.0.0.1:443: i/o timeout":                                     "i/o timeout",
		"execution error at (web/templates/a.yaml:1:2): image is needed":         "execution error at (",
		`admission webhook "a.b.c" denied the request: no`:                       "denied the request",
	} {
		if f := message.Parse(text); !f.Has(words) {
			t.Errorf("%s: does not say %q any more", text, words)
		}
	}
}
