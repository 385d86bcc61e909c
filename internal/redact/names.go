package redact

import (
	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/named"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// Named reports whether a value is a secret because of its name: the key of a document, a variable, a flag, the path of
// a field. What only says where a secret is, a variable, a template or a mask is none.
func Named(name, value string) bool { return secretname.Of(name).Hides(value, secretname.Quoted) }

// namesNumber is Named for a number, which is never a reference.
func namesNumber(name string) bool {
	switch secretname.Of(name).Class {
	case secretname.Password, secretname.Key, secretname.Code:
		return true
	case secretname.None, secretname.Ambiguous, secretname.Address:
	}
	return false
}

// holdsSecrets reports whether a list or a map with that name contains secrets.
func holdsSecrets(name string) bool {
	k := secretname.Of(name)
	return k.Class == secretname.Password || k.Class == secretname.Key || k.Plural
}

// namedSecrets appends the values in a text that the names before them tell.
func namedSecrets(s string, found []span, m *effort.Meter) []span {
	for _, v := range named.FindWithin(s, m) {
		found = append(found, span{v.Start, v.End})
	}
	return found
}
