// Package deliver posts messages to Slack: nothing is lost, and nothing is posted twice.
//
// Calls that write to a channel wait in one queue for that channel: one at a time, in order, at about one message per second,
// and none before the time that Slack gave in a Retry-After. A rate-limited channel does not hold up any other.
//
// A post whose response was lost may still have arrived. Every post carries the ID of its incident and a number in its metadata,
// so before it is repeated the channel is searched for it: within one Notify, and across a crash if the caller says that it does
// not know how an earlier attempt ended.
package deliver
