package page

import (
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// painter turns what stands in messages into HTML, as one visitor sees it.
type painter struct {
	names  map[string]string // of users, groups and channels, by ID
	mine   []string          // IDs that mean the visitor: their own, and of the groups they are in
	inside func(address string) (path string, ok bool)
	now    time.Time
}

func (p *painter) name(id string) string {
	if name := p.names[id]; name != "" {
		return name
	}
	return id
}

// mention calls somebody; it stands out where it calls the visitor.
func (p *painter) mention(id, label string) string {
	class := "mention"
	if slices.Contains(p.mine, id) {
		class += " you"
	}
	return `<span class="` + class + `">` + template.HTMLEscapeString(label) + "</span>"
}

func (p *painter) person(id string) string { return p.mention(id, "@"+p.name(id)) }

func (p *painter) channelLink(id string) string {
	label := template.HTMLEscapeString("#" + p.name(id))
	if path, ok := p.path("/archives/" + id); ok {
		return `<a class="mention" data-nav href="` + template.HTMLEscapeString(path) + `">` + label + "</a>"
	}
	return `<span class="mention">` + label + "</span>"
}

func broadcast(whom string) string {
	return `<span class="mention you loud">` + template.HTMLEscapeString("@"+whom) + "</span>"
}

func (p *painter) path(address string) (string, bool) {
	if p.inside == nil {
		return "", false
	}
	return p.inside(address)
}

// anchor is a link if the address is one that a browser should follow. What leads to a message stays in the page, all
// else opens beside it.
func (p *painter) anchor(address, label string) string {
	address, ok := opens(address)
	if !ok {
		return label
	}
	if path, ok := p.path(address); ok {
		return `<a data-nav href="` + template.HTMLEscapeString(path) + `">` + label + "</a>"
	}
	return `<a href="` + template.HTMLEscapeString(address) + `" target="_blank" rel="noopener noreferrer">` + label + "</a>"
}

// opens is the address as a browser is given it, if it is one to be followed.
func opens(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return "", false
	}
	return u.String(), true
}

// date shows a moment in the words of its format, and the whole of it to whoever asks.
func (p *painter) date(unix int64, format, fallback, link string) string {
	if unix <= 0 || p.now.IsZero() {
		return template.HTMLEscapeString(fallback)
	}
	at := time.Unix(unix, 0).In(p.now.Location())
	out := `<time datetime="` + at.UTC().Format(time.RFC3339) + `" title="` + at.Format("Monday, January 2, 2006 at 15:04:05 MST") + `">` +
		template.HTMLEscapeString(dateText(format, at, p.now)) + "</time>"
	if link != "" {
		return p.anchor(link, out)
	}
	return out
}

// newPainter knows all names of the workspace as they are now.
func newPainter(w *workspace.Workspace, me workspace.User, now time.Time) *painter {
	p := &painter{names: map[string]string{"USLACKBOT": "Slackbot"}, mine: []string{me.ID}, now: now}
	for _, u := range w.Users() {
		p.names[u.ID] = u.Name
	}
	for _, g := range w.Groups() {
		p.names[g.ID] = g.Handle
		if slices.Contains(g.UserIDs, me.ID) {
			p.mine = append(p.mine, g.ID)
		}
	}
	for _, c := range w.Channels() {
		p.names[c.ID()] = c.Name()
	}
	return p
}

// calls tells whether a message calls the visitor.
func (p *painter) calls(m workspace.Message) bool {
	return slices.ContainsFunc(m.Mentions(), func(mark string) bool {
		switch mark {
		case "!here", "!channel", "!everyone":
			return true
		}
		id := strings.TrimPrefix(strings.TrimPrefix(mark, "@"), "!subteam^")
		return slices.Contains(p.mine, id)
	})
}
