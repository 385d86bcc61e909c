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

// broken are the codes by which Slack says that something failed on its side, perhaps after it took the message.
var broken = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}

// notOurs is the code for a message that we may not edit, that of an app we were before for example.
const notOurs = "cant_update_message"

// gone are the codes for a message or a thread that a person has deleted, or that is that of an app we were before.
var gone = []string{"message_not_found", "thread_not_found", "cannot_reply_to_message", notOurs}

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
	e.Permanent = e.Certain && e.Code != "ratelimited" && !slices.Contains(gone, said.Err) && !slices.Contains(faulty, said.Err)
	if e.Permanent {
		e.Remedy = remedy(said.Err)
	}
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
