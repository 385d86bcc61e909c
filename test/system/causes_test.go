//go:build system

package system_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// beginCauses has that many applications fail, each because of itself, beside one that is healthy. It returns what the bot had used before, and when
// they began.
func beginCauses(t *testing.T, failing int) (in *installation, before spent, began time.Time) {
	t.Helper()
	in = install(t)
	in.put(recorded(t, wellCase, resources), 0, failing+1)
	in.run("0")
	before, began = in.spent(), time.Now()
	in.put(recorded(t, ownCase, resources), 0, failing)
	return in, before, began
}

// TestCauses: 200 applications begin to fail, each because of itself. Slack takes one message a second in a channel; what counts is that each
// gets its thread, once, and that one which begins to fail later is not kept waiting by the evidence of the others.
func TestCauses(t *testing.T) {
	const failing = 200
	in, before, began := beginCauses(t, failing)
	scenario := fmt.Sprintf("%d applications begin to fail, each with its own cause", failing)
	in.await("the first message", time.Minute, func() bool { return len(in.roots()) > 0 })
	results.within(scenario, "first message", in.roots()[0].At.Sub(began), firstMessage, in.spent().since(before).String())
	in.await("all threads", 10*time.Minute, func() bool { return len(in.threads()) == failing })
	results.within(scenario, "all threads", in.last().Sub(began), 0, "Slack takes a message a second in a channel")

	began = time.Now()
	in.put(recorded(t, ownCase, resources), failing, failing+1)
	in.await("one more thread", time.Minute, func() bool { return len(in.threads()) == failing+1 })
	// It is decided when it has failed for openAfter, which is a second here.
	results.within(fmt.Sprintf("one more, while %d are open", failing), "posted after the decision", max(0, in.last().Sub(began)-time.Second), 2*time.Second, "the replies of the others are still being posted")
	results.atMost(scenario, "memory, peak", in.bot.memory(t, "VmHWM"), mostMemory, "MB", in.mapped())
}

// TestManyCauses: 2,000 begin to fail, each because of itself, which Slack takes half an hour for. The bot is killed on the way.
func TestManyCauses(t *testing.T) {
	const failing = 2000
	in, before, began := beginCauses(t, failing)
	scenario := text.Number(failing) + " applications begin to fail, each with its own cause"
	answered := in.questions(scenario, failing, 5)
	in.await("the first message", time.Minute, func() bool { return len(in.roots()) > 0 })
	results.within(scenario, "first message", in.roots()[0].At.Sub(began), firstMessage, in.spent().since(before).String())
	in.await("the message about the others", time.Minute, func() bool { return len(in.remainders()) > 0 })
	results.within(scenario, "said how many are still to come", in.remainders()[0].At.Sub(began), 0, in.spent().since(before).String())
	answered()
	in.await("all to be read", 5*time.Minute, func() bool { return in.metric("argo_why_incidents") >= failing })
	peak := in.bot.memory(t, "VmHWM")

	in.bot.kill()
	posted := len(in.threads())
	in.run("0")
	in.await("it to go on", 2*time.Minute, func() bool { return len(in.threads()) >= posted+30 })
	next := in.roots()[posted]
	results.within(scenario, "next message after kill -9 and start", next.At.Sub(in.began), 0, fmt.Sprintf("%d had been posted, %d a little later", posted, len(in.threads())))
	if n := len(in.remainders()); n != 1 {
		t.Errorf("%d messages say how many are still to come", n)
	}
	if n := int(in.metric("argo_why_incidents")); n != failing {
		t.Errorf("%d incidents after the restart, want %d", n, failing)
	}
	results.atMost(scenario, "memory, peak", max(peak, in.bot.memory(t, "VmHWM")), mostMemory, "MB", fmt.Sprintf("%d MB before the kill; %s", peak, in.mapped()))
}

// remainders are the messages that say how many failures are still to be posted.
func (in *installation) remainders() []Message {
	in.t.Helper()
	return slices.DeleteFunc(in.messages(), func(m Message) bool { return !m.counts() })
}

// threads are the root messages of applications, by incident. That one application has two fails the test.
func (in *installation) threads() map[string]Message {
	in.t.Helper()
	out := map[string]Message{}
	for _, m := range in.roots() {
		if before, twice := out[m.Incident]; twice {
			in.t.Fatalf("two threads: %q and %q", before.Text, m.Text)
		}
		out[m.Incident] = m
	}
	return out
}

// last is when the newest message of the channel itself was posted.
func (in *installation) last() (at time.Time) {
	in.t.Helper()
	for _, m := range in.roots() {
		at = m.At
	}
	return at
}
