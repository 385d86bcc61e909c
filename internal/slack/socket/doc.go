// Package socket keeps the bot connected to Slack through Socket Mode, and receives what Slack delivers.
//
//	connection → envelope → read → delivered before? → room in the queue? → acknowledge → worker
//
// Every envelope is acknowledged before its work is done, because Slack waits no longer than three seconds; what people confirm is put on
// record before that, if it takes no more than two. Only the Read function
// in the options knows what an envelope is about: this package delivers work, each piece of it once.
package socket
