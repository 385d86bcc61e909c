// Package soak plays at random what can happen around the bot, for minutes or hours, and checks after each step that what people
// see is true.
//
//	make soak                                     an hour, from a seed that it prints
//	make soak SOAKTIME=3m SOAKSEED=15             as CI does: the same decisions each time
//	make soak SOAKSTEPS=20 SOAKSEED=4711          twenty steps of that seed: the same decisions, though not the same timing
//	make soak-replicas                            two replicas on a real API server: in each step one is killed, paused or cut off
//
// The bot is the built `bot serve` as a process of its own, with its journal in a file, between the embedded Slack and the
// simulated Argo CD of the demo (internal/demo/world): real gRPC, real Socket Mode, a process that can be killed.
//
//	moves    what happens: applications fail, change, are repaired, synced, deleted; commits here and elsewhere in the
//	         repository; people ask, click, approve, mute; Slack and Argo CD fail; the bot is stopped or killed, also in the middle
//	         of a call
//	look     what people see then: what Argo CD says of each application, what `bot why` would say, and every thread
//	claims   what must hold about it, once things have settled
//
// A step is a few moves, mostly with a fault or a kill armed that strikes while the bot works on them. Then everything is put
// right that is nobody's failure (the bot runs, Argo CD answers), and the claims must come true and stay so. Nothing is measured in
// time: a step waits as long as the bot does anything, and a few minutes more.
//
// A claim that does not come true is a finding. It prints the seed and the number of the step, the steps since the last time that
// everything held in the language of stories (internal/story), and the threads that are wrong, in full. These steps of
// soak are not in that language:
//
//	sync APP [prune]               somebody presses Sync in Argo CD's own interface
//	refresh APP [hard]             the same with Refresh
//	edit APP                       somebody changes a field with kubectl
//	deletes APP N                  somebody deletes its Nth resource with kubectl
//	elsewhere REVISION             a commit in the repository that changes nothing of any application
//	kill before|after sync|…       the bot is killed around its next call of Argo CD: sync, delete, terminate
//	argocd lost sync|…             the next call has its effect, and its answer is lost
//	argocd fails                   Argo CD answers every call with an error, until `argocd up`
//	argocd breaks                  its watch ends
//
// What it has found so far, with the test that shows it since:
//
//	an outage never ended, because its applications had moved on to    test/story/testdata/killed-between-two-outages.txtar
//	another one just before the bot was killed
//	a thread stayed open, and a second one was begun, after a restart    test/story/testdata/reopened-before-a-restart.txtar
//	an application that was moved to another project unseen was never    internal/gateway, TestListCorrectsAProject
//	read again
package soak
