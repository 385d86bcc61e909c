package command_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/slack/command"
)

// Whatever people write: a command names an application that can exist, and a reply is short and opens no markup.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"why my-app", "<@UBOT> why <http://my-app.com|my-app.com>?", "why https://a.b/applications/x/y", "-n -n=x a/b/c/d `` ‘’",
		"&lt;!channel&gt;", "<@UBOT|", "my-app diff\n&gt; <@UBOT>", "list instance:prod all", "\u200b—namespace", "<>|<|>",
	} {
		f.Add(text, true)
	}
	allowed := regexp.MustCompile(`^[a-z0-9][-a-z0-9.]*$`)
	f.Fuzz(func(t *testing.T, text string, slash bool) {
		way := command.Mention
		if slash {
			way = command.Slash
		}
		p := command.Parse(command.Message{Way: way, Text: text, Bot: "UBOT", Call: "/argo"})
		if c := p.Command; c != nil {
			for _, part := range []string{c.Target.Name, c.Target.Namespace, c.Target.Instance} {
				if part != "" && !allowed.MatchString(part) {
					t.Errorf("%q names %q", text, part)
				}
			}
		}
		if len(p.Reply) > 1000 || strings.Count(p.Reply, "`")%2 != 0 {
			t.Errorf("%q is answered with %q", text, p.Reply)
		}
	})
}
