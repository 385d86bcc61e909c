// Package rules lists the rules: list.go is the table of contents.
//
// A rule is a value of [diagnose.Rule] in a separate file, named after its id, in the package of its group. Most recognise
// one statement of Argo CD by its mechanism: the stage it comes from, the peer that was contacted, the form of the API
// server's refusal. Those of hooks, drift and health look at a picture that is built once per diagnosis for all rules of the
// group. A group imports only what its rules need and no other group; the list imports all of them.
package rules
