// Package render says in Slack messages what is known about a failure. It is pure: no clock, no I/O, and the same incident
// gives the same bytes. Times are written as moments that Slack lets age by itself.
//
// The root message is for somebody on a phone at night: headline, cause, fix and whether a sync would help, nothing to be
// opened. What is long (evidence, commands, YAML to paste, what was read and could not be) is in the details, the first
// reply of the thread. Further replies are its history, a line or two each.
package render
