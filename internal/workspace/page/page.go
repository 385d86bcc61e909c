package page

import (
	"cmp"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

//go:embed templates static
var assets embed.FS

// Parsed when the first page is shown: every command of the bot would parse them at its start otherwise.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(assets, "templates/*.html"))
})

// Page serves a workspace to a browser:
//
//	/                      the first channel
//	/channel/{id}          a channel; {id} may be its name
//	/channel/{id}/{ts}     with a thread open
//	/events                what changes in it, as server-sent events
//	/complete              what can be written next
//	/file/{id}             the content of a file
//	/say, /act, …          what a person does
//
// ?as=alice is who one is, ?theme=dark how it looks.
type Page struct {
	opt     Options
	handler http.Handler

	mu      sync.Mutex
	read    map[string]map[string]string // up to which ts, by user and channel
	notices []notice
	changed chan struct{} // closed, and replaced, when something of the page's own changes
}

// New makes the page of a workspace.
func New(opt Options) *Page {
	if opt.Clock == nil {
		opt.Clock = func(t time.Time) string { return t.Format("15:04") }
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	p := &Page{opt: opt, read: map[string]map[string]string{}, changed: make(chan struct{})}
	p.handler = Guard(p.routes())
	return p
}

// ServeHTTP serves the page; it has to be at the root of its origin.
func (p *Page) ServeHTTP(rw http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(rw, r) }

func (p *Page) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.show)
	mux.HandleFunc("GET /channel/{id}", p.show)
	mux.HandleFunc("GET /channel/{id}/{ts}", p.show)
	mux.HandleFunc("GET /events", p.stream)
	mux.HandleFunc("GET /complete", p.complete)
	mux.HandleFunc("GET /file/{id}", p.file)
	mux.HandleFunc("GET /sections.css", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = rw.Write(p.opt.Style)
	})
	static, err := fs.Sub(assets, "static")
	if err != nil { // cannot be: it is embedded
		panic(err)
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	for path, do := range map[string]func(*visit, *http.Request) error{
		"/say": p.say, "/act": p.act, "/submit": p.submit, "/close": p.closeView, "/react": p.react,
	} {
		mux.HandleFunc("POST "+path, p.post(do))
	}
	return mux
}

// show is the whole page, as a browser loads it first.
func (p *Page) show(rw http.ResponseWriter, r *http.Request) {
	v, err := p.visit(r, r.PathValue("id"), r.PathValue("ts"))
	if err != nil {
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	}
	if v.here.ID() != r.PathValue("id") && v.here.Name() != r.PathValue("id") {
		http.Redirect(rw, r, v.path(v.here.ID(), ""), http.StatusSeeOther)
		return
	}
	html, err := execute("page", v.screen())
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = rw.Write([]byte(html))
}

// people are those that one can be.
func (p *Page) people() []Person {
	if len(p.opt.People) > 0 {
		return p.opt.People
	}
	var all []Person
	for _, u := range p.opt.Workspace.Users() {
		if !u.Bot && !u.Deleted {
			all = append(all, Person{Name: u.Name})
		}
	}
	return all
}

// tell lets the streams look again.
func (p *Page) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// seen notes that somebody looks at a channel, and how far they have read.
func (p *Page) seen(user string, c *workspace.Channel) {
	last, ok := c.Last()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ok || p.read[user][c.ID()] >= last.TS {
		return
	}
	if p.read[user] == nil {
		p.read[user] = map[string]string{}
	}
	p.read[user][c.ID()] = last.TS
}

func (p *Page) readUpTo(user string, c *workspace.Channel) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read[user][c.ID()]
}

// file shows what somebody uploaded as text; a browser must not take it for anything else.
func (p *Page) file(rw http.ResponseWriter, r *http.Request) {
	v, err := p.visit(r, "", "")
	if err != nil {
		http.Error(rw, err.Error(), http.StatusNotFound)
		return
	}
	for _, c := range v.channels() {
		for _, m := range c.All() {
			for _, f := range m.Files {
				if f.ID != r.PathValue("id") {
					continue
				}
				rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
				rw.Header().Set("Content-Disposition", `inline; filename="`+fileName(cmp.Or(f.Name, f.ID))+`"`)
				_, _ = rw.Write(f.Content)
				return
			}
		}
	}
	http.NotFound(rw, r)
}

func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r > '~' {
			return '_'
		}
		return r
	}, s)
}
