// Package render turns what is known about a failure into Slack messages. It is pure: no clock, no I/O, and the same incident
// gives the same bytes. Times are written as moments that Slack ages by itself.
//
// The root message is for somebody on a phone at night: headline, cause, whether a sync would help, the buttons, and the first
// steps, all on one screen. What is long (evidence, commands, YAML to paste, further steps, what could not be read) is in the
// details, the first reply of the thread. Further replies are its history, a line or two each.
package render
