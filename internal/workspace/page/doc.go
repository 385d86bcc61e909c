// Package page shows a workspace in a browser, much as Slack would: channels, messages, threads, modals, and Block Kit
// as HTML. It is read-only. All that comes from messages is escaped; no script runs and nothing is loaded from
// elsewhere, so pictures of it are the same everywhere.
package page
