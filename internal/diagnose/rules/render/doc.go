// Package render has the rules about a desired state that could not be produced: Argo CD's own parts, git, charts and the
// tools that render. They recognise a statement by the peer that was contacted (peer.go) and the form of the failure.
package render
