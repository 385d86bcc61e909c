// Package compare measures `bot why` against what people type without it, in the lab: `argocd app get`, and the commands of a
// runbook one after the other.
//
//	make bench-compare     with a lab that is up and its scenarios run: source its env, make lab-scenario NAME=all
//
// Two processes on the same machine are slow at the same moments, so each round runs all of them for one application, in an order that
// turns, and what counts is the ratio within a round: its median over the rounds. It is printed for each application, with the promise
// beside the median of all. A time never fails it; a command that does not answer does.
package compare
