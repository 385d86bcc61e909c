// Package socket keeps the bot connected to Slack through Socket Mode, and receives what Slack delivers.
//
//	connection → envelope → read → delivered before? → room in the queue? → acknowledge → worker
//
// Every envelope is acknowledged before any work is done, because Slack waits no longer than three seconds. Only the Read function
// in the options knows what an envelope is about: this package delivers work, each piece of it once.
package socket
