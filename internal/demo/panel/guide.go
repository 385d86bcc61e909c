package panel

import (
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace"
)

// step is how far a visitor has come.
type step int

const (
	readWhy step = iota + 1
	deleteJob
	syncIt
	seeMore
	hidden
)

// guide is the first minute: three hints about an application that fails already. It follows what happens in the world,
// whoever does it and in whichever way, and never goes back.
type guide struct {
	world *world.World
	story simulator.Name

	mu      sync.Mutex
	step    step
	fixed   bool
	blocked bool // a failed Job was in the way
}

func newGuide(w *world.World, story simulator.Name) *guide {
	return &guide{world: w, story: story, step: readWhy}
}

// at is the step that a visitor is at.
func (g *guide) at() step {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.step
}

func (g *guide) over() bool { return g.at() >= seeMore }

// move goes on to a step, and never back.
func (g *guide) move(to step) (moved bool) {
	g.mu.Lock()
	moved = to > g.step
	g.step = max(g.step, to)
	repair := g.step >= deleteJob && g.step < hidden && !g.fixed
	g.fixed = g.fixed || repair
	g.mu.Unlock()
	if repair && g.world.FailureOf(g.story) != nil {
		_ = g.world.Repair(g.story) // the second hint says so; if somebody was faster, it is true already
	}
	return moved
}

// follow looks how far things have come.
func (g *guide) follow() (moved bool) {
	s, err := g.world.ArgoCD.State(g.story)
	if err != nil || g.over() {
		return false
	}
	g.mu.Lock()
	g.blocked = g.blocked || len(s.FailedJobs) > 0
	deleted := g.blocked && len(s.FailedJobs) == 0
	g.mu.Unlock()
	switch {
	case !world.Unwell(s) && !s.Running && s.Pushed == "":
		return g.green() && g.move(seeMore)
	case deleted && !s.Running:
		return g.move(syncIt)
	case g.asked():
		return g.move(deleteJob)
	default:
		return false
	}
}

// thread is the bot's thread about the application; "" before there is one.
func (g *guide) thread() (ts string) {
	for _, m := range g.world.Slack.Channel(world.Channel).Messages() {
		if m.User == g.world.People.App.BotUserID && strings.Contains(m.Text, g.story.Name) {
			ts = m.TS
		}
	}
	return ts
}

// green reports whether the thread says that it is over, which it does a few seconds after Argo CD. Without a thread there is nothing
// to wait for.
func (g *guide) green() bool {
	ts := g.thread()
	if ts == "" {
		return true
	}
	root := g.world.Slack.Channel(world.Channel).Thread(ts)[0]
	return strings.Contains(root.Text, g.story.Name+": recovered")
}

// asked reports whether something waits for approval in that thread.
func (g *guide) asked() bool {
	ts := g.thread()
	if ts == "" {
		return false
	}
	for _, m := range g.world.Slack.Channel(world.Channel).Thread(ts) {
		if hasButton(m, "Approve") { // where it deletes something, it goes on with what
			return true
		}
	}
	return false
}

func hasButton(m workspace.Message, label string) bool {
	var blocks []struct {
		Elements []struct {
			Type string
			Text json.RawMessage
		}
	}
	if json.Unmarshal(m.Blocks, &blocks) != nil {
		return false
	}
	for _, b := range blocks {
		for _, e := range b.Elements {
			var words struct{ Text string }
			if e.Type == "button" && json.Unmarshal(e.Text, &words) == nil && strings.HasPrefix(words.Text, label) {
				return true
			}
		}
	}
	return false
}

// hint is what the template of the hints is given.
type hint struct {
	Step                      int
	As, Developer, OnCall     string
	Application, Says, Thread string
	Asked                     bool
}

func (p *Panel) renderHints(as string) (template.HTML, error) {
	g := p.guide
	h := hint{
		Step: int(g.at()), As: as, Developer: world.Everybody[0].Name, OnCall: world.Everybody[1].Name, Application: g.story.Name,
		Thread: g.thread(), Asked: g.asked(),
	}
	if s, err := p.world.ArgoCD.State(g.story); err == nil {
		h.Says = s.Message
	}
	return execute("hints", h)
}

// hints moves them on as the visitor asks, and leads to the thread.
func (p *Panel) hints(rw http.ResponseWriter, r *http.Request) {
	defer p.signal()
	switch do := r.PostFormValue("do"); do {
	case "thread":
		ts := p.guide.thread()
		if ts == "" {
			http.Error(rw, "The thread does not exist yet: the bot needs a few seconds.", http.StatusConflict)
			return
		}
		p.guide.move(deleteJob)
		to := "/channel/" + url.PathEscape(p.world.Slack.Channel(world.Channel).ID()) + "/" + url.PathEscape(ts)
		http.Redirect(rw, r, to+"?"+url.Values{"as": {r.PostFormValue("as")}}.Encode(), http.StatusSeeOther)
		return
	case "next":
		p.guide.move(p.guide.at() + 1)
	case "hide":
		p.guide.move(hidden)
	default:
		answer(rw, unknown("Unknown action %q.", do))
		return
	}
	rw.WriteHeader(http.StatusNoContent)
}
