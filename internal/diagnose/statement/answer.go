package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// immutable are the API server's words about a field that is fixed when the object is created.
var immutable = []string{
	"field is immutable", "is immutable", "immutable field", "are immutable", "cannot change roleref", "updates to statefulset spec", "may not be changed", "cannot be changed", "can't be changed", "can not be changed",
	"may not change once set", "cannot be updated", "cannot be modified", "not be changed after", "can not be unset", "may not be unset", "forbidden: updates to", "pod updates may not change", "immutable after creation", "can only be set at creation", "cannot be removed once",
}

// Immutable reports whether the API server refuses to change a field that is fixed when the object is created.
func Immutable(f *message.Failure) bool {
	return f.Has(immutable...) && !f.Has("denied the request")
}

// ImmutableReason reports whether that is the reason for one field of several.
func ImmutableReason(reason string) bool {
	return message.HasAny(strings.ToLower(reason), append([]string{"updates to "}, immutable...)...)
}

// SaidByAPIServer reports whether a text has the form of the API server's answers: a container may write the same words
// about something else.
func SaidByAPIServer(f *message.Failure) bool {
	return f.Has(" is invalid: ", "is forbidden: ", "error when ", "admission webhook", "failed calling webhook", "object is being deleted", "no matches for kind",
		"could not find the requested resource", "crd is installed", "the object has been modified", "the server was unable", "the server could not", "the server is currently") ||
		objectFirst.MatchString(f.Cause)
}

// objectFirst: `jobs.batch "migrate" already exists`; not `relation "users" already exists`, which is a database error.
var objectFirst = pattern.MustCompile(`^(?:[a-z]+\.[a-z0-9.\-]+|pods|configmaps|secrets|services|serviceaccounts|persistentvolumeclaims|namespaces) "[^"]+" (?:already exists|not found)$`)
