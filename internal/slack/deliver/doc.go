// Package deliver posts messages to Slack: nothing is lost, and nothing is posted twice.
//
// Each of Slack's limits is a gate: that of a method in the workspace, and that of posts into one channel. A gate keeps a pace a little
// below the limit, and is shut until the time that Slack gave in a Retry-After. An answer to a person waits at the gate; a message
// about an incident is sent when there is room, and until then the caller may find that another is more urgent.
//
// A post whose response was lost may still have arrived. Every post carries the ID of its incident and a number in its metadata,
// so before it is repeated the channel is searched for it, by Slack's clock: also across a crash, if the caller says that it does not
// know how an earlier attempt ended. Where Slack has not answered at all it may only be slow: the post is not repeated for another minute,
// in which it is searched for again and again. That a post is under way is in the journal, so that this holds across a crash as well.
package deliver
