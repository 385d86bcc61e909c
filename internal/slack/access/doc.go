// Package access decides who may look at which application from Slack.
//
// A policy is a list of rules: some applications, and those who may see them. Without any rule everybody may see
// everything; with rules, what no rule allows is refused, also when Slack cannot say who is in a group.
package access
