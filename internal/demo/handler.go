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

// handler serves the page, and the panel's own paths behind the same guard.
func (d *Demo) handler() http.Handler {
	p := panel.New(d.World)
	mux := http.NewServeMux()
	mux.Handle("/panel/", http.StripPrefix("/panel", p))
	mux.Handle(argoCDPath+"/", http.StripPrefix(argoCDPath, p.ArgoCD()))
	mux.Handle("/", page.New(page.Options{
		Workspace: d.World.Slack, People: people(), Complete: d.complete, Sections: p.Sections(), Style: panel.Style,
	}))
	return page.Guard(mux)
}

// verbs are what can follow the command, with what a person reads of each.
var verbs = []page.Completion{
	{Insert: string(command.Why), Detail: "why it is failing, and what helps"},
	{Insert: string(command.List), Detail: "all that is failing now"},
	{Insert: string(command.Diff), Detail: "what differs between Git and the cluster"},
	{Insert: string(command.History), Detail: "the last deployments, and what failed"},
	{Insert: string(command.Access), Detail: "who is allowed to do what"},
	{Insert: string(command.Audit), Detail: "what was done from Slack"},
	{Insert: string(command.Help), Detail: "all of this"},
}

// complete offers verbs, and after one the applications, those that fail first.
func (d *Demo) complete(_, _, text string) []page.Completion {
	verb, name, inside := strings.Cut(text, " ")
	var out []page.Completion
	if !inside {
		for _, v := range verbs {
			if strings.HasPrefix(v.Insert, verb) {
				out = append(out, v)
			}
		}
		return out
	}
	if !takesApplication(verb) || strings.Contains(name, " ") {
		return nil
	}
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

func takesApplication(verb string) bool {
	switch command.Verb(verb) {
	case command.Why, command.Diff, command.History, command.Access, command.Audit:
		return true
	default:
		return false
	}
}
