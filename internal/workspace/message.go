package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Message as a person sees it.
type Message struct {
	Channel  string // ID
	TS       string
	ThreadTS string // of the root, in a reply and in a root with replies
	User     string // ID of the person or of the bot user
	BotID    string
	AppID    string
	Subtype  string // "thread_broadcast", "tombstone", "file_share"
	To       string // ID of the only one who sees it, for an ephemeral message
	Text     string

	Blocks      json.RawMessage // a list, with the block_id and action_id that Slack fills in
	Attachments json.RawMessage
	Metadata    json.RawMessage // {"event_type": …, "event_payload": {…}}
	// Edited is set once the text was changed. An update of blocks does not show as edited.
	Edited    bool
	Updates   int // how often chat.update changed it
	Reactions []Reaction
	Files     []File
}

// Reaction is one emoji below a message.
type Reaction struct {
	Name  string
	Users []string
}

// Root tells whether it stands in the channel itself and not (only) in a thread.
func (m *Message) Root() bool {
	return m.ThreadTS == "" || m.ThreadTS == m.TS || m.Subtype == "thread_broadcast"
}

func (m *Message) copy() Message {
	c := *m
	c.Reactions = slices.Clone(m.Reactions)
	c.Files = slices.Clone(m.Files)
	return c
}

// Messages are those of the channel itself, oldest first, without the replies in threads.
func (c *Channel) Messages() []Message {
	return c.filter(func(m *Message) bool { return m.Root() })
}

// Last is the newest message of the channel itself.
func (c *Channel) Last() (m Message, ok bool) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	for _, m := range slices.Backward(c.c.messages) {
		if m.Root() {
			return m.copy(), true
		}
	}
	return Message{}, false
}

// Thread is a root and its replies, oldest first.
func (c *Channel) Thread(ts string) []Message {
	return c.filter(func(m *Message) bool { return m.TS == ts || m.ThreadTS == ts })
}

// All are messages and replies, oldest first.
func (c *Channel) All() []Message {
	return c.filter(func(*Message) bool { return true })
}

func (c *Channel) filter(keep func(*Message) bool) []Message {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return copies(c.c.messages, keep)
}

// Ephemerals are the messages that only this person sees here.
func (c *Channel) Ephemerals(who string) []Message {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	u := c.w.mustUser(who)
	return copies(c.c.ephemeral, func(m *Message) bool { return m.To == u.ID })
}

func copies(messages []*Message, keep func(*Message) bool) []Message {
	var kept []Message
	for _, m := range messages {
		if keep(m) {
			kept = append(kept, m.copy())
		}
	}
	return kept
}

// Permalink is the address of a message.
func (c *Channel) Permalink(ts string) string { return c.w.permalink(c.c, ts) }

func (w *Workspace) permalink(c *channel, ts string) string {
	link := fmt.Sprintf("https://%s.slack.com/archives/%s/p%s", w.opt.Domain, c.id, strings.ReplaceAll(ts, ".", ""))
	if m := c.find(ts); m != nil && m.ThreadTS != "" && m.ThreadTS != m.TS {
		link += "?thread_ts=" + m.ThreadTS + "&cid=" + c.id
	}
	return link
}

// json is the message as history and events give it: https://docs.slack.dev/reference/events/message
func (w *Workspace) json(c *channel, m *Message, withMetadata bool) answer {
	o := answer{"type": "message", "ts": m.TS, "user": m.User, "text": m.Text, "team": w.teamID}
	if u := w.users[m.User]; u != nil && u.TeamID != w.teamID { // in a channel that several workspaces share
		o["user_team"], o["source_team"] = u.TeamID, u.TeamID
	}
	if m.BotID != "" {
		o["bot_id"] = m.BotID
		o["app_id"] = m.AppID
		if a := w.apps[m.AppID]; a != nil {
			o["bot_profile"] = a.profile()
		}
	}
	if m.Subtype != "" {
		o["subtype"] = m.Subtype
	}
	if len(m.Blocks) > 0 {
		o["blocks"] = m.Blocks
	}
	if len(m.Attachments) > 0 {
		o["attachments"] = m.Attachments
	}
	if withMetadata && len(m.Metadata) > 0 {
		o["metadata"] = m.Metadata
	}
	if m.Edited {
		o["edited"] = answer{"user": m.User, "ts": m.TS}
	}
	if len(m.Files) > 0 {
		o["files"] = filesJSON(m.Files)
	}
	if len(m.Reactions) > 0 {
		var all []answer
		for _, r := range m.Reactions {
			all = append(all, answer{"name": r.Name, "users": r.Users, "count": len(r.Users)})
		}
		o["reactions"] = all
	}
	if m.ThreadTS != "" {
		o["thread_ts"] = m.ThreadTS
		if m.ThreadTS == m.TS {
			c.threadFields(o, m.TS)
		} else if root := c.find(m.ThreadTS); root != nil {
			o["parent_user_id"] = root.User
		}
	}
	return o
}

func (c *channel) threadFields(o answer, ts string) {
	var users []string
	replies, latest := 0, ""
	for _, r := range c.messages {
		if r.ThreadTS != ts || r.TS == ts {
			continue
		}
		replies++
		latest = r.TS
		if !slices.Contains(users, r.User) {
			users = append(users, r.User)
		}
	}
	o["reply_count"] = replies
	o["reply_users_count"] = len(users)
	o["reply_users"] = users
	o["latest_reply"] = latest
	o["is_locked"] = false
	o["subscribed"] = false
}
