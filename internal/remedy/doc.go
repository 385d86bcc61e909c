// Package remedy has people act on applications: refresh, delete a failed hook Job, terminate an operation, sync, mute. It
// knows no chat: a person is an ID, and what there is to say goes to a Teller.
//
//	ask ─► who may (Policy) ─► what would happen (Plan) ─► confirmed? ─► approved? ─► plan anew, still the same? ─► act ─► tell
//
// Everything that is asked for is a Record in the ActionLog of its application, written with optimistic concurrency before
// anything is done. So two clicks, two replicas or a click that is delivered twice make one execution, and who finds a record
// that is half done after a crash can find out what became of it.
package remedy
