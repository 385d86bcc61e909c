package message_test

import (
	"testing"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// FuzzParse: no text makes the parsers panic, and what they cut out of it stays within it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "`", "rpc error: code = ", "rpc error: code = Unknown desc = ", "failed to generate manifest for source 99999999999999999999 of : ",
		"Failed to load target state: failed to generate manifest for source 1 of 2: rpc error: code = Unknown desc = `helm template .` failed exit status 1: Error: at <.Values.x>: nil pointer",
		`Deployment.apps "web" is invalid: [spec.selector: Invalid value: "x`, `namespaces "`, "failed calling webhook \"", "Retrying attempt #", "(retried 99999999999999999999 times).",
		"İİİİ namespaces \"x\" not found", "waiting for healthy state of //",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := message.Parse(s)
		if len(p.Cause) > len(s) {
			t.Errorf("the cause is longer than the text")
		}
		p.Network()
		p.AuthRefused()
		p.Host()
		p.URL()
		p.Invalid()
		p.Forbidden()
		p.Webhook()
		p.Quoted("namespaces ")
		if line := p.Line(80); utf8.ValidString(s) && !utf8.ValidString(line) {
			t.Errorf("a valid text became invalid: %q", line)
		}
		message.ParseCondition("ComparisonError", s)
		message.Decisive(s)
		message.Unstamped(s)
	})
}
