package workspace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Say writes a message as a person, into a thread if threadTS is not empty, and returns its ts. The person must be in
// the channel. Apps that are there hear of it; those it mentions as <@U…> hear of it as app_mention.
func (w *Workspace) Say(who, channelName, text, threadTS string) (ts string, err error) {
	w.do(func() { ts, err = w.say(who, channelName, text, threadTS) })
	return ts, err
}

func (w *Workspace) say(who, channelName, text, threadTS string) (string, error) {
	u, in, err := w.present(who, channelName)
	if err != nil {
		return "", err
	}
	m := &Message{Channel: in.id, User: u.ID, Text: text}
	c := &call{w: w, args: map[string][]string{"thread_ts": {threadTS}}}
	if err := c.thread(in, m); err != nil {
		return "", err
	}
	w.post(in, m)
	return m.TS, nil
}

// Tell writes to an app in a direct message and returns the ts.
func (w *Workspace) Tell(who string, to App, text, threadTS string) (ts string, err error) {
	w.do(func() {
		u, problem := w.user(who)
		if problem != nil {
			err = problem
			return
		}
		ts, err = w.say(who, w.openIM(w.apps[to.ID], u).id, text, threadTS)
	})
	return ts, err
}

// messageEvent tells the apps of a message: message.channels and its like, and app_mention.
func (w *Workspace) messageEvent(in *channel, m *Message) {
	o := func(kind string) answer {
		e := w.json(in, m, true)
		e["type"], e["channel"] = kind, in.id
		return e
	}
	event := "message." + in.kind()
	for _, a := range sorted(w.apps) {
		e := o("message")
		e["channel_type"] = map[string]string{"channels": "channel", "groups": "group", "im": "im"}[in.kind()]
		w.eventFor(a, in, event, in.kind()+":history", e)
		mentioned := strings.Contains(m.Text, "<@"+a.BotUserID+">") || strings.Contains(m.Text, "<@"+a.BotUserID+"|")
		if mentioned && m.User != a.BotUserID && in.im == "" {
			w.eventFor(a, in, "app_mention", "app_mentions:read", o("app_mention"))
		}
	}
}

// hiddenEvent tells the apps that a message was changed or deleted:
// https://docs.slack.dev/reference/events/message/message_changed
func (w *Workspace) hiddenEvent(in *channel, e answer) {
	e["type"], e["channel"], e["hidden"] = "message", in.id, true
	e["channel_type"] = map[string]string{"channels": "channel", "groups": "group", "im": "im"}[in.kind()]
	w.event(in, "message."+in.kind(), in.kind()+":history", e)
}

// present finds a person and a channel that they can write in.
func (w *Workspace) present(who, channelName string) (*User, *channel, error) {
	u, err := w.user(who)
	if err != nil {
		return nil, nil, err
	}
	in, err := w.channel(channelName)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !in.has(u.ID):
		return nil, nil, fmt.Errorf("%s is not in #%s", u.Name, in.name)
	case in.archived:
		return nil, nil, fmt.Errorf("#%s is archived", in.name)
	}
	return u, in, nil
}

// Command types a slash command, like Command("alice", "deploys", "/argo", "why my-app"). The app need not be in the
// channel.
func (w *Workspace) Command(who, channelName, command, text string) (err error) {
	w.do(func() {
		var u *User
		var in *channel
		if u, in, err = w.present(who, channelName); err != nil {
			return
		}
		for _, a := range sorted(w.apps) {
			if slices.Contains(a.Commands, command) && a.may("commands") {
				w.command(a, u, in, command, text)
				return
			}
		}
		err = fmt.Errorf("%s is not a valid command", command)
	})
	return err
}

// https://docs.slack.dev/interactivity/implementing-slash-commands
func (w *Workspace) command(a *app, u *User, in *channel, command, text string) {
	name := cmp.Or(in.name, "directmessage")
	if in.private && in.im == "" {
		name = "privategroup"
	}
	payload := answer{
		"token": "verification", "team_id": w.teamID, "team_domain": w.opt.Domain, "channel_id": in.id, "channel_name": name,
		"user_id": u.ID, "user_name": u.Name, "command": command, "text": text, "api_app_id": a.ID,
		"is_enterprise_install": "false", "response_url": w.newResponseURL(a, in, u.ID, ""), "trigger_id": w.newTrigger(a, u.ID, ""),
	}
	if w.opt.Enterprise != "" {
		payload["enterprise_id"], payload["enterprise_name"] = w.opt.Enterprise, w.opt.Enterprise
	}
	failure := Failure{Kind: slashCommands, Name: command, User: u.ID}
	at := Place{Channel: in.id}
	w.deliver(&delivery{app: a, failure: failure, at: at, payload: payload, answers: true, acked: func(raw json.RawMessage) {
		w.answered(a, u, in, raw, failure)
	}})
}

// answered takes the message that an app may send with its acknowledgement of a command.
func (w *Workspace) answered(a *app, u *User, in *channel, raw json.RawMessage, failure Failure) {
	if isEmptyJSON(raw) || string(raw) == "null" {
		return
	}
	args, err := jsonArguments(strings.NewReader(string(raw)))
	if err == nil {
		err = w.respond(&responseURL{app: a, channel: in, user: u.ID, at: w.opt.Now()}, args)
	}
	if err != nil {
		w.fail(failure, Place{Channel: in.id}, "invalid_command_response: "+err.Error())
	}
}

// React puts an emoji below a message, or fails if the person has done so before.
func (w *Workspace) React(who, channelName, ts, emoji string) (err error) {
	w.do(func() {
		var u *User
		var in *channel
		if u, in, err = w.present(who, channelName); err != nil {
			return
		}
		m := in.find(ts)
		if m == nil || !m.react(emoji, u.ID) {
			err = fmt.Errorf("react with %s to %s: no such message, or done before", emoji, ts)
			return
		}
		w.event(in, "reaction_added", "reactions:read", answer{
			"type": "reaction_added", "user": u.ID, "reaction": emoji, "item_user": m.User,
			"item": answer{"type": "message", "channel": in.id, "ts": ts},
		})
	})
	return err
}
