package evidence

import "time"

// Token is what Argo CD knows of a token that it issued, to a local account or to a role of a project. The token itself it shows to nobody.
type Token struct {
	// Account is the local account that it belongs to; if it is empty, it belongs to Role of Project.
	Account string `json:"account,omitempty"`
	Project string `json:"project,omitempty"`
	Role    string `json:"role,omitempty"`
	// ID is unique within that account or role.
	ID string `json:"id"`
	// Issued and Expires are whole seconds in UTC. Expires is zero if it never does.
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires,omitzero"`
	// Own reports whether the bot logs in with it.
	Own bool `json:"own,omitempty"`
	// Replaced reports whether a token of the same account or role was issued later and expires later or never. Whether it is used in place
	// of this one, Argo CD does not know.
	Replaced bool `json:"replaced,omitempty"`
}
