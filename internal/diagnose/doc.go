// Package diagnose finds the root cause of a failing Argo CD application from evidence.
//
// A [Rule] is a value: what it recognises, in words, and a pure check. The [Engine] asks every rule, reads the facts that
// rules ask for (each once, independent ones in parallel), puts causes before effects and writes a [Report]. The same
// evidence gives the same report, byte for byte: there is no clock, no randomness and no order of a map in it.
//
// The rules are in package rules, by group. What they read with is beside it: message (texts of Argo CD and its tools), drift
// (objects that differ), pods, unhealthy (what is applied and not healthy), statement (what Argo CD and the API server say);
// what several of them advise is in package advice.
package diagnose
