// Package request is a person asking the bot for something, in words or with a click: who and where, and the ways in which that
// person alone hears what came of it.
//
// People who read logs and metrics know requests as questions, and clicks as presses: there the old words stay.
//
// Whoever asks gets an answer, always: if it cannot be given, a line that says why and what to do.
package request
