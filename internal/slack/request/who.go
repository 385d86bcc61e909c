package request

import (
	"errors"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/people"
)

// MembersOnly is what people of other workspaces are told.
const MembersOnly = "I only answer members of the workspace I am installed in."

// Stranger is what somebody is told who does not belong here, "" for members and guests. err is why Slack did not say who it is:
// then nobody is a member.
func Stranger(kind people.Kind, err error) string {
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	switch {
	case ok && refused.Err == "missing_scope":
		return "Nothing was done: the bot cannot look up who is a member here. Ask the people who run it to add the scope `" + refused.Needed + "` to its Slack app and to reinstall the app."
	case err != nil:
		return "Slack could not confirm that you are a member of this workspace, so nothing was done. Try again in a moment."
	case kind == people.Member || kind == people.Guest:
		return ""
	}
	return MembersOnly
}
