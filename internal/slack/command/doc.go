// Package command reads what a person wrote to the bot: a slash command, a mention, a direct message. It knows how people
// type (slips, quotes, pasted addresses, a question in plain words) and what Slack makes of it (links, smart quotes,
// escapes), and it does no I/O: whether the application exists is for others to find out.
package command
