// Package named finds the values of secrets in a text by the names before them: password=x, "token": "x", --api-key x,
// <password>x</password>, IDENTIFIED BY 'x'. The vocabulary of names is secretname's; this package knows the notations.
//
// A notation decides where a value ends: at its quote, at the bracket that closes, at a comma, at the end of the line. Where
// the text leaves that open, the scanner hides a little too much rather than leave the tail of a value. It reads a text once,
// from left to right, and looks only a limited distance around each name, so even a hostile text takes linear time.
package named
