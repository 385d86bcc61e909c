package workspace

import "encoding/json"

// Tamper changes the next click or submission on its way to the app, as somebody would who can write into what a client
// sends: another value, another person, another workspace, an old time.
func (w *Workspace) Tamper(edit func(payload map[string]any)) {
	w.do(func() { w.dials.tamper = edit })
}

// Redeliver brings the last click or submission again in the same envelope, to the next socket in its turn. It reports
// false when there was none, or no socket is open.
func (w *Workspace) Redeliver() (sent bool) {
	w.do(func() {
		last := w.dials.last
		sent = last.app != nil && w.send(last.app, last.envelope)
	})
	return sent
}

// sentInteraction is a click or submission, to be sent again.
type sentInteraction struct {
	app      *app
	envelope answer
}

// tampered is the payload as it leaves.
func (w *Workspace) tampered(payload answer) answer {
	edit := w.dials.tamper
	if edit == nil {
		return payload
	}
	w.dials.tamper = nil
	raw, err := json.Marshal(payload)
	if err != nil {
		return payload
	}
	var plain map[string]any
	if json.Unmarshal(raw, &plain) != nil {
		return payload
	}
	edit(plain)
	return plain
}
