// Package blocks builds messages that Slack accepts and that show every text unchanged.
//
// Both are guaranteed by construction. An external text only ever becomes a text element of a rich_text block, or a plain_text
// object: neither of them has any markup, so a "<!channel>", a "*" or a "```" in a log line is just these characters.
// Markup (a link, a date, a command) is a separate element. And a message is assembled by Fit, which knows Slack's limits: what
// does not fit is cut at the end of a line, and a note says so and where the rest is.
//
// Why rich_text: mrkdwn has an escape for &, < and >, but none for *, _, ~, ` and :emoji:
// (https://docs.slack.dev/messaging/formatting-message-text).
package blocks
