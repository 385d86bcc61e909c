// Package sanitize makes external text safe to show anywhere: it removes control sequences, control characters, marks that change
// the writing direction, invalid UTF-8 and secrets.
package sanitize
