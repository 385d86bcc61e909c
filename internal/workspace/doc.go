// Package workspace is a Slack workspace in memory: the Web API and Socket Mode over HTTP, and people who read, write
// and click. It is strict: what Slack refuses it refuses, with Slack's error codes, so that a bot that works here is
// not surprised there. Faults are scripted: a rate limit, a server error, silence, an answer that is lost, a socket
// that is open and dead.
//
// A story sets the scene (AddUser, AddChannel, AddApp), lets people act (Say, Command, Click, Submit) and looks at what
// they see (Channel("deploys").Messages). Await waits for a change without polling.
//
// A client reaches it over a port (Start) or in memory (Transport, DialContext); the second works in a bubble of
// testing/synctest, where the seconds of a time-out take none.
//
// The facts come from https://docs.slack.dev; the official npm clients are run against it in test/slackjs.
package workspace
