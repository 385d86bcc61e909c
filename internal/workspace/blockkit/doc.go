// Package blockkit says of raw JSON what Slack would say of it: which blocks, attachments and views it refuses and in
// which words. It looks at the bytes and not at the types of a client library, because a library drops what it does not
// know and Slack does not.
//
// The limits stand beside the shapes, in limits.go, each with the page of the reference that states it.
package blockkit
