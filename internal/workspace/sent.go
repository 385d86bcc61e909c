package workspace

import (
	"slices"
	"strings"
)

// Sent is all that apps have ever sent to the readers of a channel, or to one person alone (ephemeral messages, direct messages, dialogs), in
// its order and as it was sent: texts, blocks with the values of their buttons, metadata, names and contents of files. What was replaced or
// deleted since was read, too.
func (w *Workspace) Sent(to string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c, err := w.channel(to); err == nil && (strings.HasPrefix(to, "#") || to == c.id) {
		return slices.Clone(w.sent[c.id])
	}
	return slices.Clone(w.sent[w.mustUser(to).ID])
}

// reached notes what an app has sent in a message. What people say is theirs.
func (w *Workspace) reached(m *Message) {
	if m.AppID == "" {
		return
	}
	parts := []string{m.Text, string(m.Blocks), string(m.Attachments), string(m.Metadata)}
	for _, f := range m.Files {
		parts = append(parts, f.Name, f.Title, string(f.Content))
	}
	to := m.Channel
	if c := w.channels[to]; c != nil && c.im != "" {
		to = c.im
	}
	if m.To != "" {
		to = m.To
	}
	w.note(to, strings.Join(parts, "\n"))
}

// note keeps what somebody got. JSON stands there without its escapes as well, as it is read.
func (w *Workspace) note(to, raw string) {
	plain := strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(raw)
	w.sent[to] = append(w.sent[to], raw, plain)
}
