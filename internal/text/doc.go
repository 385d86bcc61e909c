// Package text has one formatter for each kind of word and number that people read: durations, times, counts, revisions,
// sentences, shortened texts, the states of an action. The plan of a mute, its thread and the audit list must say the same
// thing in one way.
//
// It knows nothing about the project, so every package can use it.
package text
