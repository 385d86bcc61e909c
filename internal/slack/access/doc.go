// Package access decides who can see which application from Slack.
//
// A policy is a list of rules: some applications, and the people who can see them. Without any rule everyone can see everything;
// with rules, what no rule allows is refused, even if Slack cannot say who is in a group.
package access
