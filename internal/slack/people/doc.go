// Package people knows who somebody is: a member of the workspace or organization that the bot serves, a guest of it, or a
// stranger in a channel that is shared with others. What a payload says about a person is a claim; Slack's users.info decides.
package people
