// Package sanitize makes texts from outside harmless to show: no control sequences, no control characters, no characters that
// nobody sees, no marks that change the direction of writing, valid UTF-8, no secrets.
package sanitize
