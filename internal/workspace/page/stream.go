package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"time"
)

const (
	// settle is how long a stream waits after a change for those that come with it.
	settle = 30 * time.Millisecond
	// older is how often ages are updated: "2 minutes ago".
	older = 20 * time.Second
)

// news is one event of a stream: the parts that have changed, by the ID of their elements. The first has all.
type news struct {
	Title string            `json:"title"`
	Parts map[string]string `json:"parts"`
}

// stream sends what changes for as long as the browser listens.
func (p *Page) stream(rw http.ResponseWriter, r *http.Request) {
	v, err := p.visit(r, r.FormValue("channel"), r.FormValue("thread"))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	}
	rw.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(rw)
	v.known, v.drawn = map[string]string{}, map[string]memo{}
	sent := map[string]string{}
	for {
		wake := p.signals() // before looking: what changes meanwhile is not missed
		v.look()
		html, title, err := v.changed(sent)
		if err != nil {
			return
		}
		if len(html) > 0 {
			raw, err := json.Marshal(news{title, html})
			if err != nil {
				return
			}
			if _, err := fmt.Fprintf(rw, "data: %s\n\n", raw); err != nil {
				return
			}
			if err := out.Flush(); err != nil {
				return
			}
		}
		if !wait(r.Context().Done(), wake) {
			return
		}
	}
}

// changed renders the screen again and keeps what was not sent so before.
func (v *visit) changed(sent map[string]string) (html map[string]string, title string, err error) {
	s := v.screen()
	parts, err := s.parts()
	if err != nil {
		return nil, "", err
	}
	html = map[string]string{}
	for _, part := range parts {
		content := string(part.HTML)
		rev := digest(content)
		switch part.ID { // two leave out what the browser has, and so differ for that alone
		case "messages":
			rev = digest(fmt.Sprint(revisions(s.Messages)))
		case "thread":
			rev = digest(fmt.Sprint(revisions(s.Thread), s.Here.Name))
		}
		if sent[part.ID] != rev {
			sent[part.ID], html[part.ID] = rev, content
		}
	}
	return html, s.Title, nil
}

func revisions(all []message) []string {
	var revs []string
	for _, m := range all {
		revs = append(revs, m.ID+" "+m.Rev)
	}
	return revs
}

// signals are the channels that are closed when something may have changed.
func (p *Page) signals() []<-chan struct{} {
	p.mu.Lock()
	all := []<-chan struct{}{p.changed}
	p.mu.Unlock()
	all = append(all, p.opt.Workspace.Changed())
	for _, s := range p.opt.Sections {
		if s.Changed != nil {
			all = append(all, s.Changed())
		}
	}
	return all
}

// wait is over when one of the signals has come and things have settled, or it is time for ages to change. It is false
// once the browser has gone.
func wait(gone <-chan struct{}, signals []<-chan struct{}) bool {
	tick := time.NewTimer(older)
	defer tick.Stop()
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(gone)}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(tick.C)},
	}
	for _, s := range signals {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(s)})
	}
	switch chosen, _, _ := reflect.Select(cases); chosen {
	case 0:
		return false
	case 1:
		return true
	}
	select {
	case <-gone:
		return false
	case <-time.After(settle):
		return true
	}
}
