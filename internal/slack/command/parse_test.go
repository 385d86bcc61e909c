package command_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/slack/command"
)

// A want is what is done ("why prod/argocd/my-app", "list", "why host=…"), or "ignored", or a part of the reply after "says: ".
func want(p command.Parsed) string {
	switch {
	case p.Ignored():
		return "ignored"
	case p.Command == nil:
		return "says: " + p.Reply
	}
	c := p.Command
	out := strings.TrimSpace(string(c.Verb) + " " + c.Target.String())
	if c.Target.Host != "" {
		out += " host=" + c.Target.Host
	}
	if c.Instead != "" {
		out += " or " + string(c.Instead)
	}
	return out
}

type situation struct{ name, text, want string }

func check(t *testing.T, m command.Message, situations []situation) {
	t.Helper()
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			m.Text = s.text
			got := want(command.Parse(m))
			if part, ok := strings.CutPrefix(s.want, "says: "); ok {
				if !strings.HasPrefix(got, "says: ") || !strings.Contains(got, part) {
					t.Errorf("%q\n got %s\nwant %s", s.text, got, s.want)
				}
				return
			}
			if got != s.want {
				t.Errorf("%q\n got %s\nwant %s", s.text, got, s.want)
			}
		})
	}
}

func TestSlashCommand(t *testing.T) {
	check(t, command.Message{Way: command.Slash, Call: "/argo"}, []situation{
		{"asks why", "why my-app", "why my-app"},
		{"asks for the list", "list", "list"},
		{"asks for the difference", "diff my-app", "diff my-app"},
		{"asks for the history", "history my-app", "history my-app"},
		{"asks for help", "help", "help"},
		{"says nothing", "  ", "help"},
		{"asks with a question mark", "?", "help"},
		{"asks for help as a shell user", "why --help", "help"},

		{"names the application only", "my-app", "why my-app"},
		{"names the application and a namespace only", "my-app -n team-a", "why team-a/my-app"},
		{"puts the verb last", "my-app diff", "diff my-app"},
		{"asks in plain words", "why is my-app failing?", "why my-app"},
		{"asks for one named like a word of a question", "why app", "why app"},
		{"asks for one named like a verb", "why list", "why list"},
		{"asks politely", "my-app please", "why my-app"},

		{"swaps two letters", "wyh my-app", "why my-app"},
		{"forgets a letter", "dif my-app", "diff my-app"},
		{"slips twice in a long word", "hystorry my-app", "history my-app"},
		{"shouts", "WHY My-App", "why my-app"},
		{"mistypes a verb that stands alone: it may be an application", "lsit", "why lsit or list"},
		{"mistypes help", "hlep", "why hlep or help"},
		{"uses another word", "drift my-app", "diff my-app"},

		{"gives the namespace in front", "why argocd/my-app", "why argocd/my-app"},
		{"gives the instance in front", "why prod/argocd/my-app", "why prod/argocd/my-app"},
		{"gives the namespace as an option", "why my-app -n team-a", "why team-a/my-app"},
		{"gives the namespace before the name", "why -n team-a my-app", "why team-a/my-app"},
		{"gives the namespace with an equals sign", "why my-app --namespace=team-a", "why team-a/my-app"},
		{"has a phone that makes a dash of two", "why my-app —namespace team-a", "why team-a/my-app"},
		{"gives the instance beside the name", "why my-app instance:prod", "why prod//my-app"},
		{"gives the same namespace twice", "why team-a/my-app -n team-a", "why team-a/my-app"},
		{"contradicts itself", "why team-a/my-app -n team-b", "says: You named both `team-b` and `team-a`. Which one?"},
		{"names two namespaces", "why my-app -n a -n b", "says: You named two namespaces, `a` and `b`."},
		{"forgets the namespace after the option", "why my-app -n", "says: `-n` must be followed by the name of the namespace."},
		{"uses an option of another tool", "why my-app -o wide", "says: There is no option `-o`."},
		{"filters the list", "list instance:prod", "list prod"},
		{"copies from kubectl", "why application.argoproj.io/my-app", "why my-app"},

		{"ends with punctuation", "why my-app?!", "why my-app"},
		{"leaves a blank before the question mark", "why my-app ?", "why my-app"},
		{"quotes", `why "my-app"`, "why my-app"},
		{"quotes on a phone", "why “my-app”", "why my-app"},
		{"marks as code", "why `my-app`", "why my-app"},
		{"marks as bold", "why *my-app*", "why my-app"},
		{"copies an invisible character", "why my-\u200bapp\u00a0", "why my-app"},
		{"has a name that Slack takes for a site", "why <http://my-app.com|my-app.com>", "why my-app.com"},
		{"pastes the address of the page", "why <https://argocd.example.com/applications/argocd/my-app?view=tree&amp;resource=>", "why argocd/my-app host=argocd.example.com"},
		{"pastes only the address", "<https://argocd.example.com/applications/argocd/my-app>", "why argocd/my-app host=argocd.example.com"},
		{"pastes an address under a path", "why https://example.com/argo/applications/my-app", "why my-app host=example.com"},
		{"pastes an address without scheme", "why argocd.example.com/applications/argocd/my-app", "why argocd/my-app host=argocd.example.com"},
		{"mentions a colleague too", "why my-app <@U0456|dana>", "why my-app"},

		{"names no application", "why", "says: Which application? For example: `/argo why my-app`"},
		{"names two", "why one two", "says: Name one application at a time: `/argo why one` or `/argo why two`."},
		{"names one for the list", "list my-app", "says: For one application: `/argo why my-app`"},
		{"asks what is failing", "what is failing?", "list"},
		{"writes what no application is called", "why my_app!x", "says: `my_app!x` is not a valid application name."},
		{"writes markup for a name", "why &lt;!channel&gt;x`y", "says: `channel>xy` is not a valid application name"},
		{"asks for what is unknown", "frobnicate my-app", "says: I don't understand `frobnicate`. Commands: `/argo why APP`, `/argo list`"},
		{"asks for what a button does", "sync my-app", "says: There is no command `sync`. Use the button in the incident's thread"},
		{"asks to mute", "mute my-app 1h", "says: There is no command `mute`. Use the button"},
		{"asks to approve", "approve my-app", "says: Use the buttons on the request, in the thread where it was made."},
		{"asks for what cannot be done", "rollback my-app", "says: This bot can't do that."},

		{"asks who may act", "access my-app", "access my-app"},
		{"asks who may act, in another word", "permissions team-a/my-app", "access team-a/my-app"},
		{"mistypes access", "acess my-app", "access my-app"},
		{"mistypes access in another way", "accsse my-app", "access my-app"},
		{"asks about access to nothing", "access", "says: Which application? For example: `/argo access my-app`"},
		{"asks what was done", "audit", "audit"},
		{"asks what was done to one", "audit my-app", "audit my-app"},
		{"asks what was done to all", "audit all", "audit"},
		{"asks what was done in an instance", "audit instance:prod", "audit prod"},
		{"asks what was done in a namespace", "audit -n team-a", "audit team-a"},
		{"mistypes audit", "adit my-app", "audit my-app"},
		{"mistypes audit that stands alone", "aduit", "why aduit or audit"},
		{"asks what was done to two", "audit one two", "says: Name one application at a time"},
		{"writes a novel", strings.Repeat("lorem ipsum ", 5000), "says: I don't understand `lorem`."},
	})
}

func TestMention(t *testing.T) {
	check(t, command.Message{Way: command.Mention, Call: "@argo", Bot: "UBOT"}, []situation{
		{"begins with the mention", "<@UBOT> why my-app", "why my-app"},
		{"mentions in the middle", "hey <@UBOT> why is my-app failing?", "why my-app"},
		{"mentions at the end", "why my-app <@UBOT>", "why my-app"},
		{"mentions with a name", "<@UBOT|argo> diff my-app", "diff my-app"},
		{"mentions on a line of its own", "<@UBOT>\nwhy my-app", "why my-app"},
		{"writes around it", "The deploy failed\n<@UBOT> why my-app\nI see it again", "why my-app"},
		{"asks politely", "<@UBOT> hey, can you please tell me why my-app is degraded?", "why my-app"},
		{"complains", "<@UBOT> my-app is broken again", "why my-app"},
		{"asks what is wrong", "<@UBOT>: what's wrong with my-app", "why my-app"},
		{"asks for all", "<@UBOT> which apps are failing", "list"},
		{"says nothing", "<@UBOT>", "help"},
		{"greets", "hi <@UBOT>!", "says: Ask why an application is failing"},
		{"thanks", "<@UBOT> thanks a lot!", "ignored"},
		{"thanks shortly", "thanks <@UBOT>!", "ignored"},
		{"praises", "great job <@UBOT>", "ignored"},
		{"asks for Argo CD itself", "<@UBOT> why argo-cd", "why argo-cd"},
		{"points at nothing", "<@UBOT> why this?", "says: Which application? For example: `@argo why my-app`"},
		{"leaves the application out", "<@UBOT> why", "says: Which application? For example: `@argo why my-app`"},
		{"mistypes", "<@UBOT> wyh my-app", "why my-app"},
		{"asks for what is unknown", "<@UBOT> please frobnicate my-app now", "says: I don't understand `frobnicate`."},
	})
}

func TestMentionInThread(t *testing.T) {
	check(t, command.Message{Way: command.Mention, Call: "@argo", Bot: "UBOT", Thread: true}, []situation{
		{"says nothing more", "<@UBOT>", "why"},
		{"asks why", "<@UBOT> why?", "why"},
		{"asks in plain words", "<@UBOT> why is this still failing", "why"},
		{"asks for the difference", "<@UBOT> diff", "diff"},
		{"asks for the history", "<@UBOT> show me the history", "history"},
		{"asks for another application", "<@UBOT> why other-app", "why other-app"},
		{"asks for the list", "<@UBOT> list", "list"},
		{"asks who may act", "<@UBOT> access", "access"},
		{"asks what was done", "<@UBOT> audit", "audit"},
		{"quotes a mention", "&gt; <@UBOT> why my-app\nthat was wrong", "ignored"},
	})
}

func TestDirectMessage(t *testing.T) {
	check(t, command.Message{Way: command.Direct, Bot: "UBOT"}, []situation{
		{"asks why", "why my-app", "why my-app"},
		{"names the application only", "my-app", "why my-app"},
		{"greets", "hello", "says: Ask why an application is failing: `why my-app`."},
		{"thanks", "thank you so much", "ignored"},
		{"sends a picture", "", "ignored"},
		{"mentions the bot all the same", "<@UBOT> why my-app", "why my-app"},
		{"leaves the application out", "diff", "says: For example: `diff my-app`"},
	})
}
