// Package slack is the bot as people meet it: it listens to Slack through Socket Mode, understands what it is asked and
// answers.
//
//	socket → inbox (ack, once, our workspace only) → queue → worker → find → may look? → answer
//
// Every envelope is acknowledged before any work is done, as Slack waits three seconds at most. What the work needs to
// know is behind Backend, what it may show behind Viewer, what it says goes through Sender. A person who asks gets an
// answer, always: if it cannot be given, a line that says why and what to do.
package slack
