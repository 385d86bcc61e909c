// Package page shows a workspace in a browser that looks and works much like Slack: channels, messages, threads, modals and
// Block Kit as HTML, for each of the people that a visitor can be. Updates arrive by themselves: a stream of server-sent events
// delivers the parts of the page that have changed, rendered here.
//
// It knows nothing about any bot. All content of messages is escaped, only the page's own script runs, and nothing is loaded
// from elsewhere, so an error text can never run and pictures of the page are the same everywhere.
package page
