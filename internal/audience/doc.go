// Package audience decides who a text is for, and which applications it may name.
//
// One function decides ([Places] has it): an application may be named to a channel if its route sends its incidents there, or if the
// policy of access gives it to everybody who reads the channel; to a person if the policy gives it to them. A channel that people of other
// organizations read, or may soon, gets only what routes send there and what the policy publishes there. Where nobody can say who
// reads a channel, others do.
//
// What a reader does not see is counted, never named: see [Audience.Show].
package audience
