package deliver

import "cmp"

// Shut is why nobody can be answered in a channel, where that is the channel's doing.
type Shut string

// The reasons.
const (
	NotMember Shut = "not a member"
	Archived  Shut = "archived"
	Forbidden Shut = "forbidden"
)

// lasting is a refusal that stays until a person repairs something.
type lasting struct {
	// remedy is what to repair.
	remedy string
	shut   Shut
}

const (
	unarchive = "unarchive the channel, or configure another one"
	reinstall = "reinstall the app to get a new bot token"
	scope     = "add the missing scope to the app and reinstall it"
	loosen    = "a workspace setting keeps the bot from posting in this channel; ask an administrator to change it"
)

// refusals are those that are known, by Slack's code. The codes are those of https://docs.slack.dev/reference/methods/chat.postMessage and of
// the other methods in use.
var refusals = map[string]lasting{
	"channel_not_found":                        {"check the channel in the configuration; if it is private, the bot must be a member: /invite it there", NotMember},
	"not_in_channel":                           {"invite the bot to the channel with /invite", NotMember},
	"is_archived":                              {unarchive, Archived},
	"is_inactive":                              {unarchive, Archived},
	"restricted_action":                        {loosen, Forbidden},
	"restricted_action_read_only_channel":      {"only some people may post in this channel; ask an administrator to allow the app, or configure another channel", Forbidden},
	"restricted_action_thread_only_channel":    {"only replies are allowed in this channel; configure another one", Forbidden},
	"restricted_action_non_threadable_channel": {"threads are not allowed in this channel; configure another one", Forbidden},
	"restricted_action_thread_locked":          {"the thread is locked; unlock it", Forbidden},
	"invalid_auth":                             {remedy: "check the bot token; " + reinstall},
	"not_authed":                               {remedy: "check the bot token; none was sent"},
	"account_inactive":                         {remedy: "the app was removed from the workspace; reinstall it"},
	"token_revoked":                            {remedy: reinstall},
	"token_expired":                            {remedy: reinstall + ", and turn off token rotation"},
	"missing_scope":                            {remedy: scope},
	"no_permission":                            {remedy: scope},
	"not_allowed_token_type":                   {remedy: "use the bot token (xoxb-…), not another kind of token"},
	"edit_window_closed":                       {remedy: "the workspace does not allow older messages to be edited; ask an administrator to allow it"},
	"access_denied":                            {remedy: "ask an administrator of the workspace to allow the app"},
	"ekm_access_denied":                        {remedy: "an administrator has suspended posting; ask one to resume it"},
	"enterprise_is_restricted":                 {remedy: "the organization does not let the app call this method; ask an administrator of it to allow that"},
	"org_login_required":                       {remedy: "the workspace is being migrated; ask an administrator when it is available again"},
	"team_access_not_granted":                  {remedy: "the app has no access to this workspace; ask an administrator to grant it"},
	"team_not_found":                           {remedy: "the workspace of the bot token no longer exists, or the app has no access to it; check the token and slack.team"},
	"two_factor_setup_required":                {remedy: "the workspace requires two-factor authentication; ask an administrator to set it up for the account that installed the app"},
	"user_not_in_channel":                      {remedy: "the person is not in the channel; answer through the command's response URL"},
}

// remedy is what to repair. A code that nobody has met yet is a rule of Slack's, too: trying again all the time changes nothing about it.
func remedy(code string) string {
	return cmp.Or(refusals[code].remedy, "see https://docs.slack.dev/reference/methods/chat.postMessage for what this code means")
}

// ShutOut says why nobody can be answered in a channel; "" where a code is about something else.
func ShutOut(code string) Shut { return refusals[code].shut }
