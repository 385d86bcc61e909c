// Package text formats words and numbers for people, with one formatter for each kind: durations, times, counts, revisions,
// sentences, shortened texts, the states of an action. The plan of a mute, its thread and the audit list must not say the same
// thing in three ways.
//
// It imports nothing of the project, so every package can use it.
package text
