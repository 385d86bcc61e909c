// Package outofsync holds the drift rules: desired and live state differ, and no failure explains it.
//
// They share one picture (picture.go): the resources out of sync, compared field by field. Each field belongs to the one rule
// that explains it, from the specific to the general (precedence.go); each rule says which fields it explains.
package outofsync
