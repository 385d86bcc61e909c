package workspace

import (
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

// readable finds a channel that the bot may know of: every public one, and those it is in.
func (c *call) readable() (*channel, error) {
	in, ok := c.w.channels[c.str("channel")]
	if !ok || in.private && !in.has(c.app.BotUserID) {
		return nil, refuse("channel_not_found")
	}
	return in, nil
}

// permitted is the conversation of the call, if the app has the scope for this kind of it, like groups:history.
func (c *call) permitted(right string) (*channel, error) {
	in, err := c.readable()
	if err != nil {
		return nil, err
	}
	if needed := in.kind() + ":" + right; !c.app.may(needed) {
		return nil, missingScope(c.app, needed)
	}
	return in, nil
}

func (c *call) conversationInfo() (answer, error) {
	in, err := c.permitted("read")
	if err != nil {
		return nil, err
	}
	return answer{"channel": in.json(c.app)}, nil
}

var kindOfType = map[string]string{"public_channel": "channels", "private_channel": "groups", "im": "im", "mpim": "mpim"}

func (c *call) conversationList() (answer, error) {
	var kinds []string
	for t := range strings.SplitSeq(cmp.Or(c.str("types"), "public_channel"), ",") {
		kind, ok := kindOfType[strings.TrimSpace(t)]
		if !ok {
			return nil, refuse("invalid_types")
		}
		if !c.app.may(kind + ":read") {
			return nil, missingScope(c.app, kind+":read")
		}
		kinds = append(kinds, kind)
	}
	var found []answer
	for _, in := range sorted(c.w.channels) {
		hidden := in.private && !in.has(c.app.BotUserID)
		if !slices.Contains(kinds, in.kind()) || hidden || in.archived && c.flag("exclude_archived") {
			continue
		}
		found = append(found, in.json(c.app))
	}
	part, next, err := page(c, found, 100, 1000)
	if err != nil {
		return nil, err
	}
	return answer{"channels": list(part), "response_metadata": answer{"next_cursor": next}}, nil
}

// list is never null in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// conversationMembers is strict about the limit, as its page is: "under 1000".
// https://docs.slack.dev/reference/methods/conversations.members
func (c *call) conversationMembers() (answer, error) {
	in, err := c.permitted("read")
	if err != nil {
		return nil, err
	}
	if size, err := c.limit(100, 1000); err != nil || size > 999 {
		return nil, refuse("invalid_limit")
	}
	part, next, err := page(c, in.members, 100, 999)
	if err != nil {
		return nil, err
	}
	return answer{"members": list(part), "response_metadata": answer{"next_cursor": next}}, nil
}

func (c *call) member(right string) (*channel, error) {
	in, err := c.permitted(right)
	if err != nil {
		return nil, err
	}
	if !in.has(c.app.BotUserID) {
		return nil, refuse("not_in_channel")
	}
	return in, nil
}

var anyTS = regexp.MustCompile(`^\d+(\.\d+)?$`)

// between keeps what lies in the asked span of time.
func (c *call) between() (func(ts string) bool, error) {
	oldest, latest, inclusive := c.str("oldest"), c.str("latest"), c.flag("inclusive")
	if oldest != "" && !anyTS.MatchString(oldest) {
		return nil, refuse("invalid_ts_oldest")
	}
	if latest != "" && !anyTS.MatchString(latest) {
		return nil, refuse("invalid_ts_latest")
	}
	oldest, latest = fullTS(oldest), fullTS(latest)
	return func(ts string) bool {
		ts = fullTS(ts)
		if oldest != "" && (ts < oldest || ts == oldest && !inclusive) {
			return false
		}
		return latest == "" || ts < latest || ts == latest && inclusive
	}, nil
}

// fullTS gives every ts the same length, ten digits of seconds and six places, so that they compare as text.
func fullTS(ts string) string {
	if ts == "" {
		return ""
	}
	whole, part, _ := strings.Cut(ts, ".")
	return strings.Repeat("0", max(0, 10-len(whole))) + whole + "." + (part + "000000")[:6]
}

// pageByTS cuts behind the message that the cursor names, so that new messages do not shift the pages.
func (c *call) pageByTS(all []*Message, usual, most int) (part []*Message, next string, err error) {
	size, err := c.limit(usual, most)
	if err != nil {
		return nil, "", err
	}
	start := 0
	if cursor := c.str("cursor"); cursor != "" {
		raw, err := base64.StdEncoding.DecodeString(cursor)
		ts, ok := strings.CutPrefix(string(raw), "next_ts:")
		if err != nil || !ok {
			return nil, "", refuse("invalid_cursor")
		}
		start = slices.IndexFunc(all, func(m *Message) bool { return m.TS == ts })
		if start < 0 {
			return nil, "", refuse("invalid_cursor")
		}
	}
	end := min(len(all), start+size)
	if end < len(all) {
		next = base64.StdEncoding.EncodeToString([]byte("next_ts:" + all[end].TS))
	}
	return all[start:end], next, nil
}

// history is the channel itself, newest first: https://docs.slack.dev/reference/methods/conversations.history
func (c *call) history() (answer, error) {
	in, err := c.member("history")
	if err != nil {
		return nil, err
	}
	keep, err := c.between()
	if err != nil {
		return nil, err
	}
	var found []*Message
	for _, m := range slices.Backward(in.messages) {
		if m.Root() && keep(m.TS) {
			found = append(found, m)
		}
	}
	return c.messages(in, found, 100, 999)
}

// replies is a thread, root first: https://docs.slack.dev/reference/methods/conversations.replies
func (c *call) replies() (answer, error) {
	in, err := c.member("history")
	if err != nil {
		return nil, err
	}
	keep, err := c.between()
	if err != nil {
		return nil, err
	}
	one := in.find(c.str("ts"))
	if one == nil {
		return nil, refuse("thread_not_found")
	}
	root := cmp.Or(one.ThreadTS, one.TS)
	var found []*Message
	for _, m := range in.messages {
		// The root comes with every page's first, whatever the span.
		if m.TS == root || m.ThreadTS == root && keep(m.TS) {
			found = append(found, m)
		}
	}
	return c.messages(in, found, 1000, 1000)
}

func (c *call) messages(in *channel, found []*Message, usual, most int) (answer, error) {
	part, next, err := c.pageByTS(found, usual, most)
	if err != nil {
		return nil, err
	}
	out := []answer{}
	for _, m := range part {
		out = append(out, c.w.json(in, m, c.flag("include_all_metadata")))
	}
	body := answer{"messages": out, "has_more": next != "", "pin_count": 0}
	if next != "" {
		body["response_metadata"] = answer{"next_cursor": next}
	}
	return body, nil
}

func (c *call) openConversation() (answer, error) {
	users := strings.Split(c.str("users"), ",")
	if len(users) != 1 {
		return nil, refuse("method_not_supported_for_channel_type") // group messages are not kept here
	}
	u := c.w.users[users[0]]
	if u == nil {
		return nil, refuse("user_not_found")
	}
	in := c.w.openIM(c.app, u)
	if c.flag("return_im") {
		return answer{"channel": in.json(c.app)}, nil
	}
	return answer{"channel": answer{"id": in.id}}, nil
}

func (c *call) joinConversation() (answer, error) {
	in, err := c.readable()
	if err != nil {
		return nil, err
	}
	switch {
	case in.private:
		return nil, refuse("method_not_supported_for_channel_type")
	case in.archived:
		return nil, refuse("is_archived")
	case in.has(c.app.BotUserID):
		return answer{
			"channel": in.json(c.app), "warning": "already_in_channel",
			"response_metadata": answer{"warnings": []string{"already_in_channel"}},
		}, nil
	}
	c.w.join(in, c.w.users[c.app.BotUserID])
	return answer{"channel": in.json(c.app)}, nil
}
