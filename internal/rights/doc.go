// Package rights says what the bot's account must be allowed to read in a cluster, and what a report lacks without each right: as
// roles, and as a page of the documentation. Both are made of what the rules declare ([diagnose.Rule.Outside]), so a rule that reads
// another kind of object changes them. It does no I/O.
package rights
