// Package page shows a workspace in a browser, looks and works much as Slack does: channels, messages, threads, modals and
// Block Kit as HTML, for each of the people that a visitor can be. What changes comes by itself: a stream of server-sent
// events brings the parts of the page that are no longer the same, rendered here.
//
// It knows nothing of any bot. All that comes from messages is escaped, no script but the page's own runs, and nothing is
// loaded from elsewhere, so that what an error says never acts and pictures of the page are the same everywhere.
package page
