package workspace

import (
	"fmt"
	"slices"
	"strings"
)

// channel is a conversation of any kind.
type channel struct {
	id, name  string
	private   bool
	im        string // the person on the other side of a direct message
	archived  bool
	sharing   Sharing
	created   int64
	members   []string // user IDs, in the order of joining
	messages  []*Message
	ephemeral []*Message
}

func (c *channel) has(userID string) bool { return slices.Contains(c.members, userID) }

// kind is the prefix of the scopes and events about this conversation: channels, groups, im.
func (c *channel) kind() string {
	switch {
	case c.im != "":
		return "im"
	case c.private:
		return "groups"
	default:
		return "channels"
	}
}

func (c *channel) find(ts string) *Message {
	for _, m := range c.messages {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

// Channel is a handle on a conversation of the workspace.
type Channel struct {
	w *Workspace
	c *channel
}

// AddChannel adds a public channel with these members, given by name or ID.
func (w *Workspace) AddChannel(name string, members ...string) *Channel {
	return w.newChannel(name, false, members)
}

// Rename gives the channel another name, as a person can.
func (c *Channel) Rename(name string) {
	c.w.do(func() { c.c.name = strings.TrimPrefix(name, "#") })
}

// Delete takes a message away, as an administrator can.
func (c *Channel) Delete(ts string) {
	c.w.do(func() {
		if m := c.c.find(ts); m != nil {
			c.c.remove(m)
		}
	})
}

// AddPrivateChannel adds a channel that only its members know of.
func (w *Workspace) AddPrivateChannel(name string, members ...string) *Channel {
	return w.newChannel(name, true, members)
}

func (w *Workspace) newChannel(name string, private bool, members []string) *Channel {
	var c *channel
	w.do(func() {
		c = &channel{id: w.newID("C"), name: strings.TrimPrefix(name, "#"), private: private, created: w.opt.Now().Unix()}
		w.channels[c.id] = c
		for _, who := range members {
			c.members = append(c.members, w.mustUser(who).ID)
		}
	})
	return &Channel{w, c}
}

// Channel finds a channel by name, with or without #, or by ID. It panics if there is none: a story that names a
// channel must have added it.
func (w *Workspace) Channel(nameOrID string) *Channel {
	w.mu.Lock()
	defer w.mu.Unlock()
	c, err := w.channel(nameOrID)
	if err != nil {
		panic(err)
	}
	return &Channel{w, c}
}

// DirectMessage is the conversation of an app and a person.
func (w *Workspace) DirectMessage(app App, who string) *Channel {
	var c *channel
	w.do(func() { c = w.openIM(w.apps[app.ID], w.mustUser(who)) })
	return &Channel{w, c}
}

// Channels are all conversations, by ID.
func (w *Workspace) Channels() []*Channel {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []*Channel
	for _, c := range sorted(w.channels) {
		all = append(all, &Channel{w, c})
	}
	return all
}

func (w *Workspace) channel(nameOrID string) (*channel, error) {
	if c, ok := w.channels[nameOrID]; ok {
		return c, nil
	}
	name := strings.TrimPrefix(nameOrID, "#")
	for _, c := range sorted(w.channels) {
		if c.name == name && c.im == "" {
			return c, nil
		}
	}
	return nil, fmt.Errorf("no channel %q in the workspace", nameOrID)
}

func (w *Workspace) openIM(a *app, u *User) *channel {
	for _, c := range sorted(w.channels) {
		if c.im == u.ID && c.has(a.BotUserID) {
			return c
		}
	}
	c := &channel{id: w.newID("D"), im: u.ID, private: true, created: w.opt.Now().Unix(), members: []string{a.BotUserID, u.ID}}
	w.channels[c.id] = c
	return c
}

// ID is the C… or D… of the conversation.
func (c *Channel) ID() string { return c.c.id }

// Name is without #, and empty for a direct message.
func (c *Channel) Name() string { return c.c.name }

// Private tells whether only members know of it.
func (c *Channel) Private() bool { return c.c.private }

// DirectTo is the ID of the person for a direct message, else empty.
func (c *Channel) DirectTo() string { return c.c.im }

// Members are the IDs of those in the channel.
func (c *Channel) Members() []string {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return slices.Clone(c.c.members)
}

// Invite lets people and apps (by their bot user) in.
func (c *Channel) Invite(who ...string) {
	c.w.do(func() {
		for _, each := range who {
			c.w.join(c.c, c.w.mustUser(each))
		}
	})
}

// Kick removes people and apps.
func (c *Channel) Kick(who ...string) {
	c.w.do(func() {
		for _, each := range who {
			id := c.w.mustUser(each).ID
			c.c.members = slices.DeleteFunc(c.c.members, func(m string) bool { return m == id })
		}
	})
}

// Archive closes the channel for writing; Unarchive opens it again.
func (c *Channel) Archive() { c.w.do(func() { c.c.archived = true }) }

// Unarchive undoes Archive.
func (c *Channel) Unarchive() { c.w.do(func() { c.c.archived = false }) }

// Sharing is who reads a channel beside this workspace.
type Sharing int

// The ways to share a channel: not at all, with another organization through Slack Connect, with one that was invited and has not
// accepted, with other workspaces of the own organization.
const (
	Unshared Sharing = iota
	WithStrangers
	StrangersInvited
	InOrganization
)

// Share changes who reads the channel.
func (c *Channel) Share(s Sharing) { c.w.do(func() { c.c.sharing = s }) }

// Archived reports whether the channel is archived: no one can write in it.
func (c *Channel) Archived() bool {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return c.c.archived
}

func (w *Workspace) join(c *channel, u *User) {
	if c.has(u.ID) {
		return
	}
	c.members = append(c.members, u.ID)
	w.event(c, "member_joined_channel", "member_joined_channel", answer{
		"type": "member_joined_channel", "user": u.ID, "channel": c.id, "channel_type": strings.ToUpper(c.id[:1]), "team": w.teamID,
	})
}

// json is the conversation object: https://docs.slack.dev/reference/objects/conversation-object
func (c *channel) json(a *app) answer {
	o := answer{
		"id": c.id, "created": c.created, "is_archived": c.archived, "is_private": c.private, "is_im": c.im != "",
		"is_mpim": false, "is_channel": c.kind() == "channels", "is_group": c.kind() == "groups", "is_general": false,
		"is_shared": c.sharing == WithStrangers || c.sharing == InOrganization, "is_ext_shared": c.sharing == WithStrangers,
		"is_org_shared": c.sharing == InOrganization, "is_pending_ext_shared": c.sharing == StrangersInvited, "context_team_id": a.teamID, "updated": 0,
	}
	if c.im != "" {
		o["user"] = c.im
		o["is_user_deleted"] = false
		return o
	}
	o["name"] = c.name
	o["name_normalized"] = c.name
	o["is_member"] = c.has(a.BotUserID)
	o["creator"] = ""
	o["topic"] = answer{"value": "", "creator": "", "last_set": 0}
	o["purpose"] = answer{"value": "", "creator": "", "last_set": 0}
	o["num_members"] = len(c.members)
	return o
}
