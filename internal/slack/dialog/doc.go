// Package dialog builds the modals that a person sees before something is done, from plans. It is pure; golden files are in
// testdata.
//
// Every external text goes through package blocks, so none of it can become markup.
package dialog
