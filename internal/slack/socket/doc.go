// Package socket keeps the bot connected to Slack through Socket Mode, and takes in what Slack delivers.
//
//	connection → envelope → read → delivered before? → room in the queue? → acknowledge → worker
//
// Every envelope is acknowledged before any work is done, as Slack waits three seconds at most. What an envelope is about is
// known to the Read function of the options alone: this package delivers work, and each piece of it once.
package socket
