// Package invisible says which characters nobody sees: those without width, fillers, joiners, tags, and the marks that choose a
// form of the letter before them. They hide secrets from redaction and make two names look the same. It is the one list of them.
package invisible
