package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxChanges, maxHooks and maxIgnored are what a person reads before confirming; the rest is counted.
	maxChanges = 10
	maxHooks   = 8
	maxIgnored = 6
	// maxResource cuts the longest names, so that all lists fit beneath each other.
	maxResource = 110
	maxFields   = 3
	maxField    = 60
)

// effectWords are an effect in the line that counts, and above its list.
type effectWords struct {
	effect         action.Effect
	counted, title string
}

// effects, the gravest first.
var effects = []effectWords{
	{action.Pruned, "prunable", "Removed from Git: deleted only if you tick Prune"},
	{action.Recreated, "recreated", "Replaced (deleted and recreated)"},
	{action.Replaced, "replaced", "Replaced in place"},
	{action.Changes, "changed", "Changed"},
	{action.Created, "created", "Created"},
	{action.Kept, "kept", "Removed from Git, but kept"},
}

// pruning is whether what was removed from Git goes.
type pruning bool

const (
	ifTicked pruning = false // the person who reads it decides
	decided  pruning = true  // it is in the request
)

// decidedTitles are those of the lists where pruning is decided.
var decidedTitles = map[action.Effect]effectWords{
	action.Pruned: {action.Pruned, "deleted", "Deleted, because removed from Git"},
}

// syncBody is all that a sync would do.
func syncBody(p *action.Plan, prune pruning) []blocks.Block {
	body := []blocks.Block{blocks.Text(blocks.Bold("Revision "), blocks.Mono(p.Revision))}
	if p.Verdict != "" {
		lead, reason := reporttext.Sync(diagnose.Sync{Verdict: p.Verdict, Why: p.Reason, Newer: p.Newer})
		body = append(body, blocks.Text(blocks.Bold(lead), blocks.Plain(reason)))
	}
	body = append(body, steps(p)...)
	body = append(body, changes(p, prune)...)
	body = append(body, hooks(p.Hooks)...)
	if len(p.Ignored) > 0 {
		var lines [][]blocks.Span
		for _, i := range p.Ignored {
			lines = append(lines, []blocks.Span{blocks.Plain(i)})
		}
		body = append(body, blocks.Text(blocks.Bold("Ignored differences")), bullets(maxIgnored, lines))
	}
	return body
}

// changes are a line that counts them, and a list for each effect.
func changes(p *action.Plan, prune pruning) []blocks.Block {
	byEffect := map[action.Effect][]action.Change{}
	for _, c := range gravestFirst(p) {
		e := c.Effect
		if prunable(c) && prune == ifTicked {
			e = action.Pruned
		}
		byEffect[e] = append(byEffect[e], c)
	}
	var counted []string
	var lists []blocks.Block
	for _, e := range effects {
		list := byEffect[e.effect]
		if len(list) == 0 {
			continue
		}
		if words, ok := decidedTitles[e.effect]; ok && prune == decided {
			e = words
		}
		counted = append(counted, fmt.Sprintf("%d %s", len(list), e.counted))
		var lines [][]blocks.Span
		for _, c := range list {
			lines = append(lines, change(c))
		}
		lists = append(lists, blocks.Text(blocks.Bold(fmt.Sprintf("%s (%d)", e.title, len(list)))), bullets(maxChanges, lines))
	}
	if len(counted) == 0 {
		return []blocks.Block{blocks.Text(blocks.Plain("No resources would change."))}
	}
	return append([]blocks.Block{blocks.Text(blocks.Bold("Resources "), blocks.Plain(strings.Join(counted, ", ")))}, lists...)
}

// prunable: it goes if pruning is ticked. What may not be pruned says by what that is forbidden.
func prunable(c action.Change) bool {
	return c.Effect == action.Pruned || c.Effect == action.Kept && slices.Equal(c.Fields, []string{action.PruneOff})
}

func change(c action.Change) []blocks.Span {
	if prunable(c) { // its list says it
		c.Fields = nil
	}
	var line []blocks.Span
	if c.HoldsData && c.Effect != action.Created && c.Effect != action.Changes {
		line = append(line, blocks.Bold("⚠️ contains data: "))
	}
	line = append(line, blocks.Mono(resource(c.Ref)))
	if len(c.Fields) > 0 {
		var fields []string
		for _, f := range c.Fields {
			fields = append(fields, short(f, maxField))
		}
		line = append(line, blocks.Plain(": "+text.List(fields, maxFields)))
	}
	return line
}

// gravestFirst are the changes, the gravest first, and among the same what holds data.
func gravestFirst(p *action.Plan) []action.Change {
	grave := func(c action.Change) int {
		if prunable(c) {
			return 0
		}
		return slices.IndexFunc(effects, func(e effectWords) bool { return e.effect == c.Effect })
	}
	data := func(c action.Change) int {
		if c.HoldsData {
			return 0
		}
		return 1
	}
	list := slices.Clone(p.Changes)
	slices.SortStableFunc(list, func(a, b action.Change) int {
		return cmp.Or(cmp.Compare(grave(a), grave(b)), cmp.Compare(data(a), data(b)), cmp.Compare(key(a.Ref), key(b.Ref)))
	})
	return list
}

// resource is one as people tell it from the others, in at most maxResource letters.
func resource(r evidence.Ref) string { return shortRef(r, maxResource) }

// shortRef cuts the name and never the kind: what is lost with a claim is not what is lost with a service.
func shortRef(r evidence.Ref, limit int) string {
	where := ""
	if r.Namespace != "" {
		where = " in " + short(r.Namespace, limit/3)
	}
	over := utf8.RuneCountInString(r.String()+where) - limit
	r.Name = short(r.Name, max(10, utf8.RuneCountInString(r.Name)-max(0, over)))
	return r.String() + where
}

func key(r evidence.Ref) string {
	return strings.Join([]string{r.Group, r.Kind, r.Namespace, r.Name}, "/")
}

func hooks(list []action.Hook) []blocks.Block {
	if len(list) == 0 {
		return nil
	}
	var lines [][]blocks.Span
	for _, h := range list {
		lines = append(lines, []blocks.Span{blocks.Plain(fmt.Sprintf("%s, wave %d: ", h.Phase, h.Wave)), blocks.Mono(resource(h.Ref))})
	}
	return []blocks.Block{blocks.Text(blocks.Bold(fmt.Sprintf("Hooks that run (%d)", len(list)))), bullets(maxHooks, lines)}
}
