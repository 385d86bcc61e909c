package outofsync

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// A value is hidden by the same vocabulary of names as in every text.
func TestAFieldThatIsCalledASecretIsConfidential(t *testing.T) {
	env := func(name string) drift.Path {
		return drift.Path{{Field: "env"}, {Member: true, Keys: map[string]any{"name": name}}, {Field: "value"}}
	}
	field := func(name string) drift.Path { return drift.Path{{Field: "spec"}, {Field: name}} }
	for _, c := range []struct {
		path          drift.Path
		desired, live any
		want          bool
	}{
		{env("REDIS_AUTH"), "hunter2", "hunter3", true},
		{env("LICENSE_KEY"), "a1b2c3d4e5", "a1b2c3d4e6", true},
		{env("SMTP_PW"), "hunter2", nil, true},
		{field("erlangCookie"), "hunter2", "hunter3", true},
		{field("requirepass"), "hunter2", "hunter3", true},
		{field("config"), "port=1\nmaster_key=a1b2c3d4e5\n", "port=2\nmaster_key=a1b2c3d4e5\n", true},
		{field("env"), []any{map[string]any{"name": "PASSWORD_SALT", "value": "a1b2c3d4"}}, nil, true},
		{field("message"), "[redacted]", "x", true},
		{field("tokenTTL"), "30m", "60m", false},
		{field("secretName"), "db-1", "db-2", false},
		{field("existingSecret"), "db-1", "db-2", false},
		{field("passwordPolicy"), "strong", "weak", false},
		{field("authToken"), "$(TOKEN)", "${TOKEN}", false},
		{field("replicas"), 1.0, 2.0, false},
		{env("PASSWORD_FILE"), "/run/a", "/run/b", false},
	} {
		f := drift.Field{Path: c.path, Desired: c.desired, Live: c.live, InDesired: true, InLive: true}
		if got := isConfidential(&resource{}, f); got != c.want {
			t.Errorf("%s: %v", c.path, got)
		}
	}
}
