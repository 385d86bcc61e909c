package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"hash/fnv"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

//go:embed page.html style.css
var assets embed.FS

var pages = template.Must(template.New("").ParseFS(assets, "page.html"))

// Handler serves the workspace:
//
//	/                      the first channel
//	/channel/{id}          a channel; {id} may be its name
//	/channel/{id}/{ts}     with a thread open
//	/views/{user}          the modals that somebody has open
//
// With ?as=alice one sees what only alice sees, too.
func Handler(w *workspace.Workspace) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) {
		all := w.Channels()
		if len(all) == 0 {
			http.Error(rw, "the workspace has no channels", http.StatusNotFound)
			return
		}
		http.Redirect(rw, r, "channel/"+all[0].ID(), http.StatusFound)
	})
	mux.HandleFunc("GET /channel/{id}", func(rw http.ResponseWriter, r *http.Request) { show(w, rw, r) })
	mux.HandleFunc("GET /channel/{id}/{ts}", func(rw http.ResponseWriter, r *http.Request) { show(w, rw, r) })
	mux.HandleFunc("GET /views/{user}", func(rw http.ResponseWriter, r *http.Request) { showViews(w, rw, r) })
	mux.HandleFunc("GET /style.css", func(rw http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(rw, r, assets, "style.css")
	})
	return mux
}

type screen struct {
	Team     string
	Channel  entry
	Channels []entry
	Messages []message
	Thread   []message
	Modals   []modal
}

type entry struct {
	ID, Name string
	Mark     string // # or 🔒, or nothing for a person
	Here     bool
}

type message struct {
	Name, Initial, Color, Time string
	App, OnlyYou, Edited, Gone bool
	Body                       template.HTML
	Attachments                []attachment
	Reactions                  []string
	Files                      []string
	Replies                    int
	Link                       string
}

type attachment struct {
	Color string
	Body  template.HTML
}

type modal struct {
	Title, Submit string
	Body          template.HTML
	Errors        map[string]string
}

func show(w *workspace.Workspace, rw http.ResponseWriter, r *http.Request) {
	p := &painter{w: w, as: r.URL.Query().Get("as")}
	var here *workspace.Channel
	var s screen
	for _, c := range w.Channels() {
		e := p.entry(c)
		e.Here = here == nil && (c.ID() == r.PathValue("id") || c.Name() == r.PathValue("id"))
		if e.Here {
			here, s.Channel = c, e
		}
		s.Channels = append(s.Channels, e)
	}
	if here == nil {
		http.NotFound(rw, r)
		return
	}
	s.Messages = p.messages(here, "", here.Messages())
	if ts := r.PathValue("ts"); ts != "" {
		s.Thread = p.messages(here, ts, here.Thread(ts))
	}
	write(rw, s)
}

func showViews(w *workspace.Workspace, rw http.ResponseWriter, r *http.Request) {
	p := &painter{w: w}
	known := slices.ContainsFunc(w.Users(), func(u workspace.User) bool { return u.Name == r.PathValue("user") || u.ID == r.PathValue("user") })
	if !known {
		http.NotFound(rw, r)
		return
	}
	var s screen
	for _, v := range w.Views(r.PathValue("user")) {
		var sent struct {
			Blocks json.RawMessage
			Submit struct{ Text string }
		}
		if err := json.Unmarshal(v.Raw, &sent); err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		s.Modals = append(s.Modals, modal{Title: v.Title, Submit: sent.Submit.Text, Body: p.blocks(sent.Blocks), Errors: v.Errors})
	}
	write(rw, s)
}

func write(rw http.ResponseWriter, s screen) {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, "page", s); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self' 'unsafe-inline'")
	_, _ = rw.Write(out.Bytes())
}

// painter turns messages into what the template shows.
type painter struct {
	w  *workspace.Workspace
	as string
}

func (p *painter) entry(c *workspace.Channel) entry {
	switch {
	case c.DirectTo() != "":
		return entry{ID: c.ID(), Name: p.name(c.DirectTo())}
	case c.Private():
		return entry{ID: c.ID(), Name: c.Name(), Mark: "🔒"}
	default:
		return entry{ID: c.ID(), Name: c.Name(), Mark: "#"}
	}
}

// name is what people read for the ID of a user, a group or a channel.
func (p *painter) name(id string) string {
	for _, u := range p.w.Users() {
		if u.ID == id {
			return u.Name
		}
	}
	for _, g := range p.w.Groups() {
		if g.ID == id {
			return g.Handle
		}
	}
	for _, c := range p.w.Channels() {
		if c.ID() == id {
			return c.Name()
		}
	}
	return id
}

// messages are those of a thread, or of the channel itself where thread is "", with what only the visitor sees there.
func (p *painter) messages(c *workspace.Channel, thread string, all []workspace.Message) []message {
	if p.as != "" {
		for _, m := range c.Ephemerals(p.as) {
			if m.ThreadTS == thread {
				all = append(all, m)
			}
		}
		slices.SortStableFunc(all, func(a, b workspace.Message) int { return strings.Compare(a.TS, b.TS) })
	}
	var out []message
	for _, m := range all {
		out = append(out, p.message(c, m))
	}
	return out
}

func (p *painter) message(c *workspace.Channel, m workspace.Message) message {
	name := p.name(m.User)
	out := message{
		Name: name, Initial: strings.ToUpper(name[:1]), Color: colorOf(name), Time: clock(m.TS), App: m.AppID != "",
		OnlyYou: m.To != "", Edited: m.Edited, Gone: m.Subtype == "tombstone", Link: "/channel/" + c.ID() + "/" + m.TS,
		Body: p.blocks(m.Blocks),
	}
	if len(m.Blocks) == 0 {
		out.Body = mrkdwn(m.Text, p.name)
	}
	out.Attachments = p.attachments(m.Attachments)
	for _, r := range m.Reactions {
		out.Reactions = append(out.Reactions, string(plainText(":"+r.Name+":"))+" "+strconv.Itoa(len(r.Users)))
	}
	for _, f := range m.Files {
		out.Files = append(out.Files, f.Title)
	}
	if m.ThreadTS == m.TS {
		out.Replies = len(c.Thread(m.TS)) - 1
	}
	return out
}

func (p *painter) blocks(raw json.RawMessage) template.HTML {
	out, err := renderBlocks(raw, p.name)
	if err != nil {
		return plainText(err.Error())
	}
	return out
}

func (p *painter) attachments(raw json.RawMessage) []attachment {
	var sent []struct {
		Color, Title, Text, Pretext string
		Blocks                      json.RawMessage
	}
	if json.Unmarshal(raw, &sent) != nil {
		return nil
	}
	var out []attachment
	for _, a := range sent {
		body := p.blocks(a.Blocks)
		if len(a.Blocks) == 0 {
			body = mrkdwn(strings.TrimSpace(a.Pretext+"\n*"+a.Title+"*\n"+a.Text), p.name)
		}
		out = append(out, attachment{Color: barColor(a.Color), Body: body})
	}
	return out
}

// barColor knows Slack's three words; html/template lets nothing but a color through.
func barColor(c string) string {
	switch c {
	case "good":
		return "#2eb67d"
	case "warning":
		return "#ecb22e"
	case "danger":
		return "#e01e5a"
	case "":
		return "#dddddd"
	}
	return "#" + strings.TrimPrefix(c, "#")
}

var colors = []string{"#4a154b", "#1264a3", "#2eb67d", "#e8912d", "#e01e5a", "#5b5fc7"}

func colorOf(name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return colors[int(h.Sum32()%uint32(len(colors)))]
}

func clock(ts string) string {
	seconds, _, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(n, 0).UTC().Format("15:04")
}
