// Package reporttext says parts of a report in words that do not depend on where they are shown: the terminal and Slack must
// not tell two stories about one failure.
package reporttext
