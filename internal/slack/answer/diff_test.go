package answer

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// A value of /argo diff is alone: only what it is called says that it is a secret.
func TestAValueOfADiffIsHiddenByItsName(t *testing.T) {
	env := func(name string) drift.Path {
		return drift.Path{{Field: "env"}, {Member: true, Keys: map[string]any{"name": name}}, {Field: "value"}}
	}
	for _, c := range []struct {
		path           drift.Path
		content, shown string
	}{
		{env("DB_PASSWORD"), "hunter2", "[redacted]"},
		{env("REDIS_AUTH"), "hunter2", "[redacted]"},
		{env("LICENSE_KEY"), "a b c1", "[redacted]"},
		{drift.Path{{Field: "spec"}, {Field: "signingKey"}}, "hunter2", "[redacted]"},
		{drift.Path{{Field: "data"}, {Field: "app.properties"}}, "a=b\ndb.password=hunter2\n", "a=b\ndb.password=[redacted]\n"},
		{env("PASSWORD_FILE"), "/run/secrets/db", "/run/secrets/db"},
		{drift.Path{{Field: "spec"}, {Field: "secretName"}}, "db-2", "db-2"},
	} {
		if got := withoutSecrets(c.path.Name(), c.content); got != c.shown {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}
