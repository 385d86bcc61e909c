// Package blocks builds Slack messages that Slack accepts and that show every text as the text it was.
//
// Both hold by construction. A text from outside only ever becomes a text element of a rich_text block, or a plain_text
// object: neither of them has any markup, so that a "<!channel>", a "*" or a "```" in a log line is just these characters.
// What is markup (a link, a date, a command) is an element of its own. And a message is put together by Fit, which knows
// Slack's limits: what does not fit is cut at a line, and a note says so and where the rest is.
//
// Why rich_text: mrkdwn has an escape for &, < and >, but none for *, _, ~, ` and :emoji:
// (https://docs.slack.dev/messaging/formatting-message-text).
package blocks
