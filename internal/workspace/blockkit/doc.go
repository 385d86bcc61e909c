// Package blockkit checks raw JSON as Slack would: which blocks, attachments and views it refuses, and with which error text. It
// looks at the bytes and not at the types of a client library, because a library drops what it does not know and Slack does not.
//
// The limits are listed beside the shapes, in limits.go, each with the page of the reference that documents it.
package blockkit
