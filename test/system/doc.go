// Package system measures the bot as people run it: the built binary, an Argo CD and a Slack that are processes of their own, real
// ports between them.
//
//	make bench-system                             everything, about an hour
//	make bench-system SYSTEM='Storm/1,000'        only the scenarios whose names match, as `go test -run` takes them
//
// Argo CD and Slack are this test's own binary, started again with SYSTEM_PROCESS in its environment: internal/simulator and the
// strict internal/workspace, which keeps the pace that Slack allows. Commands reach them over their standard input, so that what the
// test does costs the bot nothing but what it does in real life. What is measured of a process is what Linux says of it: peak and
// steady memory (VmHWM and VmRSS), processor time.
//
// Every scenario adds lines to one table, which is printed at the end: what was promised (docs/performance.md), what
// was measured, and where the time went. A time never fails the run, because it says as much about the machine as about the bot.
// What is wrong however fast it is does: a failure that is told twice, or never.
//
//	command    acknowledgement of a slash command
//	hooks      webhooks at 200 a second
//	storm      many applications that begin to fail with one cause
//	causes     many applications that begin to fail, each with a cause of its own
//	hostile    applications that are made to exhaust the bot, beside others (make hostile, part of CI)
//	fleet      many healthy applications: start, memory, and what is read while nothing fails (eight minutes each)
package system
