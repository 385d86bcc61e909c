package page

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/workspace"
)

// visit is what one browser looks at: as whom, which channel, which thread.
type visit struct {
	*painter
	page     *Page
	w        *workspace.Workspace
	me       workspace.User
	theme    string
	here     *workspace.Channel
	thread   string
	attempts []workspace.Attempt
	known    map[string]string // revisions of the messages that the browser has, by ID of the element
	drawn    map[string]memo   // of a stream: what was drawn before
}

var (
	errNobody    = errors.New("this workspace has no people to view it as")
	errNoChannel = errors.New("there is no channel to show")
)

// visit finds out who looks at what. Somebody who is not in a channel is shown another one.
func (p *Page) visit(r *http.Request, channel, thread string) (*visit, error) {
	v := &visit{page: p, w: p.opt.Workspace, theme: theme(r.FormValue("theme")), thread: thread}
	if err := v.become(r.FormValue("as")); err != nil {
		return nil, err
	}
	v.look()
	for _, a := range v.w.Apps() {
		v.openDirect(a)
	}
	v.here = v.find(channel)
	if v.here == nil {
		return nil, errNoChannel
	}
	if thread != "" && len(v.here.Thread(thread)) == 0 {
		v.thread = ""
	}
	return v, nil
}

func theme(s string) string {
	if s == "dark" || s == "light" {
		return s
	}
	return ""
}

// become takes the name of a person of the page, or the first where it is nobody's.
func (v *visit) become(name string) error {
	people := v.page.people()
	if len(people) == 0 {
		return errNobody
	}
	as := people[0].Name
	for _, person := range people {
		if person.Name == name {
			as = name
		}
	}
	for _, u := range v.w.Users() {
		if u.Name == as {
			v.me = u
			return nil
		}
	}
	return errNobody
}

// look takes in what has changed since.
func (v *visit) look() {
	v.painter = newPainter(v.w, v.me, v.page.opt.Now())
	v.inside = v.insidePath
	v.attempts = v.w.Attempts(v.me.Name)
}

// openDirect makes sure that there is a conversation with the app to click on.
func (v *visit) openDirect(a workspace.App) {
	for _, c := range v.w.Channels() {
		if c.DirectTo() == v.me.ID && slices.Contains(c.Members(), a.BotUserID) {
			return
		}
	}
	v.w.DirectMessage(a, v.me.ID)
}

// channels are the conversations that the visitor is in.
func (v *visit) channels() []*workspace.Channel {
	var all []*workspace.Channel
	for _, c := range v.w.Channels() {
		if slices.Contains(c.Members(), v.me.ID) {
			all = append(all, c)
		}
	}
	return all
}

// find is the channel that is asked for. The direct message of somebody else with an app becomes the visitor's own, so
// that one stays there when one becomes another person.
func (v *visit) find(asked string) *workspace.Channel {
	mine := v.channels()
	for _, c := range mine {
		if c.ID() == asked || c.Name() != "" && c.Name() == asked {
			return c
		}
	}
	for _, other := range v.w.Channels() {
		if other.ID() != asked || other.DirectTo() == "" {
			continue
		}
		for _, c := range mine {
			if c.DirectTo() == v.me.ID && slices.Contains(c.Members(), partner(other)) {
				return c
			}
		}
	}
	if len(mine) == 0 {
		return nil
	}
	return mine[0]
}

// partner is the app of a direct message.
func partner(c *workspace.Channel) string {
	for _, id := range c.Members() {
		if id != c.DirectTo() {
			return id
		}
	}
	return ""
}

// path is the address of a channel or a thread in the page, for the visitor.
func (v *visit) path(channel, thread string) string {
	return v.pathAs(v.me.Name, v.theme, channel, thread)
}

func (v *visit) pathAs(as, theme, channel, thread string) string {
	path := "/channel/" + url.PathEscape(channel)
	if thread != "" {
		path += "/" + url.PathEscape(thread)
	}
	q := url.Values{"as": {as}}
	if theme != "" {
		q.Set("theme", theme)
	}
	return path + "?" + q.Encode()
}

// insidePath knows the permalinks of the workspace.
func (v *visit) insidePath(address string) (string, bool) {
	if id, ok := strings.CutPrefix(address, "/archives/"); ok {
		return v.path(id, ""), v.names[id] != ""
	}
	channel, ts, thread, ok := v.w.Locate(address)
	if !ok {
		return "", false
	}
	if thread == "" {
		thread = ts
	}
	return v.path(channel, thread) + "#t-" + ts, true
}
