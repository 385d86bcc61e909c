// Package rules holds the rules: one file each, named after its id, and one list in list.go.
//
// A rule is a value of [diagnose.Rule]. Most recognise one statement of Argo CD by its mechanism: the stage it comes
// from, the peer that was talked to, the form of the API server's refusal. What rules share is in the files of this
// package that end in no rule's name: texts.go, peer.go, refusal.go, hookrun.go.
package rules
