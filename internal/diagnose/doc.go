// Package diagnose finds the root cause of a failing Argo CD application from evidence.
//
// A [Rule] is a value: a description of what it recognises, and a pure check. The [Engine] runs every rule, reads the facts
// that rules request (each once, independent ones in parallel), puts causes before effects and builds a [Report]. The same
// evidence gives the same report, byte for byte: it depends on no clock, no randomness and no map order.
//
// The rules are in package rules, by group. They read the evidence with its sibling packages: message (texts of Argo CD and its
// tools), drift (objects that differ), pods, unhealthy (what is applied but not healthy), statement (what Argo CD and the API
// server say); advice that several of them share is in package advice.
package diagnose
