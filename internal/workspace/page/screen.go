package page

import (
	"html/template"
	"slices"

	"github.com/argo-why/argo-why/internal/workspace"
)

// screen is what the templates are given. Each of its parts is an element of its own, which a stream replaces when it
// has changed.
type screen struct {
	Team, Title, Theme string
	As                 Person
	Me                 avatar
	People             []face
	Themes             []link
	Channels, Direct   []entry
	Here               entry
	Archived           bool
	Messages           []message
	Thread             []message
	ThreadTS, Back     string
	Root               string // name of who began the thread
	Modals             []modal
	Above, Beside      []part
	Styled             bool
	Stream             string
	Commands           string
}

type (
	face struct {
		Person
		Face avatar
		Path string
		Me   bool
	}
	entry struct {
		ID, Name, Path string
		Private, App   bool
		Tone, Initial  string
		Here, Unread   bool
		Count          int // of messages that call the visitor
	}
	link struct {
		Label, Path string
		Here        bool
	}
	part struct {
		ID, Label string
		HTML      template.HTML
	}
)

func (v *visit) screen() screen {
	v.page.seen(v.me.ID, v.here)
	s := screen{
		Team: v.w.Team(), Theme: v.theme, Me: v.avatar(v.me.ID), Archived: v.here.Archived(), ThreadTS: v.thread,
		Messages: v.channelMessages(), Thread: v.threadMessages(), Back: v.path(v.here.ID(), ""), Modals: v.modals(),
		Styled: len(v.page.opt.Style) > 0, Stream: v.path(v.here.ID(), v.thread),
	}
	for _, person := range v.page.people() {
		f := face{
			Person: person, Face: v.avatar(person.Name), Path: v.pathAs(person.Name, v.theme, v.here.ID(), v.thread), Me: person.Name == v.me.Name,
		}
		if f.Me {
			s.As = person
		}
		s.People = append(s.People, f)
	}
	for _, t := range []link{{Label: "Auto"}, {Label: "Light", Path: "light"}, {Label: "Dark", Path: "dark"}} {
		s.Themes = append(s.Themes, link{t.Label, v.pathAs(v.me.Name, t.Path, v.here.ID(), v.thread), t.Path == v.theme})
	}
	for _, c := range v.channels() {
		e := v.entry(c)
		if e.Here {
			s.Here = e
		}
		if e.App {
			s.Direct = append(s.Direct, e)
		} else {
			s.Channels = append(s.Channels, e)
		}
	}
	if len(s.Thread) > 0 {
		s.Root = s.Thread[0].Name
	}
	s.Title = s.Here.Name
	if !s.Here.App {
		s.Title = "#" + s.Title
	}
	s.Above, s.Beside = v.sections(Above), v.sections(Beside)
	return s
}

func (v *visit) entry(c *workspace.Channel) entry {
	e := entry{ID: c.ID(), Name: c.Name(), Path: v.path(c.ID(), ""), Private: c.Private(), Here: c.ID() == v.here.ID()}
	if c.DirectTo() != "" {
		other := partner(c)
		if other == v.me.ID {
			other = c.DirectTo()
		}
		a := v.avatar(other)
		e.Name, e.Tone, e.Initial, e.App = a.Name, a.Tone, a.Initial, true
	}
	last, ok := c.Last()
	read := v.page.readUpTo(v.me.ID, c)
	if !ok || e.Here || last.TS <= read || last.User == v.me.ID {
		return e
	}
	e.Unread = true
	for _, m := range c.Messages() {
		if m.TS > read && m.User != v.me.ID && (e.App || v.calls(m)) {
			e.Count++
		}
	}
	return e
}

// sections are those of a place, rendered by whoever has them.
func (v *visit) sections(at Place) []part {
	var all []part
	for _, s := range v.page.opt.Sections {
		if s.Place != at {
			continue
		}
		html, err := s.Render(v.me.Name)
		if err != nil {
			html = template.HTML(`<p class="error">`) + plainText(err.Error()) + "</p>"
		}
		all = append(all, part{s.ID, s.Label, html})
	}
	return all
}

// parts are the templates of a screen that stand alone, by the ID of the element that each is.
func (s screen) parts() ([]part, error) {
	all := []part{
		{ID: "sidebar"}, {ID: "channel-head"}, {ID: "messages"}, {ID: "composer"}, {ID: "thread"}, {ID: "modals"},
	}
	for i := range all {
		html, err := execute(all[i].ID, s)
		if err != nil {
			return nil, err
		}
		all[i].HTML = html
	}
	for _, section := range slices.Concat(s.Above, s.Beside) {
		name := "above"
		if slices.Contains(s.Beside, section) {
			name = "beside"
		}
		html, err := execute(name, section)
		if err != nil {
			return nil, err
		}
		all = append(all, part{ID: section.ID, HTML: html})
	}
	return all, nil
}

// InChannel is the screen without its thread, for the parts that both have.
func (s screen) InChannel() screen {
	s.ThreadTS = ""
	return s
}
