// Package action models what people can do to an application, as values: refresh, delete a failed hook Job, terminate an
// operation, sync, mute. It is pure: it decides and compares, but executes nothing.
//
//	Request ─► Policy (who can) ─► Build(Request, Situation) ─► Plan with its Fingerprint ─► Record in the Log
//
// A Plan is what a person sees before they confirm it. Its Fingerprint is equal for plans that show the same, so what is done is
// what was confirmed. A Record is one requested action, from the request to its end: the entry in the audit trail.
// internal/remedy executes it.
package action
