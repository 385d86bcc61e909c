// Package shared knows which channels people of other organizations read: those that are shared through Slack Connect. Nothing in a
// request is sure to say so, as only events name it, so Slack's conversations.info decides.
package shared
