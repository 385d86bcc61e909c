package slack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/workspace"
)

// stage is a scene with the open incident of courier-api in #deploys, and actions that let dana do everything.
type stage struct {
	*scene
	actions *fakeActions
	key     button.Key
	app     action.App
	// outside is the ID of a member of the workspace who is not in #deploys.
	outside string
	// root is the incident's message, with all buttons.
	root string
}

// perform plays a story with actions.
func perform(t *testing.T, story func(t *testing.T, s *stage)) {
	t.Helper()
	actions, key := newFakeActions(), button.NewKey("secret")
	play(t, func(o *slack.Options) { o.Actions, o.Key = actions, key }, func(t *testing.T, s *scene) {
		actions.may = []string{s.dana.ID}
		story(t, s.stage(actions, key))
	})
}

func (s *scene) stage(a *fakeActions, key button.Key) *stage {
	st := &stage{scene: s, actions: a, key: key, app: s.backend.apps[0].App}
	st.outside = s.AddUser(workspace.User{Name: "mallory"}).ID
	st.root = st.post(s.deploys.ID(), st.buttons(s.deploys.ID(), "courier-api-1", st.app)...)
	st.backend.incidents = append(st.backend.incidents, &incident.Incident{
		ID: "courier-api-1", Phase: incident.Open, Members: []incident.Member{{App: st.app}},
		Thread: incident.Thread{Channel: s.deploys.ID(), TS: st.root, Permalink: "https://acme.slack.com/archives/C1/p1"},
	})
	return st
}

func plain(text string) *slackgo.TextBlockObject {
	return slackgo.NewTextBlockObject(slackgo.PlainTextType, text, false, false)
}

// button is one that acts, in a channel. The words on it are what it does.
func (s *stage) button(channel, id string, v button.Value) slackgo.BlockElement {
	return slackgo.NewButtonBlockElement(id, s.signed(channel, id, v), plain(v.Do))
}

// signed is the value of a button for a message that is posted now: of a request, in the thread of the incident.
func (s *stage) signed(channel, id string, v button.Value) string {
	key := s.key.In(channel)
	if v.Record != "" {
		key = key.Under(s.root)
	}
	if v.Place.Incident == "" {
		key = key.Once(time.Now())
	}
	return key.Encode(id, v)
}

// buttons are all of an incident, or of an answer.
func (s *stage) buttons(channel, of string, app action.App) []slackgo.Block {
	var row []slackgo.BlockElement
	for _, k := range []action.Kind{action.HardRefresh, action.DeleteHookJob, action.Terminate, action.Sync} {
		v := button.Value{Do: string(k), App: app, Place: action.Place{Incident: of}}
		if k == action.DeleteHookJob {
			v.Target = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate"}
		}
		row = append(row, s.button(channel, "argo_why_act_"+string(k), v))
	}
	option := func(value, text string) *slackgo.OptionBlockObject {
		return slackgo.NewOptionBlockObject(value, plain(text), nil)
	}
	row = append(row, slackgo.NewOptionsSelectBlockElement(slackgo.OptTypeStatic, plain("Mute"), "argo_why_mute",
		option("1h", "1 hour"), option("4h", "4 hours"), option("24h", "a day"), option("0", "not any more")))
	return []slackgo.Block{slackgo.NewSectionBlock(plain(app.Name+" fails"), nil, nil), slackgo.NewActionBlock("", row...)}
}

// post is what the bot says.
func (s *stage) post(channel string, blocks ...slackgo.Block) (ts string) {
	s.t.Helper()
	client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
	_, ts, err := client.PostMessageContext(s.t.Context(), channel, slackgo.MsgOptionBlocks(blocks...))
	s.must(err)
	return ts
}

// request is the reply in the thread that asks for approval of the newest record.
func (s *stage) request() (ts string) {
	s.t.Helper()
	r := s.actions.records[len(s.actions.records)-1]
	v := button.Value{App: r.App, Record: r.ID}
	approve, deny := v, v
	approve.Do, deny.Do = button.Approve, button.Deny
	client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
	_, ts, err := client.PostMessageContext(s.t.Context(), s.deploys.ID(), slackgo.MsgOptionTS(s.root), slackgo.MsgOptionBlocks(
		slackgo.NewSectionBlock(plain(r.By.Name+" asks for a sync"), nil, nil),
		slackgo.NewActionBlock("", s.button(s.deploys.ID(), "argo_why_approve", approve), s.button(s.deploys.ID(), "argo_why_deny", deny))))
	s.must(err)
	return ts
}

// click clicks a button of the root message and waits for what comes of it.
func (s *stage) click(who string, kind action.Kind) {
	s.t.Helper()
	s.must(s.Click(who, "deploys", s.root, "argo_why_act_"+string(kind)))
	s.settle()
}

// told is what only this person was told in #deploys, all of it.
func (s *stage) told(who string) string {
	var b strings.Builder
	for _, m := range s.deploys.Ephemerals(who) {
		b.WriteString(read(m) + "\n")
	}
	return b.String()
}

// view is the modal that a person has in front.
func (s *stage) view(who string) workspace.View {
	s.t.Helper()
	open := s.Views(who)
	if len(open) == 0 {
		s.t.Fatalf("%s sees no modal\n%s", who, s.all())
	}
	return open[len(open)-1]
}

// modal is that as it is read: "Sync: …text… [Sync]".
func (s *stage) modal(who string) string {
	s.t.Helper()
	v := s.view(who)
	var shown struct {
		Submit *struct{ Text string }
		Blocks json.RawMessage
	}
	s.must(json.Unmarshal(v.Raw, &shown))
	text := v.Title + ": " + read(workspace.Message{Blocks: shown.Blocks})
	if shown.Submit != nil {
		text += "[" + shown.Submit.Text + "]"
	}
	return text
}

// submit clicks the button of the modal in front, with values by action_id.
func (s *stage) submit(who string, values map[string]map[string]any) {
	s.t.Helper()
	v := s.view(who)
	var form struct {
		Blocks []struct {
			BlockID string `json:"block_id"`
			Element struct {
				ActionID string `json:"action_id"`
			} `json:"element"`
		} `json:"blocks"`
	}
	s.must(json.Unmarshal(v.Raw, &form))
	state := map[string]map[string]any{}
	for _, b := range form.Blocks {
		if value, ok := values[b.Element.ActionID]; ok {
			state[b.BlockID] = map[string]any{b.Element.ActionID: value}
		}
	}
	if len(state) != len(values) {
		s.t.Fatalf("the modal has not all of %v\n%s", values, v.Raw)
	}
	s.must(s.Submit(who, v.ID, state))
	s.settle()
}

// did fails unless these are all that was asked for.
func (s *stage) did(want ...string) {
	s.t.Helper()
	if got := s.actions.done(); fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("done: %q, want %q\n%s", got, want, s.all())
	}
}

// counted fails unless an action ended in this way, once.
func (s *stage) counted(kind, outcome string) {
	s.t.Helper()
	families, err := s.registry.Gather()
	s.must(err)
	got := 0
	for _, f := range families {
		if f.GetName() != "argo_why_slack_presses_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if labels["action"] == kind && labels["outcome"] == outcome {
				got = int(m.GetCounter().GetValue())
			}
		}
	}
	if got != 1 {
		s.t.Errorf("%s %s was counted %d times", kind, outcome, got)
	}
}

// actionOf is the one of a payload that is tampered with.
func actionOf(p map[string]any) map[string]any { return at(p, "actions", 0) }

// at walks into a payload. What is not there makes an edit that no test sees, and the test fails.
func at(v any, path ...any) map[string]any {
	for _, step := range path {
		switch step := step.(type) {
		case int:
			list, _ := v.([]any)
			v = list[step]
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		}
	}
	object, _ := v.(map[string]any)
	return object
}

// edit replaces a part of a text in a payload.
func edit(in map[string]any, field, old, replacement string) {
	text, _ := in[field].(string)
	in[field] = strings.Replace(text, old, replacement, 1)
}

func tsOf(at time.Time) string { return fmt.Sprintf("%d.%06d", at.Unix(), at.Nanosecond()/1000) }
