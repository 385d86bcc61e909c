package access

import (
	"context"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack/people"
)

// Standing is who Slack says that somebody is now, and what access lets them see: it implements remedy.Standing.
type Standing struct {
	People *people.Directory
	// Viewer must not take former answers for granted.
	Viewer *audience.Policy
}

// Lost implements remedy.Standing. A guest is not refused here: the policy of actions decides about them.
func (s Standing) Lost(ctx context.Context, person action.Person, channel string, app action.App, project string) (string, error) {
	kind, err := s.People.FreshKind(ctx, person.ID, "")
	switch {
	case err != nil:
		return "", err
	case kind == people.Deactivated:
		return "no longer has an active account in Slack", nil
	case kind != people.Member && kind != people.Guest:
		return "is no longer a member of this workspace", nil
	}
	sees, err := s.Viewer.Admits(ctx, person.ID, channel, app, project)
	if err != nil || sees {
		return "", err
	}
	return "no longer has access to this application", nil
}
