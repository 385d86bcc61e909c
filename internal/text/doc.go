// Package text has one formatter for each kind of word and number that people read: durations, times, counts, revisions,
// sentences, shortened texts, the states of an action. The plan of a mute, its thread and the audit list must not say the
// same thing in three ways.
//
// It knows nothing of the project, so every package may use it.
package text
