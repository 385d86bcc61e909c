package workspace

import (
	"encoding/json"
	"time"

	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

const (
	triggerLife = 3 * time.Second // https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
	maxViewSize = 250 << 10       // view_too_large at https://docs.slack.dev/reference/methods/views.open
	maxStack    = 3               // https://docs.slack.dev/surfaces/modals#updating
)

// View is a modal that somebody sees.
type View struct {
	ID         string
	User       string // ID
	AppID      string
	CallbackID string
	Title      string
	Raw        json.RawMessage   // as the app sent it, with IDs filled in
	Errors     map[string]string // by block_id, after a submission that was refused
	hash       string
	root       string
	previous   string
}

// trigger lets an app open one modal for the person who did something.
type trigger struct {
	app  *app
	user string
	view string // that it was pressed in
	at   time.Time
	used bool
}

func (w *Workspace) newTrigger(a *app, user, view string) string {
	id := w.newID("") + "." + w.teamID + ".trigger"
	w.triggers[id] = &trigger{app: a, user: user, view: view, at: w.opt.Now()}
	return id
}

// Views are the modals that somebody has open, the front one last.
func (w *Workspace) Views(who string) []View {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := w.mustUser(who)
	var open []View
	for _, v := range sorted(w.views) {
		if v.User == u.ID {
			open = append(open, *v)
		}
	}
	return open
}

func (c *call) openView() (answer, error) { return c.show(false) }

func (c *call) pushView() (answer, error) { return c.show(true) }

func (c *call) show(push bool) (answer, error) {
	raw, err := c.viewJSON()
	if err != nil {
		return nil, err
	}
	t := c.w.triggers[c.str("trigger_id")]
	switch {
	case t == nil || t.app != c.app:
		return nil, refuse("invalid_trigger_id")
	case t.used:
		return nil, refuse("exchanged_trigger_id")
	case c.w.opt.Now().Sub(t.at) > triggerLife:
		return nil, refuse("expired_trigger_id")
	case push && t.view == "":
		return nil, refuse("invalid_trigger_id")
	case push && c.w.openFor(t.user) >= maxStack:
		return nil, refuse("push_limit_reached")
	}
	t.used = true
	v := c.w.addView(c.app, t.user, raw)
	if push {
		v.previous, v.root = t.view, c.w.views[t.view].root
	}
	return answer{"view": v.json(c.app)}, nil
}

func (w *Workspace) openFor(user string) int {
	n := 0
	for _, v := range w.views {
		if v.User == user {
			n++
		}
	}
	return n
}

func (c *call) viewJSON() ([]byte, error) {
	raw := []byte(c.str("view"))
	if len(raw) > maxViewSize {
		return nil, refuse("view_too_large")
	}
	return raw, blockkit.View(raw)
}

func (w *Workspace) addView(a *app, user string, raw []byte) *View {
	v := &View{ID: w.newID("V"), User: user, AppID: a.ID}
	v.root = v.ID
	w.views[v.ID] = v
	w.fill(v, raw)
	return v
}

// fill takes what the app sent over into the view.
func (w *Workspace) fill(v *View, raw []byte) {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil {
		return // it has been checked
	}
	o["blocks"] = withIDs(o["blocks"], func() string { return w.newID("blk") })
	v.Raw, _ = json.Marshal(o)
	w.note(v.User, string(raw))
	var known struct {
		CallbackID string `json:"callback_id"`
		Title      struct{ Text string }
	}
	_ = json.Unmarshal(raw, &known)
	v.CallbackID, v.Title, v.Errors = known.CallbackID, known.Title.Text, nil
	v.hash = w.newID("hash")
}

func (c *call) updateView() (answer, error) {
	raw, err := c.viewJSON()
	if err != nil {
		return nil, err
	}
	v := c.w.views[c.str("view_id")]
	switch {
	case v == nil || v.AppID != c.app.ID:
		return nil, refuse("not_found")
	case c.str("hash") != "" && c.str("hash") != v.hash:
		return nil, refuse("hash_conflict")
	}
	c.w.fill(v, raw)
	return answer{"view": v.json(c.app)}, nil
}

// json is the view object: https://docs.slack.dev/reference/views
func (v *View) json(a *app) answer {
	o := answer{"private_metadata": "", "callback_id": "", "external_id": "", "clear_on_close": false, "notify_on_close": false}
	var sent map[string]json.RawMessage
	_ = json.Unmarshal(v.Raw, &sent)
	for k, raw := range sent {
		o[k] = raw
	}
	o["id"], o["team_id"], o["app_id"], o["bot_id"], o["hash"] = v.ID, a.teamID, a.ID, a.BotID, v.hash
	o["root_view_id"], o["previous_view_id"] = v.root, nil
	if v.previous != "" {
		o["previous_view_id"] = v.previous
	}
	o["state"] = answer{"values": answer{}}
	return o
}
