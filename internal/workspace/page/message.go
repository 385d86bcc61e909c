package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// message as the template is given it.
type message struct {
	ID, TS, Rev string // Rev changes with what is shown
	Known       bool   // the browser has this one

	Name, Initial, Tone        string
	Time, Moment, Full         string // of day, for machines, at full length
	Day                        string // where another one begins
	App, OnlyYou, Edited, Gone bool
	Follows                    bool // one of the same person
	Body                       template.HTML
	Attachments                []attachment
	Reactions                  []reaction
	Files                      []attached
	Replies                    int
	LastReply                  string
	Repliers                   []avatar
	Thread                     string // its address
	As, Channel                string
}

type (
	attachment struct {
		Tone string
		Body template.HTML
	}
	reaction struct {
		Name, Emoji, Who string
		Count            int
		Mine             bool
	}
	attached struct {
		Title, Name, Kind, Path, Head string
		More                          int // lines that are not in Head
	}
	avatar struct{ Initial, Tone, Name string }
)

// grouped: messages of one person within this time have one name above them.
const grouped = 5 * time.Minute

// channelMessages are those of the channel itself, and threadMessages a root with its replies, with what only the
// visitor sees there.
func (v *visit) channelMessages() []message {
	all := v.here.All()
	replies := map[string][]workspace.Message{}
	var roots []workspace.Message
	for _, m := range all {
		if m.Root() {
			roots = append(roots, m)
		}
		if m.ThreadTS != "" && m.ThreadTS != m.TS {
			replies[m.ThreadTS] = append(replies[m.ThreadTS], m)
		}
	}
	return v.draw("m-", v.withPrivate(roots, ""), replies)
}

func (v *visit) threadMessages() []message {
	if v.thread == "" {
		return nil
	}
	return v.draw("t-", v.withPrivate(v.here.Thread(v.thread), v.thread), nil)
}

func (v *visit) withPrivate(all []workspace.Message, thread string) []workspace.Message {
	for _, m := range append(v.here.Ephemerals(v.me.Name), v.slackbot(thread)...) {
		if m.ThreadTS == thread {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b workspace.Message) int { return strings.Compare(a.TS, b.TS) })
	return all
}

func (v *visit) draw(prefix string, all []workspace.Message, replies map[string][]workspace.Message) []message {
	out := make([]message, 0, len(all))
	for i, m := range all {
		drawn := v.remembered(prefix, m)
		at := timeOf(m.TS)
		if i == 0 || daysBetween(timeOf(all[i-1].TS), at) != 0 {
			drawn.Day = dayText(at, v.now)
		} else {
			before := all[i-1]
			drawn.Follows = before.User == m.User && before.To == m.To && at.Sub(timeOf(before.TS)) < grouped && before.Subtype == m.Subtype
		}
		v.summarize(&drawn, replies[m.TS])
		drawn.Rev = digest(revision(drawn))
		drawn.Known = v.known[drawn.ID] == drawn.Rev
		if v.known != nil {
			v.known[drawn.ID] = drawn.Rev
		}
		out = append(out, drawn)
	}
	return out
}

// memo is a message as it was drawn, and what of.
type memo struct {
	of   string
	made message
}

// remembered draws a message, or takes what a stream drew of the same before: most of a channel does not change.
func (v *visit) remembered(prefix string, m workspace.Message) message {
	if v.drawn == nil {
		return v.message(prefix, m)
	}
	key := prefix + m.TS
	var here []workspace.Attempt
	for _, a := range v.attempts {
		if a.TS == m.TS {
			here = append(here, a)
		}
	}
	of := digest(m.Text, string(m.Blocks), string(m.Attachments), m.ThreadTS, fmt.Sprint(
		m.Subtype, m.Edited, m.Reactions, len(m.Files), here, len(v.names), v.now.Unix()/int64(older.Seconds())))
	if v.drawn[key].of != of {
		v.drawn[key] = memo{of, v.message(prefix, m)}
	}
	return v.drawn[key].made
}

func revision(m message) string {
	raw, err := json.Marshal(m)
	if err != nil { // cannot be: these are plain structs
		return m.TS
	}
	return string(raw)
}

// summarize says beneath a root what there is in its thread.
func (v *visit) summarize(m *message, replies []workspace.Message) {
	m.Replies = len(replies)
	if len(replies) == 0 {
		return
	}
	m.LastReply = ago(v.now.Sub(timeOf(replies[len(replies)-1].TS)))
	const most = 4
	for _, r := range replies {
		a := v.avatar(r.User)
		if !slices.Contains(m.Repliers, a) && len(m.Repliers) < most {
			m.Repliers = append(m.Repliers, a)
		}
	}
}

func (v *visit) avatar(id string) avatar {
	name := v.name(id)
	return avatar{Name: name, Initial: strings.ToUpper(string([]rune(name)[:1])), Tone: toneOf(name)}
}

func (v *visit) message(prefix string, m workspace.Message) message {
	who, at := v.avatar(m.User), timeOf(m.TS)
	out := message{
		ID: prefix + m.TS, TS: m.TS, Name: who.Name, Initial: who.Initial, Tone: who.Tone, Time: v.page.opt.Clock(at),
		Moment: at.UTC().Format(time.RFC3339), Full: at.Format("Monday, January 2, 2006 at 15:04:05"), App: m.AppID != "",
		OnlyYou: m.To != "", Edited: m.Edited, Gone: m.Subtype == "tombstone", Thread: v.path(m.Channel, m.TS),
		As: v.me.Name, Channel: m.Channel,
	}
	c := canvas{painter: v.painter, at: workspace.Place{Channel: m.Channel, TS: m.TS}, attempts: v.attempts, scope: out.ID}
	if len(m.Blocks) == 0 {
		out.Body = mrkdwn(m.Text, v.painter)
	} else {
		out.Body = c.orError(m.Blocks)
	}
	out.Attachments = c.attachments(m.Attachments)
	for _, r := range m.Reactions {
		out.Reactions = append(out.Reactions, v.reaction(r))
	}
	for _, f := range m.Files {
		out.Files = append(out.Files, v.attached(f))
	}
	return out
}

func (v *visit) reaction(r workspace.Reaction) reaction {
	var who []string
	for _, id := range r.Users {
		who = append(who, v.name(id))
	}
	return reaction{
		Name: r.Name, Emoji: emojiOnly(":" + r.Name + ":"), Count: len(r.Users), Mine: slices.Contains(r.Users, v.me.ID),
		Who: strings.Join(who, ", "),
	}
}

// attached is a file with its first lines.
func (v *visit) attached(f workspace.File) attached {
	const most = 8
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(f.Content), "�"), "\n"), "\n")
	head := lines[:min(most, len(lines))]
	kind := "Plain text"
	if dot := strings.LastIndexByte(f.Name, '.'); dot >= 0 && f.Name[dot:] != ".txt" {
		kind = strings.ToUpper(f.Name[dot+1:])
	}
	return attached{
		Title: f.Title, Name: f.Name, Kind: kind + " · " + size(len(f.Content)), Head: strings.Join(head, "\n"), More: len(lines) - len(head),
		Path: strings.Replace(v.path(f.ID, ""), "/channel/", "/file/", 1),
	}
}

func size(n int) string {
	const kilo = 1024
	if n < kilo {
		return strconv.Itoa(n) + " bytes"
	}
	return strconv.Itoa((n+kilo/2)/kilo) + " kB"
}

func (c canvas) orError(raw json.RawMessage) template.HTML {
	out, err := c.blocks(raw)
	if err != nil {
		return plainText(err.Error())
	}
	return out
}

func (c canvas) attachments(raw json.RawMessage) []attachment {
	var sent []struct {
		Color, Title, Text, Pretext string
		TitleLink                   string `json:"title_link"`
		Blocks                      json.RawMessage
	}
	if json.Unmarshal(raw, &sent) != nil {
		return nil
	}
	var out []attachment
	for _, a := range sent {
		body := c.orError(a.Blocks)
		if len(a.Blocks) == 0 {
			title := "<b>" + string(plainText(a.Title)) + "</b>"
			body = mrkdwn(a.Pretext, c.painter) + template.HTML("<div>"+c.anchor(a.TitleLink, title)+"</div>") + mrkdwn(a.Text, c.painter)
		}
		out = append(out, attachment{Tone: barTone(a.Color), Body: body})
	}
	return out
}
