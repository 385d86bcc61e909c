package world

import "encoding/json"

// Posted is what the bot has written into channels and direct messages.
type Posted struct {
	// Messages are all of them. Twice are those that should not be there: a second one with the incident and number of another
	// one, or a second thread of an incident. The bot writes both into the metadata of what it posts.
	Messages, Twice int
}

// Posted counts what is in Slack, whatever the bot believes it has posted.
func (w *World) Posted() Posted {
	type mark struct {
		incident string
		number   float64
	}
	var out Posted
	marks, roots := map[mark]bool{}, map[string]bool{}
	for _, c := range w.Slack.Channels() {
		for _, m := range c.All() {
			if m.User != w.People.App.BotUserID {
				continue
			}
			out.Messages++
			var about struct {
				Payload struct {
					Incident string
					Seq      float64
				} `json:"event_payload"`
			}
			if json.Unmarshal(m.Metadata, &about) != nil || about.Payload.Incident == "" {
				continue
			}
			key := mark{about.Payload.Incident, about.Payload.Seq}
			root := m.ThreadTS == "" || m.ThreadTS == m.TS
			if marks[key] || root && roots[key.incident] {
				out.Twice++
			}
			marks[key] = true
			roots[key.incident] = roots[key.incident] || root
		}
	}
	return out
}
