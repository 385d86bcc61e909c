// Package panel shows everything on the demo's page except Slack: the applications in the words and colours of Argo CD, what a
// visitor can do to them, to the notifications, to Slack and to the bot, and the hints of the first minute.
package panel
