// Package operation holds the rules about the sync itself: one that was not allowed to begin, runs, was ended or given up.
package operation
