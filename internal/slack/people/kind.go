package people

import (
	"slices"

	"github.com/slack-go/slack"
)

// Kind is what somebody is to the workspace or organization that the bot serves.
type Kind string

// The kinds.
const (
	Member Kind = "member"
	// Guest is a single-channel or multi-channel guest: invited into some channels, and not a colleague.
	Guest Kind = "guest"
	// Stranger is of another workspace: somebody in a channel that is shared with it, or nobody that Slack knows.
	Stranger Kind = "stranger"
	// Deactivated accounts have no say; what they sent before is on its way for a while.
	Deactivated Kind = "deactivated"
	Bot         Kind = "bot"
)

// person is what Slack said of somebody.
type person struct {
	kind Kind
	// teams are all workspaces and organizations that they are in.
	teams []string
}

// of says what a user is to a home: a workspace, or an organization with the workspaces that are known to be in it.
// is_stranger alone is not enough: it is false of a stranger in a channel that the app can see.
// https://docs.slack.dev/reference/objects/user-object
func of(u *slack.User, home string, inOrganization func(team string) bool) person {
	p := person{kind: Member, teams: slices.Concat(u.Enterprise.Teams, []string{u.TeamID, u.Enterprise.EnterpriseID})}
	belongs := slices.Contains(p.teams, home)
	if !belongs && u.Enterprise.EnterpriseID == "" { // else it names the organization, which is another one
		belongs = inOrganization(u.TeamID)
	}
	switch {
	case u.IsStranger || !belongs:
		p.kind = Stranger
	case u.Deleted:
		p.kind = Deactivated
	case u.IsBot || u.IsWorkflowBot || u.IsConnectorBot:
		p.kind = Bot
	case u.IsRestricted || u.IsUltraRestricted:
		p.kind = Guest
	}
	return p
}
