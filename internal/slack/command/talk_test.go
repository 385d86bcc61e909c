package command_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/slack/command"
)

// What people say when they ask for nothing.
var smallTalk = []string{
	"thanks", "Thank you!", "thanks a lot", "ty", "thx :pray:", "thanks, that fixed it", "thank you so much argo", "thanks everyone for the quick help",
	"ok", "ok, got it", "okay thanks", "great job", "nice one", "👍", ":+1:", ":thumbsup::skin-tone-3:", ":tada: :rocket:", "❤️", "lgtm", "perfect!", "done", "yes", "no problem",
}

var greetings = []string{"hi", "Hello!", "hey", "hi there", "good morning", "hey argo :wave:"}

func TestSmallTalkIsNotTakenForAnApplication(t *testing.T) {
	const hint = "Ask why an application is failing: `@argo why my-app`. Everything that is failing: `@argo list`. More: `@argo help`."
	for _, thread := range []bool{false, true} {
		for _, said := range smallTalk {
			m := command.Message{Way: command.Mention, Call: "@argo", Bot: "UBOT", Text: "<@UBOT> " + said, Thread: thread}
			if p := command.Parse(m); !p.Ignored() {
				t.Errorf("%q (thread %v): %s", said, thread, want(p))
			}
		}
		for _, said := range greetings {
			m := command.Message{Way: command.Mention, Call: "@argo", Bot: "UBOT", Text: "<@UBOT> " + said, Thread: thread}
			if p := command.Parse(m); p.Reply != hint {
				t.Errorf("%q (thread %v): %s", said, thread, want(p))
			}
		}
	}
}

// A command is answered in any case: Slack shows what was typed to nobody else.
func TestSmallTalkAsACommandGetsALine(t *testing.T) {
	const hint = "Ask why an application is failing: `/argo why my-app`. Everything that is failing: `/argo list`. More: `/argo help`."
	for _, said := range append(smallTalk, greetings...) {
		if p := command.Parse(command.Message{Way: command.Slash, Call: "/argo", Text: said}); p.Reply != hint {
			t.Errorf("%q: %s", said, want(p))
		}
	}
}

func TestOneThatIsCalledLikeSmallTalkCanBeAskedAbout(t *testing.T) {
	check(t, command.Message{Way: command.Slash, Call: "/argo"}, []situation{{"with the verb", "why thanks", "why thanks"}})
}

// A question with kind words around it is still a question.
func TestAQuestionAmongSmallTalkIsAnswered(t *testing.T) {
	check(t, command.Message{Way: command.Mention, Call: "@argo", Bot: "UBOT", Thread: true}, []situation{
		{"thanks first", "<@UBOT> thanks, and why other-app?", "why other-app"},
		{"ok first", "<@UBOT> ok, diff", "diff"},
		{"ok and a name", "<@UBOT> ok other-app", "why other-app"},
		{"a question about this thread", "<@UBOT> ok, is it still broken?", "why"},
		{"an emoji behind", "<@UBOT> why other-app :pray:", "why other-app"},
		{"a greeting first", "<@UBOT> hi, why other-app", "why other-app"},
		{"nothing at all", "<@UBOT>", "why"},
	})
}
