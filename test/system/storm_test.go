//go:build system

package system_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// What is promised of a storm. design.md has it for 5,000.
const (
	firstMessage = 5 * time.Second
	mostMessages = 10
	mostMemory   = 250 // MB at the peak
)

// quiet is how long a bot has been running when a storm begins: long enough to give back what the start took.
const quiet = 30 * time.Second

// resources is how many an application has here.
const resources = 30

// TestStorm: of 10,000 healthy applications many begin to fail within a second, all because one Git host is gone.
func TestStorm(t *testing.T) {
	for _, failing := range []int{1000, 5000} {
		t.Run(text.Number(failing), func(t *testing.T) {
			in := install(t)
			in.put(recorded(t, wellCase, resources), 0, 10_000)
			in.run("0")
			time.Sleep(quiet)
			in.bot.forgetPeak(t) // that of the start
			before := in.spent()
			began := time.Now()
			put := in.begin(recorded(t, sharedCase, resources), 0, failing)
			in.storm(fmt.Sprintf("%s of 10,000 applications begin to fail with one cause", text.Number(failing)), began, failing, before)
			if err := (<-put.Done).Error; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStormAtStart: the same, while the bot was away for a moment.
func TestStormAtStart(t *testing.T) {
	in := install(t)
	in.put(recorded(t, wellCase, resources), 5000, 10_000)
	in.put(recorded(t, sharedCase, resources), 0, 5000)
	in.run("0")
	in.storm("5,000 of 10,000 applications fail with one cause when the bot starts", in.began, 5000, spent{})
}

// storm waits until a message tells all of those that fail, and measures how it got there.
func (in *installation) storm(scenario string, began time.Time, failing int, before spent) {
	in.t.Helper()
	answered := in.questions(scenario, 9_999, 5)
	in.await("the first message", 5*time.Minute, func() bool { return len(in.roots()) > 0 })
	used := in.spent().since(before)
	first := in.roots()[0]
	results.within(scenario, "first message", first.At.Sub(began), firstMessage, used.String())
	in.await("all to be in it", 10*time.Minute, func() bool { return in.members() >= failing })
	results.within(scenario, "all counted", time.Since(began), 0, in.spent().since(before).String())
	time.Sleep(5 * time.Second) // what follows, such as updates
	answered()
	messages := slices.DeleteFunc(in.messages(), Message.answers)
	results.atMost(scenario, "messages", len(messages), mostMessages, "", fmt.Sprintf("%d updates", call[int](in.t, in.ask.slack, "Slack.Calls", "chat.update")))
	results.atMost(scenario, "memory, peak", in.bot.memory(in.t, "VmHWM"), mostMemory, "MB", fmt.Sprintf("%d MB before, %d MB afterwards; %s", before.memory, in.bot.memory(in.t, "VmRSS"), in.mapped()))
	if n := in.members(); n != failing {
		in.t.Errorf("%d applications are told, want %d", n, failing)
	}
	if roots := in.roots(); len(roots) != 1 {
		for _, m := range roots {
			in.t.Logf("%s", m.Text)
		}
		in.t.Errorf("%d threads for one cause", len(roots))
	}
}

// members is how many applications the root messages say are failing with one cause.
func (in *installation) members() (n int) {
	in.t.Helper()
	for _, m := range in.roots() {
		for word := range strings.FieldsSeq(m.Text) {
			var count int
			if _, err := fmt.Sscanf(strings.ReplaceAll(word, ",", ""), "%d", &count); err == nil {
				n = max(n, count)
			}
		}
	}
	return n
}

// spent is what the processes have done so far.
type spent struct {
	bot, argoCD   time.Duration
	reads, memory int
}

func (in *installation) spent() spent {
	in.t.Helper()
	return spent{in.bot.processor(in.t), in.argoCD.processor(in.t), int(in.metric("argo_why_diagnosis_seconds_count")), in.bot.memory(in.t, "VmRSS")}
}

func (s spent) since(before spent) spent {
	return spent{s.bot - before.bot, s.argoCD - before.argoCD, s.reads - before.reads, s.memory}
}

func (s spent) String() string {
	return fmt.Sprintf("%s diagnoses; processor %s bot, %s Argo CD", text.Number(s.reads), brief(s.bot), brief(s.argoCD))
}

func percent(n int) string { return fmt.Sprintf("%d %%", n) }
