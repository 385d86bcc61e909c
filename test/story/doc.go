// Package story tells what people see in Slack when things go wrong: with Argo CD, with Slack, with the journal, with
// the bot itself. A story is a script (testdata/*.txtar) that plays under virtual time, with everything real but the clock
// and Argo CD: the store, the syncer, the bbolt journal, the sender, and an embedded Slack workspace that refuses what Slack
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
//	people NAME…            they are in the workspace and the channel; @GROUP NAME… is a user group of theirs
//	allow KINDS WHO [approval WHO DURATION]   a rule of who may act; KINDS and WHO are lists with commas: before start
//	press WHO APP LABEL     the last button of that name in the thread of the application
//	mute WHO APP 1h|4h|24h|0   the menu
//	submit WHO [prune] [dry-run] [repaired]   the button of the modal that is open, with boxes ticked
//	reason WHO TEXT         the same of the modal that asks why something is denied
//	repaired APP            what it fails of is put right: the next refresh or sync succeeds
//	refuses APP TEXT        the next dry runs refuse it
//	git APP REVISION        Git is there now
//	job APP running|gone|another   what becomes of the hook's Job
//	operation APP ends      somebody else ends the operation
//	argocd down|up          it does not answer
//	journal down|up         it does not answer
//	journal conflict        somebody else writes the entries of all incidents
//	kill [before|after STEP [N]]   the process is gone, now or around the Nth step (METHOD of Slack, put, delete)
//	stop                    it is asked to stop, and drains
//	dialog WHO NAME         the modal that is open looks as that section
//	details APP NAME        all of the root message of an application looks as that section
//	did NAME                that is what happened to applications and clusters, in order
//	no-button APP LABEL     the thread has no such button
//	show NAME [CHANNEL]     the channel (alerts) looks as the section NAME of the file (-update writes it)
//	entries N               the journal holds so many incidents
//	calls METHOD N          Slack was called so often since the last calls, or the start of the story
package story
