// Package probe asks Slack whether the bot can do its work there: the tokens, the workspace, the scopes, the socket and each
// channel. It posts nothing.
package probe
