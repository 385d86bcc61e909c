package panel

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/text"
)

// shown is what the template of the panel is given.
type shown struct {
	Failing, Healthy []application
	Fleet            fleet
	Groups           []group
	Deliveries       []delivery
	Bot              world.BotState
	Posted           world.Posted
	// Limit is how many messages Slack refuses once it is armed, and Limited how many of them are left.
	Limit, Limited int
	Doomed         bool
}

type (
	// application is one line of the list, and what can be done about it.
	application struct {
		simulator.State
		ID, Path string
		Marks    []mark
		// Title is what happened, and Repair what makes the cause go away; "" if nothing has to.
		Title, Repair string
		SyncHelps     bool // and nothing else is needed
		// Unseen says what Argo CD does not know yet.
		Unseen               string
		Prunes, Edits, Fails bool
		Jobs                 string
	}
	fleet struct {
		Total        int
		Counts       []mark
		Applications []application
		Down         bool
	}
	group struct {
		Title    string
		Failures []choice
	}
	choice struct {
		Value int
		Title string
	}
	delivery struct {
		How         world.Delivery
		Label, Says string
		Here        bool
	}
)

func (p *Panel) render(string) (template.HTML, error) {
	s := shown{Groups: p.groups(), Bot: p.world.Bot(), Posted: p.world.Posted(), Limit: limitedCalls, Limited: p.world.Limited(), Doomed: p.world.Doomed()}
	ofFleet, editable := map[simulator.Name]bool{}, map[simulator.Name]bool{}
	for _, f := range p.world.Failures() {
		editable[f.App] = editable[f.App] || f.Editable
	}
	for _, name := range world.Fleet() {
		ofFleet[name] = true
	}
	for _, state := range p.world.ArgoCD.States() {
		a := p.show(state, editable[state.Name])
		switch {
		case ofFleet[state.Name]:
			s.Fleet.add(a, p.world.FailureOf(state.Name) != nil)
		case a.Fails:
			s.Failing = append(s.Failing, a)
		default:
			s.Healthy = append(s.Healthy, a)
		}
	}
	here := p.world.Delivery()
	for _, d := range deliveries {
		s.Deliveries = append(s.Deliveries, delivery{d.How, d.Label, d.Says, d.How == here})
	}
	return execute("panel", s)
}

func (p *Panel) show(s simulator.State, editable bool) application {
	a := application{
		State: s, ID: "app-" + url.PathEscape(s.Name.String()), Path: argoCDPath(s.Name), Marks: marks(s),
		Fails: world.Unwell(s) || s.Running || s.Pushed != "",
	}
	if !a.Fails {
		a.Edits = editable
		return a
	}
	if f := p.world.FailureOf(s.Name); f != nil {
		a.Title, a.Repair, a.SyncHelps = f.Title, f.Repair, f.Repair == ""
	}
	a.Unseen = p.unseen(s)
	var jobs []string
	for _, job := range s.FailedJobs {
		jobs = append(jobs, job.Name)
	}
	a.Jobs = strings.Join(jobs, ", ")
	if details, err := p.world.ArgoCD.Details(s.Name); err == nil {
		a.Prunes = slices.ContainsFunc(details.Resources, func(r simulator.Resource) bool { return r.Prune })
	}
	return a
}

// unseen says what Argo CD does not know yet, and what to press.
func (p *Panel) unseen(s simulator.State) string {
	if s.Pushed == "" {
		return ""
	}
	what, press := "Commit "+text.Revision(s.Pushed)+" is in Git", "Press Refresh or Sync."
	if f := p.world.Repaired(s.Name); f != nil && f.Outside {
		what, press = "The cause is fixed", "Press Hard refresh or Sync."
	}
	switch {
	case s.Running:
		press = "It is still syncing: wait, or press Terminate, then Sync."
	case len(s.FailedJobs) > 0:
		press = "Delete the failed Job, then press Sync."
	}
	return what + ", but Argo CD has not noticed it yet. " + press
}

// argoCDPath is the address of an application's page, as the bot links to it.
func argoCDPath(name simulator.Name) string {
	return "/argocd/applications/" + url.PathEscape(name.Namespace) + "/" + url.PathEscape(name.Name)
}

// add takes in one application of the fleet.
func (f *fleet) add(a application, down bool) {
	f.Total++
	f.Applications = append(f.Applications, a)
	f.Down = f.Down || down
	for _, m := range a.Marks {
		at := slices.IndexFunc(f.Counts, func(known mark) bool { return known.Kind == m.Kind && known.Word == m.Word })
		if at < 0 {
			f.Counts = append(f.Counts, m)
			at = len(f.Counts) - 1
		}
		f.Counts[at].Count++
	}
}

// groups are the failures that can be caused.
func (p *Panel) groups() []group {
	var out []group
	for i, f := range p.world.Failures() {
		if len(out) == 0 || out[len(out)-1].Title != f.Group {
			out = append(out, group{Title: f.Group})
		}
		last := &out[len(out)-1]
		last.Failures = append(last.Failures, choice{i, f.Title})
	}
	return out
}

// Healthily is how many there are that need nothing.
func (s shown) Healthily() string {
	return text.Count(len(s.Healthy), "healthy application", "healthy applications")
}
