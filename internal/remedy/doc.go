// Package remedy executes what people request (internal/action): refresh, delete a failed hook Job, terminate an operation,
// sync, mute. It knows nothing about chat: a person is an ID, and messages go to a Notifier.
//
//	Request ─► allowed? (Policy) ─► what would happen? (Plan) ─► confirmed? ─► approved? ─► still the same? ─► act ─► notify
//
// Every request is a Record in the Log of its application, written with optimistic concurrency before anything is done. So two
// clicks, two replicas or a click delivered twice result in one execution, and a process that finds a half-finished record after
// a crash can find out what became of it.
//
//   - Service is the interface for people: Plan, Request, Decide, Offers, Access, Audit; Run processes the records.
//   - examiner decides whether a person is allowed to, and what would happen.
//   - store edits the Logs; claim is the right of one process to work on one record until its lease expires.
//   - execution executes one record under its claim, or finds out what became of it.
package remedy
