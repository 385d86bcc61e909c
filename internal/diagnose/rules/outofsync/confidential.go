package outofsync

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// hidden stands for what must not be seen.
const hidden = "(hidden)"

// isConfidential reports whether the values of a field must not be seen.
func isConfidential(r *resource, f drift.Field) bool {
	if isSecret(r.Ref) {
		return !f.Path.Under("metadata", "labels") && !f.Path.Under("type") && f.Path.Last() != "argocd.argoproj.io/tracking-id"
	}
	if r.Ref.Group == "rbac.authorization.k8s.io" {
		return false // a role only names what it gives access to
	}
	if isSwitch(f.Desired) && isSwitch(f.Live) {
		return false
	}
	if strings.HasPrefix(r.Ref.Group, "external-secrets.io") && f.Path.Has("remoteRef") {
		return false // it says where a secret is, and how it is stored there
	}
	redacted := strings.Contains(drift.Show(f.Desired)+drift.Show(f.Live), "[redacted") // in a case file
	return redacted || namesSecret(f.Path.String()) || namesSecret(namesIn(f.Desired)) || namesSecret(namesIn(f.Live))
}

// isSwitch reports whether a value can hold no secret: true, false or nothing.
func isSwitch(v any) bool {
	_, ok := v.(bool)
	return ok || drift.Empty(v)
}

// namesSecret reports whether a text names a secret. secretName, secretRef and the like only point at one.
func namesSecret(text string) bool {
	lower := strings.ToLower(text)
	if !message.HasAny(lower, "pass", "token", "key", "secret", "credential", "connection") {
		return false // most texts: the expressions are slow
	}
	return secretWord.MatchString(text) && secretWord.MatchString(pointsAtSecret.ReplaceAllString(text, ""))
}

var (
	secretWord     = pattern.MustCompile(`(?i)passw(or)?d|passphrase|token|api[_-]?key|private[_-]?key|access[_-]?key|secret|credential|connection[_-]?string`)
	pointsAtSecret = pattern.MustCompile(`(?i)(existing)?(image[_-]?pull)?secrets?[_-]?(name|key[_-]?ref|ref|store|provider[_-]?class)s?\w*|image[_-]?pull[_-]?secrets|service[_-]?account[_-]?token|token[_-]?(expiration|ttl|audience)\w*|external[_-]?secrets?|sealed[_-]?secrets?|\.spec\.secrets?$`)
)

// namesIn are the names in a value that may say that it is a secret: the keys of what differs as a whole (an added
// variable), and the lines of a file (password: …).
func namesIn(v any) string {
	switch v := v.(type) {
	case map[string]any, []any:
		return drift.Show(v)
	case string:
		if strings.Contains(v, "\n") {
			return v
		}
	}
	return ""
}

func isSecret(ref evidence.Ref) bool { return ref.Kind == "Secret" && ref.Group == "" }
