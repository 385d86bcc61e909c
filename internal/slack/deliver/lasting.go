package deliver

import (
	"cmp"
	"time"
)

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
	// everywhere: it is about the bot or its workspace, and not about one message or channel.
	everywhere bool
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
	"channel_not_found":                        {remedy: "check the channel in the configuration; if it is private, the bot must be a member: /invite it there", shut: NotMember},
	"not_in_channel":                           {remedy: "invite the bot to the channel with /invite", shut: NotMember},
	"is_archived":                              {remedy: unarchive, shut: Archived},
	"is_inactive":                              {remedy: unarchive, shut: Archived},
	"restricted_action":                        {remedy: loosen, shut: Forbidden},
	"restricted_action_read_only_channel":      {remedy: "only some people may post in this channel; ask an administrator to allow the app, or configure another channel", shut: Forbidden},
	"restricted_action_thread_only_channel":    {remedy: "only replies are allowed in this channel; configure another one", shut: Forbidden},
	"restricted_action_non_threadable_channel": {remedy: "threads are not allowed in this channel; configure another one", shut: Forbidden},
	"restricted_action_thread_locked":          {remedy: "the thread is locked; unlock it", shut: Forbidden},
	"invalid_auth":                             {remedy: "check the bot token; " + reinstall, everywhere: true},
	"not_authed":                               {remedy: "check the bot token; none was sent", everywhere: true},
	"account_inactive":                         {remedy: "the app was removed from the workspace; reinstall it", everywhere: true},
	"token_revoked":                            {remedy: reinstall, everywhere: true},
	"token_expired":                            {remedy: reinstall + ", and turn off token rotation", everywhere: true},
	"missing_scope":                            {remedy: scope},
	"no_permission":                            {remedy: scope},
	"not_allowed_token_type":                   {remedy: "use the bot token (xoxb-…), not another kind of token", everywhere: true},
	"edit_window_closed":                       {remedy: "the workspace does not allow older messages to be edited; ask an administrator to allow it"},
	"access_denied":                            {remedy: "ask an administrator of the workspace to allow the app", everywhere: true},
	"ekm_access_denied":                        {remedy: "an administrator has suspended posting; ask one to resume it", everywhere: true},
	"enterprise_is_restricted":                 {remedy: "the organization does not let the app call this method; ask an administrator of it to allow that", everywhere: true},
	"org_login_required":                       {remedy: "the workspace is being migrated; ask an administrator when it is available again", everywhere: true},
	"team_access_not_granted":                  {remedy: "the app has no access to this workspace; ask an administrator to grant it", everywhere: true},
	"team_not_found":                           {remedy: "the workspace of the bot token no longer exists, or the app has no access to it; check the token and slack.team", everywhere: true},
	"two_factor_setup_required":                {remedy: "the workspace requires two-factor authentication; ask an administrator to set it up for the account that installed the app", everywhere: true},
	"user_not_in_channel":                      {remedy: "the person is not in the channel; answer through the command's response URL"},
}

// remedy is what to repair. A code that nobody has met yet is a rule of Slack's, too: trying again all the time changes nothing about it.
func remedy(code string) string {
	return cmp.Or(refusals[code].remedy, "see https://docs.slack.dev/reference/methods/chat.postMessage for what this code means")
}

// ShutOut says why nobody can be answered in a channel; "" where a code is about something else.
func ShutOut(code string) Shut { return refusals[code].shut }

// repairs is how often a refusal that is the same for all threads is tried again.
const repairs = 5 * time.Minute

// refusedEverywhere has the threads wait where Slack refuses all of them: one attempt tells as much as one for each.
func (s *Sender) refusedEverywhere(err error) {
	if refusals[code(err)].everywhere || code(err) == "wrong_team" {
		s.everywhere.shutFor(repairs)
	}
}
