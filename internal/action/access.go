package action

import "github.com/argo-why/argo-why/internal/sanitize"

// Access is what a person can do about an application, and why not.
type Access struct {
	Kind Kind
	// May: the policy lets this person. Approval are those of whom somebody else has to agree; nil where none is needed.
	May      bool
	Approval *Who
	// Could are those who may.
	Could Who
	// Everybody may; Guest: but for this person, who is a guest and not named.
	Everybody, Guest bool
	// NotNow says why it is not offered now, or cannot be done at all: the verdict, a missing right of the bot. "" when it is
	// offered.
	NotNow sanitize.Clean
}
