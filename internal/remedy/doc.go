// Package remedy carries out what people ask for (internal/action): refresh, delete a failed hook Job, terminate an operation,
// sync, mute. It knows no chat: a person is an ID, and what there is to say goes to a Notifier.
//
//	Request ─► may they? (Policy) ─► what would happen? (Plan) ─► confirmed? ─► approved? ─► still the same? ─► act ─► notify
//
// Everything that is asked for is a Record in the Log of its application, written with optimistic concurrency before anything
// is done. So two clicks, two replicas or a click that is delivered twice make one execution, and whoever finds a record that
// is half done after a crash can find out what became of it.
//
//   - Service is what people use: Plan, Request, Decide, Offers, Access, Audit; Run works the records off.
//   - examiner answers whether somebody may, and what would happen.
//   - store edits the Logs; claim is the right of one process to work on one record, for as long as its lease lasts.
//   - execution does one record under its claim, or finds out what became of it.
package remedy
