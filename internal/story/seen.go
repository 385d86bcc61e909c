package story

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
	"github.com/argo-why/argo-why/internal/workspace"
)

func (p *Player) show(ctx context.Context, step Step) error {
	channel, err := p.channel(step.Args, 1)
	if err != nil {
		return err
	}
	return p.Show(ctx, Shown{Step: step, Name: step.Args[0], Text: Skim(channel, p.people()), Channel: channel.Name()})
}

// details shows the first message of the thread of an application.
func (p *Player) details(ctx context.Context, step Step) error {
	root, err := p.root(step.Args[0])
	if err != nil {
		return err
	}
	return p.Show(ctx, Shown{Step: step, Name: step.Args[1], Text: full(root), Channel: p.Slack.Channel(root.Channel).Name(), Messages: []string{root.TS}})
}

// thread shows the thread of an application, or what there is of it from a text on.
func (p *Player) thread(ctx context.Context, step Step) error {
	root, err := p.root(step.Args[0])
	if err != nil {
		return err
	}
	channel := p.Slack.Channel(root.Channel)
	all, from := channel.Thread(root.TS), step.Rest(2)
	at := slices.IndexFunc(all, func(m workspace.Message) bool { return strings.Contains(text.OneLine(m.Shown()), from) })
	if at < 0 {
		return fmt.Errorf("no message of the thread shows %q", from)
	}
	out := Shown{Step: step, Name: step.Args[1], Channel: channel.Name(), Thread: root.TS}
	var texts []string
	for _, m := range all[at:] {
		texts, out.Messages = append(texts, full(m)), append(out.Messages, m.TS)
	}
	out.Text = strings.Join(texts, "──\n")
	return p.Show(ctx, out)
}

// alone shows the last message that only the asker sees.
func (p *Player) alone(ctx context.Context, step Step) error {
	m, err := p.whispered()
	if err != nil {
		return err
	}
	return p.Show(ctx, Shown{Step: step, Name: step.Args[0], Text: full(m), Channel: p.Channel, Thread: m.ThreadTS, Messages: []string{m.TS}, Person: asker})
}

// page shows everything that somebody sees, with a thread open.
func (p *Player) page(ctx context.Context, step Step) error {
	if err := p.known(step.Args[0]); err != nil {
		return err
	}
	channel, err := p.channel(nil, 0)
	if err != nil {
		return err
	}
	root, err := p.root(step.Args[1])
	if err != nil {
		return err
	}
	return p.Show(ctx, Shown{
		Step: step, Name: step.Args[2], Text: Skim(channel, step.Args[:1]) + "──\n" + full(root), Channel: p.Channel, Thread: root.TS,
		Person: step.Args[0], Page: true,
	})
}

func full(m workspace.Message) string { return strings.TrimSpace(m.Shown()) + "\n" }

func (p *Player) dialog(ctx context.Context, step Step) error {
	who, name := step.Args[0], step.Args[1]
	if err := p.known(who); err != nil {
		return err
	}
	out := Shown{Step: step, Name: name, Text: "(no dialog)\n", Channel: p.Channel, Person: who}
	if front, err := p.front(who); err == nil {
		out.Text, out.View = front.Shown(), front.ID
	}
	return p.Show(ctx, out)
}

// root is the first message of the thread that is about an application: its own, or that of an outage that names it, in the channel of the
// story before others. "pay" is less than "team-a/pay": of headlines that end with a name, the shortest is meant.
func (p *Player) root(app string) (workspace.Message, error) {
	channel, err := p.channel(nil, 0)
	if err != nil {
		return workspace.Message{}, err
	}
	all := channel.Messages()
	for _, other := range p.Slack.Channels() {
		if other.ID() != channel.ID() {
			all = append(all, other.Messages()...)
		}
	}
	var own workspace.Message
	for _, root := range all {
		subject := subjectOf(root)
		named := subject == app || strings.HasSuffix(subject, "/"+app)
		if named && (own.TS == "" || len(subject) < len(subjectOf(own))) {
			own = root
		}
	}
	if own.TS != "" {
		return own, nil
	}
	name := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(app) + `($|[^\w-])`)
	for _, root := range all {
		if name.MatchString(root.Shown()) {
			return root, nil
		}
	}
	return workspace.Message{}, absent("%s has no thread", app)
}

// subjectOf is what the headline of a root message is about.
func subjectOf(root workspace.Message) string {
	_, headline, _ := strings.Cut(root.Text, " ") // after the sign
	subject, _, _ := strings.Cut(headline, ": ")
	return subject
}

// messageWith is the last message in the thread of an application that has a button of that name, or a menu of that ID.
func (p *Player) messageWith(app, content string) (workspace.Message, error) {
	root, err := p.root(app)
	if err != nil {
		return root, err
	}
	for _, m := range slices.Backward(p.Slack.Channel(root.Channel).Thread(root.TS)) {
		if strings.Contains(string(m.Blocks), quoted(content)) {
			return m, nil
		}
	}
	return root, absent("nothing in the thread has %q", content)
}

// quoted is a text as it stands in JSON, alone.
func quoted(content string) string {
	raw, err := json.Marshal(content)
	if err != nil { // cannot be
		return content
	}
	return string(raw)
}

// Skim is a channel as a person skims it: of each thread the first line of the root message and of its replies, and what only one
// of these people sees. The threads are sorted, because those that begin at the same moment stand in any order.
func Skim(c *workspace.Channel, people []string) string {
	var threads []string
	for _, root := range c.Messages() {
		thread := firstLine(root.Text) + "\n"
		for _, reply := range c.Thread(root.TS)[1:] {
			thread += "  │ " + firstLine(reply.Text) + "\n"
		}
		threads = append(threads, thread)
	}
	for _, who := range people {
		for _, m := range c.Ephemerals(who) {
			threads = append(threads, "(only "+who+") "+text.OneLine(m.Shown())+"\n")
		}
	}
	if len(threads) == 0 {
		return "(nothing)\n"
	}
	slices.Sort(threads)
	return strings.Join(threads, "")
}

func firstLine(content string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	return line
}

// slackDate is a moment that Slack writes in the time of whoever reads it, with the text for those who cannot.
var slackDate = regexp.MustCompile(`<!date\^[^|>]*\|([^>]*)>`)

// Named is a text as people read it: the names of people and user groups instead of Slack's IDs, and moments in words.
func Named(w *workspace.Workspace, content string) string {
	var pairs []string
	for name, id := range IDs(w) {
		handle := "@" + strings.TrimPrefix(name, "@")
		pairs = append(pairs, "<@"+id+">", handle, "<!subteam^"+id+">", handle, "@"+id, handle)
	}
	return slackDate.ReplaceAllString(strings.NewReplacer(pairs...).Replace(content), "$1")
}
