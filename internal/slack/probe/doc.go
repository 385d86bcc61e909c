// Package probe checks whether Slack lets the bot do its work: the tokens, the workspace, the scopes, the socket and each
// channel. It posts nothing, unless that is what is to be checked.
package probe
