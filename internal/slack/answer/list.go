package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxGroups and maxRows are what a person scans. The rest is counted.
	maxGroups = 15
	maxRows   = 5
)

// failingRow is an application that fails, and where that is told.
type failingRow struct {
	known    apps.Known
	member   incident.Member
	incident *incident.Incident
}

// causeGroup are the applications that fail of the same.
type causeGroup struct {
	key, title, rule string
	rows             []failingRow
}

// list says what is failing.
type list struct {
	backend Backend
	viewer  apps.Viewer
	post    poster
}

// answer says what is failing now, by cause, of what the person may see.
func (l list) answer(ctx context.Context, q *query) (string, error) {
	failing, err := l.backend.Failing(ctx)
	if err != nil {
		return "", fmt.Errorf("list what is failing: %w", err)
	}
	groups, hidden := l.groups(ctx, q, failing)
	return outcomeAnswered, l.post.openly(ctx, q, incident.App{}, *listMessage(groups, hidden, scope(q), l.silent(q)))
}

// silent are the Argo CDs that the list should be about and that do not answer.
func (l list) silent(q *query) []string {
	return slices.DeleteFunc(l.backend.Silent(), func(name string) bool {
		asked := q.command.Target.Instance
		return asked != "" && asked != name
	})
}

// scope is what the list was asked to be about, in words; "" for everything.
func scope(q *query) string {
	t := q.command.Target
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

// groups puts together what has one cause: the shared one of an outage, or else the same rule. The newest comes first.
func (l list) groups(ctx context.Context, q *query, failing []Failing) (groups []*causeGroup, hidden int) {
	byKey := map[string]*causeGroup{}
	for _, f := range failing {
		for _, k := range f.Members {
			m := f.Incident.Member(k.App)
			t := q.command.Target
			if m == nil || !m.Well.IsZero() || t.Instance != "" && t.Instance != k.App.Instance || t.Namespace != "" && t.Namespace != k.App.Namespace {
				continue
			}
			if ok, _ := l.viewer.May(ctx, q.User, q.Channel, k.App, k.Project); !ok {
				hidden++
				continue
			}
			key := cmp.Or(f.Incident.Cause.Group, f.Incident.Cause.Rule)
			g := byKey[key]
			if g == nil {
				g = &causeGroup{key: key, title: text.UpperFirst(f.Incident.Cause.Subject), rule: f.Incident.Cause.Rule}
				byKey[key] = g
				groups = append(groups, g)
			}
			g.rows = append(g.rows, failingRow{known: k, member: *m, incident: f.Incident})
		}
	}
	newest := func(a, b failingRow) int {
		return cmp.Or(b.member.Since.Compare(a.member.Since), incident.Compare(a.known.App, b.known.App))
	}
	for _, g := range groups {
		slices.SortFunc(g.rows, newest)
	}
	slices.SortFunc(groups, func(a, b *causeGroup) int { return cmp.Or(newest(a.rows[0], b.rows[0]), cmp.Compare(a.key, b.key)) })
	return groups, hidden
}

func listMessage(groups []*causeGroup, hidden int, scope string, silent []string) *render.Message {
	failing := map[incident.App]bool{}
	for _, g := range groups {
		for _, r := range g.rows {
			failing[r.known.App] = true
		}
	}
	title := fmt.Sprintf("🔴 %s failing%s (%s)", text.Count(len(failing), "application is", "applications are"), scope, text.Count(len(groups), "cause", "causes"))
	if len(groups) == 0 {
		title = "🟢 Nothing is failing" + scope
	}
	if len(groups) == 0 && hidden > 0 {
		title = "Nothing that you have access to is failing" + scope
	}
	if len(groups) == 0 && len(silent) > 0 { // a lack of evidence is no health
		title = "❔ No known failures" + scope
	}
	body := []blocks.Block{blocks.Text(blocks.Bold(title))}
	if len(silent) > 0 {
		body = append(body, blocks.Text(blocks.Plain("⚠️ Argo CD "+strings.Join(silent, ", ")+" is not responding: failures there may be missing from this list.")))
	}
	for _, g := range groups[:min(maxGroups, len(groups))] {
		body = append(body, g.blocks()...)
	}
	if more := len(groups) - maxGroups; more > 0 {
		body = append(body, blocks.Text(blocks.Plain(andMore(more, "cause", "causes"))))
	}
	return render.Compose(title, body, "name an instance or a namespace: list instance:NAME -n NAMESPACE")
}

func (g *causeGroup) blocks() []blocks.Block {
	heading := []blocks.Span{blocks.Mono(g.rule)}
	if g.title != "" {
		heading = []blocks.Span{blocks.Bold(g.title), blocks.Plain("  "), blocks.Mono(g.rule)}
	}
	if n := len(g.rows); n > 1 { // of a single one its line says all
		heading = append(heading, blocks.Plain("  "+text.Count(n, "application", "applications")+", latest "), blocks.Ago(g.rows[0].member.Since))
	}
	var rows [][]blocks.Span
	for _, r := range g.rows[:min(maxRows, len(g.rows))] {
		rows = append(rows, r.spans())
	}
	if left := g.rows[min(maxRows, len(g.rows)):]; len(left) > 0 {
		rows = append(rows, []blocks.Span{blocks.Plain(andMore(len(left), "application", "applications"))})
	}
	return []blocks.Block{blocks.Text(heading...), blocks.Bullets(rows...)}
}

func (r failingRow) spans() []blocks.Span {
	name := r.known.App.Name
	if r.known.App.Instance != "" {
		name = r.known.App.Instance + "/" + name
	}
	line := r.member.Headline
	if line == "" && r.incident.Report != nil && r.incident.Report.App == r.known.App {
		line = r.incident.Report.Headline
	}
	out := []blocks.Span{blocks.Bold(name)}
	if line = withoutApp(line, r.known.App); line != "" {
		out = append(out, blocks.Plain(": "+line))
	}
	out = append(out, blocks.Plain(", since "), blocks.Ago(r.member.Since))
	if r.incident.Thread.Permalink != "" {
		return append(out, blocks.Plain(" · "), threadLink(r.incident, "thread"))
	}
	return append(out, blocks.Plain(" · no thread yet"))
}
