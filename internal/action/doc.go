// Package action is what people can have done to an application, as values: refresh, delete a failed hook Job, terminate an
// operation, sync, mute. It is pure: it decides and compares, and does nothing.
//
//	Request ─► Policy (who may) ─► Build(Request, Situation) ─► Plan with its Fingerprint ─► Record in the Log
//
// A Plan is what a person is shown before they confirm it. Its Fingerprint is equal for plans that show the same, so that what
// is done is what was confirmed. A Record is one action that was asked for, from the request to its end: the entry of the
// audit. internal/remedy carries it out.
package action
