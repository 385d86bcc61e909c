// Package story tells what people see in Slack when things go wrong: with Argo CD, with Slack, with the journal, with
// the bot itself. A story is a script (testdata/*.txtar) that plays under virtual time, with everything real but the clock
// and Argo CD: the book, the keeper, the bbolt journal, the sender, and an embedded Slack workspace that refuses what Slack
// refuses.
//
// The language, one step a line:
//
//	config KEY=VALUE …      openAfter, hold, reopen, remind, keep (durations), group (a number): before start; the rest has defaults
//	start                   start the bot; what has changed meanwhile it lists, as the watch does
//	fail APP… CASE          the applications fail as the recorded case does (internal/diagnose/rules/testdata/cases); the bot hears of it
//	well|roll|gone APP…     they are well, are being rolled out, are deleted
//	hints APP N             webhooks tell of the application N times at once
//	channel NAME            there is another channel, with the bot in it
//	route APP CHANNEL       it is told in that channel; whether there is one is another matter
//	unheard STEP…           the same, and neither webhook nor watch tells the bot
//	sweep                   what the schedule does
//	wait DURATION           time passes
//	slack FAULT METHOD [N]  the next N (1) calls of a method end in 429, 500, hang, lost (done, and the answer is lost) or drop
//	slack not_in_channel [CHANNEL]   a person takes the bot out of the channel (alerts); slack invited undoes it
//	slack CODE METHOD [N]   Slack refuses it with that code
//	ask TEXT                alice types /argo TEXT in the channel, or @argo TEXT
//	socket FAULT            twice (the next envelope comes twice), silent (open and dead), cut, refresh (Slack wants a new one)
//	argocd down|up          it does not answer
//	journal down|up         it does not answer
//	journal conflict        somebody else writes the entries of all incidents
//	kill [before|after STEP [N]]   the process is gone, now or around the Nth step (METHOD of Slack, put, delete)
//	stop                    it is asked to stop, and drains
//	show NAME [CHANNEL]     the channel (alerts) looks as the section NAME of the file (-update writes it)
//	entries N               the journal holds so many incidents
//	calls METHOD N          Slack was called so often since the last calls, or the start of the story
package story
