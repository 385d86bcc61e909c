package webhook_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/webhook"
)

// What comes out goes into keys, logs and requests: whatever goes in, it is a pair of names and nothing else.
func FuzzParse(f *testing.F) {
	f.Add([]byte(body))
	f.Add([]byte(`{"app": "a.b-c", "namespace": "x", "app": "d"}`))
	f.Add([]byte(`{"app": "a\u0000", "namespace": "\u212aube"}`))
	f.Add([]byte(`[{"app": 1}]`))
	f.Add([]byte("{\"app\": \"\xff\", \"namespace\": \"x\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		app, err := webhook.Parse(text)
		if err != nil {
			if app.Name != "" || app.Namespace != "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %+v beside the error %q", text, app, err)
			}
			return
		}
		for _, name := range []string{app.Namespace, app.Name} {
			if name == "" || len(name) > 253 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
				t.Errorf("%q gave the name %q", text, name)
			}
		}
	})
}
