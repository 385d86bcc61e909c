// Package reporttext words those parts of a report that read the same wherever they are shown: the terminal and Slack must not
// give two different explanations of one failure.
package reporttext
