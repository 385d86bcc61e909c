package workspace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ackTime is how long an app has: https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
const ackTime = 3 * time.Second

// An event that is not acknowledged comes again almost at once, after a minute, and after five:
// https://docs.slack.dev/apis/events-api#retries
var retries = []time.Duration{time.Second, time.Minute, 5 * time.Minute}

// Failure is what became of something that the app did not take.
type Failure struct {
	Kind   string // slash_commands, interactive, events_api
	Name   string // the command, the action_id, the type of the event
	User   string // ID of the person who sees it fail; empty for an event
	Reason string // operation_timeout, dispatch_failed (no socket open), or what was wrong with the answer
}

// Timeouts are the failures that people saw, and the events that were given up.
func (w *Workspace) Timeouts() []Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.failures)
}

// delivery is one envelope on its way to the app.
type delivery struct {
	app     *app
	failure Failure // if it comes to that
	at      Place
	payload answer
	answers bool // accepts_response_payload
	attempt int
	reason  string // of the last retry
	acked   func(payload json.RawMessage)
	timer   *time.Timer
}

func (w *Workspace) deliver(d *delivery) {
	w.attempt(d.failure, d.at)
	if d.failure.Kind == interactive {
		d.payload = w.tampered(d.payload)
	}
	envelope := answer{
		"envelope_id": w.newEnvelopeID(), "type": d.failure.Kind, "payload": d.payload, "accepts_response_payload": d.answers,
	}
	if d.failure.Kind == eventsAPI {
		envelope["retry_attempt"] = d.attempt
		envelope["retry_reason"] = d.reason
	}
	if d.failure.Kind == interactive {
		w.dials.last = sentInteraction{d.app, envelope}
	}
	if !w.send(d.app, envelope) {
		w.missed(d, "dispatch_failed")
		return
	}
	if w.dials.duplicate > 0 {
		w.dials.duplicate--
		w.send(d.app, envelope)
	}
	id, _ := envelope["envelope_id"].(string)
	w.pending[id] = d
	d.timer = w.after(ackTime, func() {
		delete(w.pending, id)
		w.missed(d, "operation_timeout")
	})
}

func (w *Workspace) newEnvelopeID() string {
	w.lastID++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", w.lastID)
}

// send gives an envelope to exactly one of the app's sockets, each in its turn.
func (w *Workspace) send(a *app, envelope answer) bool {
	for i, s := range w.sockets {
		if s.app != a || s.leaving {
			continue
		}
		s.push(envelope)
		w.sockets = append(slices.Delete(w.sockets, i, i+1), s)
		return true
	}
	return false
}

// missed brings an event again. A person is told at once, and nothing comes again.
func (w *Workspace) missed(d *delivery, reason string) {
	if d.failure.Kind != eventsAPI || d.attempt >= len(retries) {
		w.fail(d.failure, d.at, reason)
		return
	}
	pause := retries[d.attempt]
	d.attempt++
	d.reason = "timeout"
	w.after(pause, func() { w.deliver(d) })
}

func (w *Workspace) acknowledge(envelopeID string, payload json.RawMessage) {
	d := w.pending[envelopeID]
	if d == nil {
		return // late, or the second of a duplicate
	}
	delete(w.pending, envelopeID)
	w.stop(d.timer)
	w.forget(d.failure, d.at)
	if d.acked != nil && d.answers {
		d.acked(payload)
	}
}

const (
	eventsAPI     = "events_api"
	interactive   = "interactive"
	slashCommands = "slash_commands"
)

// event tells the apps that subscribed to it, have its scope and are in the channel.
func (w *Workspace) event(in *channel, name, needed string, inner answer) {
	for _, a := range sorted(w.apps) {
		w.eventFor(a, in, name, needed, inner)
	}
}

func (w *Workspace) eventFor(a *app, in *channel, name, scope string, inner answer) {
	subscribed := a.Events == nil || slices.Contains(a.Events, name)
	if scope == "member_joined_channel" {
		scope = in.kind() + ":read"
	}
	if !subscribed || !a.may(scope) || !in.has(a.BotUserID) {
		return
	}
	kind, _ := inner["type"].(string)
	now := w.opt.Now().Unix()
	inner = maps.Clone(inner) // each app gets one of its own
	inner["event_ts"] = cmp.Or(stringOf(inner["ts"]), formatTS(w.opt.Now().UnixMicro()))
	var enterprise any // null where there is none
	if w.opt.Enterprise != "" {
		enterprise = w.opt.Enterprise
	}
	w.deliver(&delivery{
		app: a, failure: Failure{Kind: eventsAPI, Name: kind},
		payload: answer{
			"token": "verification", "team_id": w.teamID, "context_team_id": w.teamID, "context_enterprise_id": enterprise,
			"api_app_id": a.ID, "type": "event_callback", "event_id": w.newID("Ev"), "event_time": now, "event": inner,
			"is_ext_shared_channel": in.sharing == WithStrangers, "event_context": "4-" + w.newID("ctx"),
			"authorizations": []answer{{
				"enterprise_id": enterprise, "team_id": w.teamID, "user_id": a.BotUserID, "is_bot": true, "is_enterprise_install": false,
			}},
		},
	})
}

func stringOf(v any) string {
	s, _ := v.(string)
	return s
}
