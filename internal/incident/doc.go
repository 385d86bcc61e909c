// Package incident is the life of a failure as people see it: one cause, one thread, from the first moment to "recovered
// after 14 min".
//
// It is level-triggered. Sources (a webhook, a watch, a sweep, a person) carry no truth, only the key of an application.
// Reconciler reads the whole truth about it, Decide compares that with what is on record and returns a named reason, Store
// keeps the incidents of all applications and puts those with one shared cause together, a Journal remembers them across
// restarts, and a Notifier brings the thread up to date.
//
// What makes a crash harmless is the order: what is about to be told is on record first, in the outbox of the incident,
// and leaves it when it was told. After a crash in between nobody knows whether it was, so the Notifier looks into the
// channel before it says it again: every message carries the incident's ID and its own number in its metadata.
//
// There is no I/O here: Reader, Journal and Notifier are interfaces, implemented by internal/gateway, by internal/kube or
// internal/incident/bolt, and by internal/slack/deliver.
package incident
