// Package dialog is what a person is shown before something is done: modals, out of plans. It is pure; golden files are in
// testdata.
//
// Every text from outside goes through package blocks, so that none of it is ever markup.
package dialog
