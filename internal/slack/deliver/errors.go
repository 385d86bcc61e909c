package deliver

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

// remedies are the errors that stay until a person repairs something, and what to repair. The codes are those of
// https://docs.slack.dev/reference/methods/chat.postMessage and of the other methods in use.
var remedies = map[string]string{
	"channel_not_found":               "check the channel in the configuration; if it is private, the bot must be a member: /invite it there",
	"not_in_channel":                  "invite the bot to the channel with /invite",
	"is_archived":                     "unarchive the channel, or configure another one",
	"is_inactive":                     "unarchive the channel, or configure another one",
	"invalid_auth":                    "check the bot token; reinstall the app to get a new one",
	"not_authed":                      "check the bot token; none was sent",
	"account_inactive":                "the app was removed from the workspace; reinstall it",
	"token_revoked":                   "reinstall the app to get a new bot token",
	"token_expired":                   "reinstall the app to get a new bot token, and turn off token rotation",
	"missing_scope":                   "add the missing scope to the app and reinstall it",
	"no_permission":                   "add the missing scope to the app and reinstall it",
	"not_allowed_token_type":          "use the bot token (xoxb-…), not another kind of token",
	"restricted_action":               "a workspace setting keeps the bot from posting in this channel; ask an administrator to change it",
	"restricted_action_thread_locked": "the thread is locked; unlock it",
	"edit_window_closed":              "the workspace does not allow older messages to be edited; ask an administrator to allow it",
	"access_denied":                   "ask an administrator of the workspace to allow the app",
	"ekm_access_denied":               "an administrator has suspended posting; ask one to resume it",
	"org_login_required":              "the workspace is being migrated; ask an administrator when it is available again",
	"team_access_not_granted":         "the app has no access to this workspace; ask an administrator to grant it",
	"user_not_in_channel":             "the person is not in the channel; answer through the command's response URL",
}

// broken are the codes by which Slack says that something failed on its side, perhaps after it took the message.
var broken = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}

// gone are the codes for a message or a thread that a person has deleted, or that is that of an app we were before.
var gone = []string{"message_not_found", "thread_not_found", "cannot_reply_to_message", "cant_update_message"}

// faulty are the codes for a message that Slack cannot take: our mistake.
var faulty = []string{
	"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "block_mismatch", "invalid_attachments",
	"too_many_attachments", "metadata_too_large", "markdown_text_conflict", "invalid_arguments", "no_text",
}

// classify says what an error of a call means. Rate limits pass as they are.
func classify(method string, err error) error {
	if _, limited := rateLimit(err); err == nil || limited {
		return err
	}
	wrapped := fmt.Errorf("%s: %w", method, err)
	var said slack.SlackErrorResponse
	if errors.As(err, &said) {
		return refusal(said, wrapped)
	}
	var foreign *wrongTeamError
	if errors.As(err, &foreign) {
		return &incident.NotifyError{Code: "wrong_team", Permanent: true, Remedy: "correct slack.team, or use the bot token of that workspace", Certain: true, Err: err}
	}
	var status slack.StatusCodeError
	if errors.As(err, &status) {
		if status.Code == http.StatusTooManyRequests {
			return &incident.NotifyError{Code: "ratelimited", After: unsaid, Certain: true, Err: wrapped}
		}
		return &incident.NotifyError{Code: fmt.Sprintf("http_%d", status.Code), Certain: status.Code < 500, Err: wrapped}
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" { // nothing was sent
		return &incident.NotifyError{Code: "unreachable", Certain: true, Err: wrapped}
	}
	return &incident.NotifyError{Code: "connection", Err: wrapped}
}

func refusal(said slack.SlackErrorResponse, wrapped error) error {
	e := &incident.NotifyError{Code: said.Err, Err: wrapped, Certain: !slices.Contains(broken, said.Err)}
	if said.Err == "rate_limited" || said.Err == "message_limit_exceeded" {
		e.Code, e.After = "ratelimited", unsaid
	}
	e.Remedy, e.Permanent = remedies[said.Err]
	if said.Err == "missing_scope" && said.Needed != "" {
		e.Remedy = fmt.Sprintf("add the scope %s to the app and reinstall it", said.Needed)
	}
	return e
}

// code is Slack's word for what went wrong.
func code(err error) string {
	var e *incident.NotifyError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func isGone(err error) bool   { return slices.Contains(gone, code(err)) }
func isFaulty(err error) bool { return slices.Contains(faulty, code(err)) }

// unclear reports whether the call may have had its effect all the same.
func unclear(err error) bool {
	var e *incident.NotifyError
	return errors.As(err, &e) && !e.Certain
}

// outcome is a word for the metrics.
func outcome(err error) string {
	_, limited := rateLimit(err)
	switch {
	case err == nil:
		return "ok"
	case limited:
		return "ratelimited"
	case unclear(err):
		return "broken"
	}
	return "refused"
}
