// Package deliver brings messages into Slack so that nothing is lost and nothing is told twice.
//
// Calls that write into a channel stand in one line for that channel: one at a time, in order, at about one message per
// second, and none before the moment that Slack named in a Retry-After. A channel that Slack makes wait holds up no other.
//
// A post whose answer never came may stand in the channel all the same. Every post carries the ID of its incident and a
// number in its metadata, so before it is repeated the channel is searched for it: within one Notify, and across a crash
// when the caller says that it does not know how a former attempt ended.
package deliver
