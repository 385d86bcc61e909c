package workspace

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

// Click presses a button of a message that the person sees. Which is the action_id or the text of the button. A button
// that asks for confirmation is confirmed.
func (w *Workspace) Click(who, channelName, ts, which string) error {
	return w.act(who, channelName, ts, func(p pressable, _ string) bool { return p.ActionID == which || p.Text.Text == which }, Press{Action: which})
}

// Choose picks an option, by its value or its text, of a select or overflow menu with this action_id.
func (w *Workspace) Choose(who, channelName, ts, actionID, option string) error {
	return w.act(who, channelName, ts, func(p pressable, _ string) bool { return p.ActionID == actionID || p.Text.Text == actionID }, Press{Action: actionID, Options: []string{option}})
}

func (w *Workspace) act(who, channelName, ts string, is picker, press Press) (err error) {
	w.do(func() {
		var u *User
		var in *channel
		if u, in, err = w.present(who, channelName); err != nil {
			return
		}
		m := in.find(ts)
		if m == nil {
			m = in.findEphemeral(ts)
		}
		if m == nil || m.To != "" && m.To != u.ID {
			err = fmt.Errorf("%s sees no message %s in #%s", u.Name, ts, in.name)
			return
		}
		var action answer
		if action, err = findAction(w.blocksOf(m), is, press); err != nil {
			return
		}
		w.pressed(u, in, m, action)
	})
	return err
}

func (w *Workspace) blocksOf(m *Message) []json.RawMessage {
	lists := []json.RawMessage{m.Blocks}
	var attachments []struct{ Blocks json.RawMessage }
	if json.Unmarshal(m.Attachments, &attachments) == nil {
		for _, a := range attachments {
			lists = append(lists, a.Blocks)
		}
	}
	return lists
}

// https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
func (w *Workspace) pressed(u *User, in *channel, m *Message, action answer) {
	a := w.apps[m.AppID]
	action["action_ts"] = formatTS(w.opt.Now().UnixMicro())
	container := answer{"type": "message", "message_ts": m.TS, "channel_id": in.id, "is_ephemeral": m.To != ""}
	if m.ThreadTS != "" {
		container["thread_ts"] = m.ThreadTS
	}
	name := in.name
	if in.im != "" {
		name = "directmessage"
	}
	payload := w.interaction(a, u, "block_actions")
	payload["container"], payload["channel"] = container, answer{"id": in.id, "name": name}
	payload["response_url"], payload["trigger_id"] = w.newResponseURL(a, in, u.ID, m.TS), w.newTrigger(a, u.ID, "")
	payload["state"], payload["actions"] = answer{"values": answer{}}, []answer{action}
	if m.To == "" { // the app is not shown what it wrote for one person
		payload["message"] = w.json(in, m, true)
	}
	w.deliver(&delivery{
		app: a, payload: payload, failure: Failure{Kind: interactive, Name: stringOf(action["action_id"]), User: u.ID},
		at: Place{Channel: in.id, TS: m.TS, Block: stringOf(action["block_id"])},
	})
}

func (w *Workspace) interaction(a *app, u *User, kind string) answer {
	o := answer{
		"type": kind, "token": "verification", "api_app_id": a.ID, "team": answer{"id": w.teamID, "domain": w.opt.Domain},
		"user":       answer{"id": u.ID, "username": u.Name, "name": u.Name, "team_id": u.TeamID},
		"enterprise": nil, "is_enterprise_install": false,
	}
	if w.opt.Enterprise != "" {
		o["enterprise"] = answer{"id": w.opt.Enterprise, "name": w.opt.Enterprise}
	}
	return o
}

// Submit presses the submit button of a modal. The values are by block_id and action_id, each in the form that Slack
// gives its kind, like {"type": "plain_text_input", "value": "…"}; those that are left out stay as they are.
func (w *Workspace) Submit(who, viewID string, values map[string]map[string]any) error {
	var refused error
	err := w.withView(who, viewID, func(u *User, v *View, a *app) {
		var state answer
		if state, refused = v.fillIn(values); refused != nil {
			return
		}
		payload := w.interaction(a, u, "view_submission")
		body := v.json(a)
		body["state"] = answer{"values": state}
		payload["view"], payload["response_urls"], payload["trigger_id"] = body, []string{}, w.newTrigger(a, u.ID, v.ID)
		failure := Failure{Kind: interactive, Name: v.CallbackID, User: u.ID}
		w.deliver(&delivery{app: a, payload: payload, answers: true, failure: failure, at: Place{View: v.ID}, acked: func(raw json.RawMessage) {
			w.submitted(a, u, v, raw, failure)
		}})
	})
	return errors.Join(err, refused)
}

// CloseView cancels a modal. The app hears of it if it asked to (notify_on_close).
func (w *Workspace) CloseView(who, viewID string) error {
	return w.withView(who, viewID, func(u *User, v *View, a *app) {
		delete(w.views, v.ID)
		var sent struct {
			Notify bool `json:"notify_on_close"`
		}
		if json.Unmarshal(v.Raw, &sent) != nil || !sent.Notify {
			return
		}
		payload := w.interaction(a, u, "view_closed")
		payload["view"], payload["is_cleared"] = v.json(a), false
		w.deliver(&delivery{app: a, payload: payload, failure: Failure{Kind: interactive, Name: v.CallbackID, User: u.ID}})
	})
}

func (w *Workspace) withView(who, viewID string, act func(*User, *View, *app)) (err error) {
	w.do(func() {
		var u *User
		if u, err = w.user(who); err != nil {
			return
		}
		v := w.views[viewID]
		if v == nil || v.User != u.ID {
			err = fmt.Errorf("%s has no view %s open", u.Name, viewID)
			return
		}
		act(u, v, w.apps[v.AppID])
	})
	return err
}

// submitted does what the app answers: https://docs.slack.dev/surfaces/modals#response_actions
func (w *Workspace) submitted(a *app, u *User, v *View, raw json.RawMessage, failure Failure) {
	var reply struct {
		Action string            `json:"response_action"`
		Errors map[string]string `json:"errors"`
		View   json.RawMessage   `json:"view"`
	}
	if len(raw) > 0 && json.Unmarshal(raw, &reply) != nil {
		w.fail(failure, Place{View: v.ID}, "invalid_view_response")
		return
	}
	switch reply.Action {
	case "":
		delete(w.views, v.ID)
	case "errors":
		v.Errors = reply.Errors
	case "clear":
		for id, other := range w.views {
			if other.root == v.root {
				delete(w.views, id)
			}
		}
	case "update", "push":
		if err := blockkit.View(reply.View); err != nil {
			w.fail(failure, Place{View: v.ID}, "invalid_view_response: "+err.Error())
			return
		}
		if reply.Action == "update" {
			w.fill(v, reply.View)
			return
		}
		pushed := w.addView(a, u.ID, reply.View)
		pushed.previous, pushed.root = v.ID, v.root
	}
}
