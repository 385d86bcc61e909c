// Package operation holds the rules about the sync itself: one that was not allowed to start, is running, was terminated or has been given up.
package operation
