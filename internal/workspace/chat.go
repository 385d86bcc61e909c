package workspace

import "unicode/utf8"

// writable finds the channel to write to. A user's ID stands for the direct message with them.
func (c *call) writable() (*channel, error) {
	id := c.str("channel")
	if id == "" {
		return nil, refuse("channel_not_found")
	}
	if u, ok := c.w.users[id]; ok {
		if u.Deleted {
			return nil, refuse("channel_not_found")
		}
		return c.w.openIM(c.app, u), nil
	}
	found, err := c.w.channel(id)
	switch {
	case err != nil:
		return nil, refuse("channel_not_found")
	case found.has(c.app.BotUserID):
	case found.private:
		return nil, refuse("channel_not_found")
	case !c.app.may("chat:write.public"):
		return nil, refuse("not_in_channel")
	}
	if found.archived {
		return nil, refuse("is_archived")
	}
	return found, nil
}

func (c *call) postMessage() (answer, error) {
	in, err := c.writable()
	if err != nil {
		return nil, err
	}
	n, err := c.content(c.blockID)
	if err != nil {
		return nil, err
	}
	if n.empty() {
		return nil, refuse("no_text")
	}
	m := c.w.newMessage(c.app, in, n)
	if err := c.thread(in, m); err != nil {
		return nil, err
	}
	c.w.post(in, m)
	return answer{"channel": in.id, "ts": m.TS, "message": c.w.json(in, m, true)}, nil
}

// thread makes a reply of it. What Slack says to the ts of no message is not documented; a reply that nobody finds is
// refused here. A reply to a reply goes to its root.
func (c *call) thread(in *channel, m *Message) error {
	ts := c.str("thread_ts")
	if ts == "" {
		return nil
	}
	root := in.find(ts)
	if root == nil {
		return refuse("thread_not_found")
	}
	if root.ThreadTS != "" && root.ThreadTS != root.TS {
		root = in.find(root.ThreadTS)
	}
	root.ThreadTS = root.TS
	m.ThreadTS = root.TS
	if c.flag("reply_broadcast") {
		m.Subtype = "thread_broadcast"
	}
	return nil
}

func (w *Workspace) newMessage(a *app, in *channel, n content) *Message {
	return &Message{
		Channel: in.id, User: a.BotUserID, BotID: a.BotID, AppID: a.ID, Text: cut(n.text, maxPostText),
		Blocks: n.blocks, Attachments: n.attachments, Metadata: n.metadata,
	}
}

func (w *Workspace) post(in *channel, m *Message) {
	m.TS = w.newTS()
	in.messages = append(in.messages, m)
	w.reached(m)
	w.messageEvent(in, m)
}

// mine finds a message that the app may change.
func (c *call) mine(denied string) (*channel, *Message, error) {
	in, err := c.readable()
	if err != nil {
		return nil, nil, err
	}
	m := in.find(c.str("ts"))
	switch {
	case m == nil || m.Subtype == tombstone:
		return nil, nil, refuse("message_not_found")
	case m.AppID != c.app.ID:
		return nil, nil, refuse(denied)
	}
	return in, m, nil
}

func (c *call) updateMessage() (answer, error) {
	in, m, err := c.mine("cant_update_message")
	if err != nil {
		return nil, err
	}
	if in.archived {
		return nil, refuse("is_inactive")
	}
	n, err := c.content(c.blockID)
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(n.text) > maxUpdateText {
		return nil, refuse("msg_too_long")
	}
	if !n.hasText && !n.hasBlocks && !n.hasAttachments && !n.hasMetadata {
		return nil, refuse("no_text")
	}
	before := c.w.json(in, m, true)
	c.w.change(m, n)
	m.Updates++
	c.w.hiddenEvent(in, answer{
		"subtype": "message_changed", "ts": c.w.newTS(), "message": c.w.json(in, m, true), "previous_message": before,
	})
	return answer{"channel": in.id, "ts": m.TS, "text": m.Text, "message": c.w.json(in, m, true)}, nil
}

// change is what an update does to a message. Text alone takes the blocks away and shows as edited, blocks do not:
// https://docs.slack.dev/reference/methods/chat.update
func (w *Workspace) change(m *Message, n content) {
	if n.hasText {
		m.Text = n.text
		m.Edited = m.Edited || !n.hasBlocks
	}
	switch {
	case n.hasBlocks && isEmptyJSON(n.blocks), n.hasText && !n.hasBlocks:
		m.Blocks = nil
	case n.hasBlocks:
		m.Blocks = n.blocks
	}
	if n.hasAttachments {
		m.Attachments = n.attachments
	}
	if n.hasMetadata {
		m.Metadata = n.metadata
	}
	if isEmptyJSON(m.Metadata) {
		m.Metadata = nil
	}
	w.reached(m)
}

const tombstone = "tombstone"

func (c *call) deleteMessage() (answer, error) {
	in, m, err := c.mine("cant_delete_message")
	if err != nil {
		return nil, err
	}
	before := c.w.json(in, m, true)
	in.remove(m)
	c.w.hiddenEvent(in, answer{"subtype": "message_deleted", "ts": c.w.newTS(), "deleted_ts": m.TS, "previous_message": before})
	return answer{"channel": in.id, "ts": m.TS}, nil
}

// remove takes a message away. A root with replies leaves a tombstone, so that the replies have a place.
func (c *channel) remove(gone *Message) {
	var rest []*Message
	for _, m := range c.messages {
		if m.ThreadTS == gone.TS && m != gone {
			*gone = Message{
				Channel: c.id, TS: gone.TS, ThreadTS: gone.TS, User: "USLACKBOT", Subtype: tombstone, Text: "This message was deleted.",
			}
			return
		}
		if m != gone {
			rest = append(rest, m)
		}
	}
	c.messages = rest
}

func (c *call) postEphemeral() (answer, error) {
	in, err := c.writable()
	if err != nil {
		return nil, err
	}
	to := c.str("user")
	if to == "" || c.w.users[to] == nil || !in.has(to) {
		return nil, refuse("user_not_in_channel")
	}
	n, err := c.content(c.blockID)
	if err != nil {
		return nil, err
	}
	if n.empty() {
		return nil, refuse("no_text")
	}
	m := c.w.whisper(c.app, in, to, n)
	m.ThreadTS = c.str("thread_ts")
	return answer{"message_ts": m.TS}, nil
}

func (w *Workspace) whisper(a *app, in *channel, to string, n content) *Message {
	m := w.newMessage(a, in, n)
	m.To = to
	m.TS = w.newTS()
	in.ephemeral = append(in.ephemeral, m)
	w.reached(m)
	return m
}

func (c *call) getPermalink() (answer, error) {
	in, err := c.readable()
	if err != nil {
		return nil, err
	}
	ts := c.str("message_ts")
	if in.find(ts) == nil {
		return nil, refuse("message_not_found")
	}
	return answer{"channel": in.id, "permalink": c.w.permalink(in, ts)}, nil
}
