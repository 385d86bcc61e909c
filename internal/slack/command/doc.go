// Package command parses what a person wrote to the bot: a slash command, a mention, a direct message. It knows how people
// type (typos, quotes, pasted addresses, a question in plain words) and what Slack makes of it (links, smart quotes,
// escapes), and it does no I/O: other packages find out whether the application exists.
package command
