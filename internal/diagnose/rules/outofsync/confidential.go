package outofsync

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/named"
	"github.com/argo-why/argo-why/internal/redact/secretname"
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
	return isNamedSecret(f, f.Desired) || isNamedSecret(f, f.Live)
}

// isSwitch reports whether a value can hold no secret: true, false or nothing.
func isSwitch(v any) bool {
	_, ok := v.(bool)
	return ok || drift.Empty(v)
}

// isNamedSecret reports whether a value was redacted, or is a secret by the name of its field or by the names in it: the keys of
// what differs as a whole (an added variable), and the lines of a file (password: …).
func isNamedSecret(f drift.Field, v any) bool {
	shown := drift.Show(v)
	if strings.Contains(shown, "[redacted") {
		return true
	}
	content, isText := v.(string)
	if !isText {
		content = shown
	}
	k := secretname.Of(f.Path.Name())
	if k.Hides(content, secretname.Quoted) || !isText && (k.Plural || k.Class == secretname.Password) {
		return true
	}
	return (!isText || strings.Contains(content, "\n")) && len(named.Find(content)) > 0
}

func isSecret(ref evidence.Ref) bool { return ref.Kind == "Secret" && ref.Group == "" }
