// Package request is a person asking the bot for something, in words or with a click: who and where, and the ways to reply to
// that person privately.
//
// Logs and metrics call requests questions and clicks presses: the old names stay there for the people who read them.
//
// Every request gets an answer: if there is none, a line that says why and what to do.
package request
