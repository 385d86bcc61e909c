// Package change reads what a printed command would change. It knows the commands that rules write and no others: what it does not
// know to be a look is a change.
package change
