// Package sanitize makes what comes from outside harmless to show, wherever it is shown: no control sequences, no control
// characters, no marks that change the direction of writing, valid UTF-8, no secrets.
package sanitize
