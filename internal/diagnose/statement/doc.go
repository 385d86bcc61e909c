// Package statement reads what Argo CD and the API server say, for the rules that recognise a [diagnose.Statement]: which
// statements a rule looks at, whether one is a refusal of the API server, what it refuses and why. Refusals that Argo CD does
// not repeat, of pods that a controller cannot create, are read from events and look the same to a rule.
package statement
