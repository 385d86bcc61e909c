package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// failingApp is an application that fails, and what the person may see of it.
type failingApp struct {
	known    apps.Known
	since    time.Time
	incident *incident.Incident
	sight    apps.Sight
}

// causeGroup are the applications that fail of the same, those that failed last first.
type causeGroup struct {
	key, title, rule string
	// shared: they have one cause in common and one thread, and not just the same rule.
	shared bool
	rows   []posted.Row
}

// list says what is failing.
type list struct {
	backend Backend
	places  *audience.Places
	viewer  apps.Viewer
	key     button.Key
	post    poster
	readers readers
}

// answer says what is failing now, by cause, of what the person may see. Only that person sees it, unless it was asked to be public:
// what fails at a hundred places is read by one, and pushes away what all have to read.
func (l list) answer(ctx context.Context, q *query) (string, error) {
	v := viewOf(q)
	failing, err := l.backend.Failing(ctx)
	if err != nil {
		return "", fmt.Errorf("list what is failing: %w", err)
	}
	asked := v.Public
	seen := l.rows(ctx, q, &v, failing)
	who := l.places.Person(ctx, q.User, q.Channel)
	if v.Public {
		who = q.audience(ctx, l.places)
	}
	m := l.message(ctx, q, v, who, seen, l.warnings(ctx, q, v, who, failing))
	switch {
	case asked:
		return outcomeAnswered, l.post.openly(ctx, q, incident.App{}, *m)
	case q.turning:
		return outcomeAnswered, l.turn(ctx, q, m)
	}
	return outcomeAnswered, l.post.Privately(ctx, q.Request, *m)
}

// turn shows another page in the place of the one that was clicked, or, where Slack does not let us, below it.
func (l list) turn(ctx context.Context, q *query, m *render.Message) error {
	err := l.post.Replace(ctx, q.RespondTo, q.RespondIn, *m)
	if err == nil || ctx.Err() != nil {
		return err
	}
	l.post.Log.Warn("page not replaced, trying another way", "question", q.ID, "error", err)
	below := *q.Request
	below.RespondTo = "" // it has just failed
	return l.post.Privately(ctx, &below, *m)
}

// message is a page of the list of what the person may see.
func (l list) message(ctx context.Context, q *query, v view, who audience.Audience, seen []failingApp, warnings []warning) *render.Message {
	hidden := l.viewer.Hidden(ctx, q.User, q.Channel) != ""
	rows := slices.DeleteFunc(slices.Clone(seen), func(r failingApp) bool { return !v.fits(r.known, r.incident.Cause.Rule) })
	groups, failing := l.groups(rows, who)
	warnings = slices.DeleteFunc(warnings, func(w warning) bool { // what fails of it in another channel is in the list
		return slices.ContainsFunc(groups, func(g *causeGroup) bool { return g.key == w.seen.View().Cause.Group })
	})
	p := page{
		view: v, key: l.key.In(q.Channel), silent: l.silent(v), hidden: hidden, elsewhere: len(seen) - len(rows), now: q.Asked,
		groups: groups, failing: count(failing), several: severalInstances(failing), warnings: warnings,
	}
	if len(rows)+len(warnings) == 0 {
		p.unknown = l.unknown(ctx, q, v)
	}
	return p.message()
}

// silent are the Argo CDs that the list should be about and that do not answer.
func (l list) silent(v view) []string {
	return slices.DeleteFunc(l.backend.Silent(), func(name string) bool { return v.Instance != "" && v.Instance != name })
}

// rows are the applications that fail and that the person may see, in the order in which a list shows them. A public one has only what
// everyone in the channel may see; where people from other organizations read and nothing is published to them, it becomes one for the
// person alone.
func (l list) rows(ctx context.Context, q *query, v *view, failing []Failing) []failingApp {
	seen := l.seen(ctx, q, failing)
	if !v.Public || q.direct() {
		return seen
	}
	published := slices.DeleteFunc(slices.Clone(seen), func(r failingApp) bool { return !r.sight.Published })
	if q.alone = l.readers.alone(ctx, q, apps.Sight{May: true, Published: len(published) == len(seen) && len(seen) > 0}); q.alone == "" {
		return slices.DeleteFunc(seen, func(r failingApp) bool { return r.sight.Personal })
	}
	if len(published) > 0 {
		q.alone = ""
		return published
	}
	v.Public = false
	return seen
}

// seen are the applications that fail and that the person may see.
func (l list) seen(ctx context.Context, q *query, failing []Failing) (rows []failingApp) {
	for _, f := range failing {
		for _, k := range f.Members {
			m := f.Incident.Member(k.App)
			if m == nil || !m.Well.IsZero() {
				continue
			}
			sight := l.viewer.May(ctx, q.User, q.Channel, k.App, k.Project)
			if sight.May {
				rows = append(rows, failingApp{known: k, since: m.Since, incident: f.Incident, sight: sight})
			}
		}
	}
	slices.SortFunc(rows, newest)
	return rows
}

func newest(a, b failingApp) int {
	return cmp.Or(b.since.Compare(a.since), incident.Compare(a.known.App, b.known.App), strings.Compare(a.incident.ID, b.incident.ID))
}

// groups puts together what has one cause: the shared one of an outage, or else the same rule. The one that has what failed last
// comes first.
func (l list) groups(seen []failingApp, who audience.Audience) (groups []*causeGroup, rows []posted.Row) {
	titles := l.backend.Rules()
	byKey := map[string]*causeGroup{}
	for _, r := range seen {
		row, ok := posted.RowOf(who, r.incident, r.known.App, r.known.Project)
		if !ok {
			continue
		}
		cause := r.incident.Cause
		key := cmp.Or(cause.Group, cause.Rule)
		g := byKey[key]
		if g == nil {
			g = &causeGroup{key: key, title: titles[cause.Rule], rule: cause.Rule, shared: cause.Group != ""}
			if g.shared {
				g.title = posted.SharedTitle(who, r.incident, g.title)
			}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.rows, rows = append(g.rows, row), append(rows, row)
	}
	return groups, rows
}

// count is how many applications the rows are about: one may fail of two causes.
func count(rows []posted.Row) int {
	failing := map[incident.App]bool{}
	for _, r := range rows {
		failing[r.App] = true
	}
	return len(failing)
}

// severalInstances reports whether the name of an application alone does not say where it is.
func severalInstances(rows []posted.Row) bool {
	return slices.ContainsFunc(rows, func(r posted.Row) bool { return r.App.Instance != rows[0].App.Instance })
}

// viewOf is what of the list is asked for, in words or with a button.
func viewOf(q *query) view {
	if q.view != nil {
		return *q.view
	}
	t, f := q.command.Target, q.command.Filter
	return view{Instance: t.Instance, Namespace: t.Namespace, Filter: f, Page: max(1, q.command.Page), Public: q.command.Public}
}

// scope is what the list or the audit was asked to be about, in words; "" for everything.
func scope(t command.Target) string {
	switch {
	case t.Instance != "" && t.Namespace != "":
		return fmt.Sprintf(" in %s, namespace %s", t.Instance, t.Namespace)
	case t.Instance != "":
		return " in " + t.Instance
	case t.Namespace != "":
		return " in namespace " + t.Namespace
	}
	return ""
}
