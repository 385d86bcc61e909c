// Package request is a person asking the bot for something, in words or with a click: who and where, and the ways in which that
// person alone hears what came of it.
//
// Whoever asks gets an answer, always: if it cannot be given, a line that says why and what to do.
package request
