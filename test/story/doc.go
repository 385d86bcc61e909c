// Package story shows what people see in Slack when things go wrong: with Argo CD, with Slack, with the journal, with
// the bot itself. A story is a script (testdata/*.txtar) that plays under virtual time, with everything real except the clock
// and Argo CD: the store, the syncer, the bbolt journal, the sender, and an embedded Slack workspace that refuses what Slack
// refuses. The output of `show` and similar steps is compared with the section of that name; -update writes it. The language
// is that of internal/story.
package story
