package socket

import (
	"cmp"
	"context"
	"fmt"
)

// Identity is who the bot is in its workspace.
type Identity struct{ User, Name string }

// Mention is how people call the bot in a channel.
func (i Identity) Mention() string { return "@" + cmp.Or(i.Name, "argo") }

// Team is the ID of the only workspace that is served: T…, or E… of an organisation.
type Team string

// Home reports whether it is our workspace, or our organisation.
func (t Team) Home(team, enterprise string) bool {
	return team == string(t) || enterprise != "" && enterprise == string(t)
}

// Foreign reports whether a payload alone says that a person is of another workspace. One in an organization says of its members
// which of their workspaces they are of, and that may be another one than ours: then people.Directory decides, as it does whenever
// this is false.
func (t Team) Foreign(team, enterprise string) bool {
	return team != "" && team != string(t) && enterprise == "" && t[0] != 'E'
}

// identify asks who the bot is, once: its mention has to be known from others, and it must not answer for another workspace
// than the one that is configured.
func (s *Socket) identify(ctx context.Context) error {
	if s.self.User != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, identityTimeout)
	defer cancel()
	who, err := s.API.AuthTestContext(ctx)
	if err != nil {
		return fmt.Errorf("identify the bot to Slack: %w", err)
	}
	if !s.Team.Home(who.TeamID, who.EnterpriseID) {
		return fmt.Errorf("the bot token belongs to workspace %s (%s), but slack.team is %s: use the token of that workspace, or correct slack.team", who.TeamID, who.Team, s.Team)
	}
	s.self = Identity{User: who.UserID, Name: who.User}
	return nil
}
