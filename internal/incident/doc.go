// Package incident manages the life of a failure as people see it: one cause, one thread, from its start to "recovered after
// 14 min".
//
// It is level-triggered. Sources (a webhook, a watch, a sweep, a person) carry no state, only the key of an application.
// Reconciler reads its full state, Decide compares that with what is on record and returns a named reason, Store keeps the
// incidents of all applications and groups those with a shared cause, a Journal remembers them across restarts, and a Notifier
// brings the thread up to date.
//
// The order makes a crash harmless: a message is first recorded in the incident's outbox, then that it is being posted, and it leaves
// the outbox once it is. After a crash in between no one knows whether it was posted, so the Notifier searches the channel before it
// posts again, and waits while the message may still appear: every message carries the incident's ID and its own number in its metadata.
//
// There is no I/O here: Reader, Journal and Notifier are interfaces, implemented by internal/gateway, by internal/kube or
// internal/incident/bolt, and by internal/slack/deliver.
package incident
