// Package workspace is a Slack workspace in memory: the Web API and Socket Mode over HTTP, and people who read, write
// and click. It is strict: it refuses what Slack refuses, with Slack's error codes, so a bot that works here meets no surprises
// in Slack. Faults are scripted: a rate limit, a server error, silence, a lost response, a socket that is open but dead.
//
// A story sets the scene (AddUser, AddChannel, AddApp), lets people act (Say, Command, Click, Submit) and looks at what
// they see (Channel("deploys").Messages). Await waits for a change without polling.
//
// A client reaches it over a port (Start) or in memory (Transport, DialContext); the latter works in a bubble of
// testing/synctest, where time-outs take no real time.
//
// The facts come from https://docs.slack.dev; the official npm clients are run against it in test/slackjs.
package workspace
