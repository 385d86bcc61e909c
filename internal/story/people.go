package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
)

// asker is who asks in a story that names nobody.
const asker = "alice"

// join has people of a kind in the workspace and the channel, or makes a user group of them.
func (p *Player) join(names []string, as workspace.User) error {
	if handle, ok := strings.CutPrefix(names[0], "@"); ok {
		for _, name := range names[1:] {
			if err := p.known(name); err != nil {
				return err
			}
		}
		p.Slack.AddGroup(workspace.Group{Handle: handle, UserIDs: names[1:]})
		return nil
	}
	channel, err := p.channel(nil, 0)
	if err != nil {
		return err
	}
	for _, name := range names {
		if p.known(name) != nil {
			as.Name = name
			p.Slack.AddUser(as)
		}
		channel.Invite(name)
	}
	return nil
}

// change takes rights from somebody who had them.
func (p *Player) change(how string, args []string) error {
	if err := p.known(args[0]); err != nil {
		return err
	}
	switch {
	case how == "demotes":
		p.Slack.MakeGuest(args[0])
	case len(args) > 1:
		p.Slack.Leave(strings.TrimPrefix(args[1], "@"), args[0])
	default:
		p.Slack.Deactivate(args[0])
	}
	return nil
}

// known complains about somebody who is not in the workspace, which would panic.
func (p *Player) known(name string) error {
	if slices.Contains(p.people(), name) {
		return nil
	}
	return fmt.Errorf("no person named %s: add them with `people %s`", name, name)
}

// people are the names of those who are there, sorted.
func (p *Player) people() (names []string) {
	for _, u := range p.Slack.Users() {
		if !u.Bot {
			names = append(names, u.Name)
		}
	}
	slices.Sort(names)
	return names
}

// IDs are those of people by name, and of user groups by "@" and handle.
func IDs(w *workspace.Workspace) map[string]string {
	ids := map[string]string{}
	for _, u := range w.Users() {
		if !u.Bot {
			ids[u.Name] = u.ID
		}
	}
	for _, g := range w.Groups() {
		ids["@"+g.Handle] = g.ID
	}
	return ids
}

// ask is a slash command or, with @argo, a mention. An error is what a person would see as a failure of Slack.
func (p *Player) ask(who string, args []string) error {
	if err := p.known(who); err != nil {
		return err
	}
	if args[0] == "@argo" {
		_, err := p.Slack.Say(who, p.Channel, "<@"+p.Bot.BotUserID+"> "+strings.Join(args[1:], " "), "")
		return err
	}
	return p.Slack.Command(who, p.Channel, "/argo", strings.Join(args, " "))
}

// reply is a mention in the thread of an application.
func (p *Player) reply(app, text string) error {
	root, err := p.root(app)
	if err != nil {
		return err
	}
	_, err = p.Slack.Say(asker, root.Channel, "<@"+p.Bot.BotUserID+"> "+text, root.TS)
	return err
}

// tap clicks a button of the last message that only the asker sees.
func (p *Player) tap(label string) error {
	m, err := p.whispered()
	if err != nil {
		return err
	}
	if !strings.Contains(string(m.Blocks), quoted(label)) {
		return absent("the last message that only %s sees has no %q", asker, label)
	}
	return p.Slack.Click(asker, p.Channel, m.TS, label)
}

// whispered is the last message that only the asker sees. What comes with an acknowledgement is none that is waited for.
func (p *Player) whispered() (workspace.Message, error) {
	channel, err := p.channel(nil, 0)
	if err != nil {
		return workspace.Message{}, err
	}
	for _, m := range slices.Backward(channel.Ephemerals(asker)) {
		if !strings.HasPrefix(m.Text, "Checking ") {
			return m, nil
		}
	}
	return workspace.Message{}, absent("there is no message that only %s sees", asker)
}

// press clicks the last button of that name in the thread of an application.
func (p *Player) press(who, app, label string) error {
	m, err := p.messageWith(app, label)
	if err != nil {
		return err
	}
	return p.Slack.Click(who, m.Channel, m.TS, label)
}

func (p *Player) mute(who, app, option string) error {
	const menu = "argo_why_mute"
	m, err := p.messageWith(app, menu)
	if err != nil {
		return err
	}
	return p.Slack.Choose(who, m.Channel, m.TS, menu, option)
}

// boxes are the words for what can be ticked in a dialog.
var boxes = map[string]string{"prune": dialog.InputPrune, "dry-run": dialog.InputDryRun, "fixed": dialog.InputConfirm}

// submit presses the button of the open dialog, with boxes ticked.
func (p *Player) submit(who string, words []string) error {
	front, err := p.front(who)
	if err != nil {
		return err
	}
	var ticked []string
	for _, word := range words {
		ticked = append(ticked, boxes[word])
	}
	values, err := front.State(ticked...)
	if err != nil {
		return err
	}
	return p.Slack.Submit(who, front.ID, values)
}

// approve presses Approve, waits until the dialog that it opens shows the plan, and confirms it.
func (p *Player) approve(ctx context.Context, who, app string) error {
	before := ""
	if front, err := p.front(who); err == nil {
		before = front.ID
	}
	if err := p.eventually(ctx, func() error { return p.press(who, app, "argo_why_approve") }); err != nil {
		return err
	}
	return p.eventually(ctx, func() error {
		front, err := p.front(who)
		switch {
		case err != nil:
			return err
		case front.ID == before:
			return absent("%s sees no dialog", who)
		case front.CallbackID != dialog.Confirm:
			return absent("%s cannot approve it:\n%s", who, front.Shown())
		}
		return p.Slack.Submit(who, front.ID, nil)
	})
}

// reason denies with words.
func (p *Player) reason(who, text string) error {
	front, err := p.front(who)
	if err != nil {
		return err
	}
	field := map[string]any{"type": "plain_text_input", "value": text}
	return p.Slack.Submit(who, front.ID, map[string]map[string]any{dialog.InputReason: {dialog.InputReason: field}})
}

// front is the dialog that somebody has open.
func (p *Player) front(who string) (workspace.View, error) {
	if err := p.known(who); err != nil {
		return workspace.View{}, err
	}
	open := p.Slack.Views(who)
	if len(open) == 0 {
		return workspace.View{}, absent("%s sees no dialog", who)
	}
	return open[len(open)-1], nil
}

func (p *Player) noButton(app, label string) error {
	if m, err := p.messageWith(app, label); err == nil {
		return fmt.Errorf("message %s has it", m.TS)
	}
	return nil
}
