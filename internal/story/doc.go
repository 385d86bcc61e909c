// Package story is the language in which what happens to the bot is written down, and what people should see then: one step a line,
// "#" begins a comment. test/story plays stories under virtual time, and internal/demo plays them for real.
//
// The steps, with what is to be replaced in upper case:
//
//	config KEY=VALUE…                           openAfter, hold, reopen, remind, keep (durations), group (a number): before start; the rest has defaults
//	people NAME…                                they are in the workspace and the channel
//	people @GROUP NAME…                         they are a user group
//	allow KINDS WHO [approval WHO DURATION]     a rule about who can act; KINDS and WHO are lists with commas: before start
//	channel NAME                                there is another channel, with the bot in it
//	route APP CHANNEL                           the application is reported in that channel, whether it exists or not
//	start                                       start the bot; it looks at what changed while it was down
//	stop                                        ask the bot to stop, and let it finish what it has to say
//	kill [before|after CALL [N]]                the bot is gone, now or around the Nth CALL (a method of Slack, put, delete, sync …)
//	killed anywhere                             in a test: play it again with the bot killed before and after each thing it does
//	fleet                                       in the demo: all of its applications are there, healthy
//	fail APP… CASE                              the applications fail like the recorded case (a path in internal/diagnose/rules/testdata/cases); the bot hears of it
//	well APP…                                   they are Synced and Healthy
//	roll APP…                                   they are being rolled out
//	gone APP…                                   they are deleted
//	unheard STEP…                               fail, well, roll or gone, and neither webhook nor watch reports it
//	hints APP N                                 N webhooks about the application arrive at the same time
//	sweep                                       the bot reads all applications, as it does on schedule
//	repaired APP [REVISION]                     its cause is fixed, with that commit: the next refresh or sync succeeds
//	refuses APP TEXT…                           the next dry runs are refused with that text
//	git APP REVISION                            Git is at that commit now
//	job APP running|gone|another                what becomes of the Job of its hook
//	operation APP ends                          somebody else ends the operation
//	argocd down|up                              Argo CD stops answering, or answers again
//	journal down|up                             the journal stops answering, or answers again
//	journal conflict                            somebody else writes the entries of all incidents
//	wait DURATION                               let time pass
//	await TEXT…                                 wait until it is shown in a channel, a thread, a dialog, or to one person; for 2 min at most
//	ask TEXT…                                   alice types /argo TEXT in the channel
//	ask @argo TEXT…                             alice mentions the bot in the channel
//	press WHO APP LABEL…                        press the last button of that name in the thread of the application
//	mute WHO APP 1h|4h|24h|0                    choose from its menu
//	submit WHO [prune] [dry-run] [repaired]     press the button of the open dialog, with these boxes ticked
//	reason WHO TEXT…                            the same in the dialog that asks for the reason for denying
//	slack 429|500|hang|lost|drop METHOD [N]     the next N (1) calls of the method fail like that; lost: done, but the answer is lost
//	slack not_in_channel|invited [CHANNEL]      somebody removes the bot from the channel, or invites it
//	slack CODE METHOD [N]                       Slack refuses the next N (1) calls of the method with that code
//	socket twice|silent|cut|refresh             the next envelope comes twice; the connection is dead but open, is cut, is to be replaced
//	show NAME [CHANNEL]                         the channel as one skims it: the first line of each message
//	details APP NAME                            the first message of its thread, in full
//	thread APP NAME [FROM…]                     its thread in full, or from the first message on that shows FROM
//	page WHO APP NAME                           all of the page as somebody sees it, with the thread of the application open beside the channel
//	dialog WHO NAME                             the dialog that is open
//	did NAME                                    what was done to applications and clusters, in order
//	no-button APP LABEL…                        fail if the thread has a button of that name
//	entries N                                   fail unless the journal holds so many incidents
//	calls METHOD N                              fail unless Slack was called so often since the last calls, or the start
package story
