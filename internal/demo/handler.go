package demo

import (
	"net/http"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/demo/panel"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

// argoCDPath is where the pages are that stand for Argo CD's own.
const argoCDPath = "/argocd"

// Handler is the page of a world, as Start serves it, without the hints of the first minute.
func Handler(w *world.World) http.Handler { return (&Demo{World: w, panel: panel.New(w)}).handler() }

// handler serves the page, and the panel's own paths behind the same guard.
func (d *Demo) handler() http.Handler {
	p := d.panel
	mux := http.NewServeMux()
	mux.Handle("/panel/", http.StripPrefix("/panel", p))
	mux.Handle(argoCDPath+"/", http.StripPrefix(argoCDPath, p.ArgoCD()))
	mux.Handle("/", page.New(page.Options{
		Workspace: d.World.Slack, People: people(d.World), Complete: d.complete, Sections: p.Sections(), Style: panel.Style,
	}))
	return page.Guard(mux)
}

// verbs are what can follow the command, with what a person reads of each.
var verbs = []struct {
	verb   command.Verb
	takes  bool // the name of an application
	detail string
}{
	{command.Why, true, "why it is failing and how to fix it"},
	{command.List, false, "everything that is failing now, by cause"},
	{command.Diff, true, "what differs between Git and the cluster"},
	{command.History, true, "the latest deployments and failures"},
	{command.Access, true, "who can do what"},
	{command.Audit, true, "what was done from Slack"},
	{command.Help, false, "show all commands"},
}

// complete offers verbs, and after one the applications, those that fail first.
func (d *Demo) complete(_, _, text string) []page.Completion {
	word, name, inside := strings.Cut(text, " ")
	var out []page.Completion
	for _, v := range verbs {
		verb := string(v.verb)
		switch {
		case inside && verb == word && v.takes && !strings.Contains(name, " "):
			return d.applications(word, name)
		case !inside && strings.HasPrefix(verb, word) && v.takes:
			out = append(out, page.Completion{Insert: verb + " ", Label: verb, Detail: v.detail})
		case !inside && strings.HasPrefix(verb, word):
			out = append(out, page.Completion{Insert: verb, Detail: v.detail})
		}
	}
	return out
}

func (d *Demo) applications(verb, name string) (out []page.Completion) {
	states := d.World.ArgoCD.States()
	slices.SortStableFunc(states, func(a, b simulator.State) int { return rank(a) - rank(b) })
	for _, s := range states {
		if strings.HasPrefix(s.Name.Name, name) {
			out = append(out, page.Completion{Insert: verb + " " + s.Name.Name, Label: s.Name.Name, Detail: s.Sync + ", " + s.Health})
		}
	}
	return out
}

func rank(s simulator.State) int {
	if world.Unwell(s) {
		return 0
	}
	return 1
}
