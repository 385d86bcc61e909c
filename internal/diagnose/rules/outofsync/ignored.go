package outofsync

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// isIgnored reports whether an entry of the application's ignoreDifferences covers the field: it matches the resource, and ends at the
// field or above it. An expression that is not understood covers nothing.
func isIgnored(in *diagnose.In, r *resource, p drift.Path) bool {
	ref := r.Ref
	return slices.ContainsFunc(in.App().Spec.IgnoreDifferences, func(e evidence.IgnoredDifference) bool {
		in.Spend(sizeOf(e))
		return matchesGlob(e.Group, ref.Group) && matchesGlob(e.Kind, ref.Kind) && matchesPlace(ref, e) && coversPath(e, r, p)
	})
}

// sizeOf is how many steps it takes to look through an entry.
func sizeOf(e evidence.IgnoredDifference) int {
	return 1 + len(e.JSONPointers) + len(e.JQPathExpressions) + len(e.ManagedFieldsManagers)
}

func coversPath(e evidence.IgnoredDifference, r *resource, p drift.Path) bool {
	if pointer, ok := p.Pointer(); ok {
		if slices.ContainsFunc(e.JSONPointers, func(at string) bool { return at != "" && (at == pointer || strings.HasPrefix(pointer, at+"/")) }) {
			return true
		}
	}
	return slices.ContainsFunc(e.JQPathExpressions, func(expression string) bool { return jqCovers(expression, p, r.isAt) })
}

// jqCovers reports whether a path expression of jq leads to the path or to what contains it. It knows what people write there: fields, all
// members of a list, one of them by its index or by its keys. isAt says whether a member is at an index of its list.
func jqCovers(expression string, p drift.Path, isAt func(member drift.Path, index int) bool) bool {
	rest := strings.TrimSpace(expression)
	if !strings.HasPrefix(rest, ".") || rest == "." {
		return false
	}
	for i, s := range p {
		rest = strings.TrimLeft(rest, " |?")
		if rest == "" {
			return true
		}
		step, after, ok := jqStep(rest)
		switch {
		case !ok || s.Member != step.Member:
			return false
		case !s.Member && s.Field != step.Field:
			return false
		case s.Member && step.Index >= 0 && !isAt(p[:i+1], step.Index):
			return false
		}
		rest = strings.TrimLeft(after, " |?")
		if condition, isSelect := strings.CutPrefix(rest, "select("); s.Member && isSelect {
			is, after, closed := strings.Cut(condition, ")")
			if !closed || len(s.Keys) != 1 || noSpaces("[] | select("+is+")") != noSpaces((drift.Path{s}).JQ()) {
				return false
			}
			rest = after
		}
	}
	return strings.Trim(rest, " ?") == ""
}

func noSpaces(s string) string { return strings.ReplaceAll(s, " ", "") }

// isAt reports whether the live member that a path leads to is at an index of its list.
func (r *resource) isAt(member drift.Path, index int) bool {
	if r.live == nil {
		r.live = drift.Lookups(r.Live)
	}
	list, _ := r.live(member[:len(member)-1])
	members, _ := list.([]any)
	v, there := r.live(member)
	return there && index < len(members) && reflect.DeepEqual(v, members[index])
}

// jqStep reads the next step of an expression; the index of a member is below zero for all of them.
func jqStep(expression string) (step drift.Segment, rest string, ok bool) {
	rest = expression
	if rest[0] == '.' {
		rest = rest[1:]
	}
	if quoted, isQuoted := strings.CutPrefix(rest, `"`); isQuoted {
		name, rest, closed := strings.Cut(quoted, `"`)
		return drift.Segment{Field: name}, rest, closed
	}
	if !strings.HasPrefix(rest, "[") {
		end := strings.IndexAny(rest, ".[]|? ()")
		if end < 0 {
			end = len(rest)
		}
		return drift.Segment{Field: rest[:end]}, rest[end:], end > 0 && rest != expression
	}
	inside, rest, ok := strings.Cut(rest[1:], "]")
	switch name, err := strconv.Unquote(inside); {
	case !ok:
		return step, "", false
	case err == nil:
		return drift.Segment{Field: name}, rest, true
	case strings.TrimSpace(inside) == "":
		return drift.Segment{Member: true, Index: -1}, rest, true
	}
	n, err := strconv.Atoi(inside)
	return drift.Segment{Member: true, Index: n}, rest, err == nil && n >= 0
}

// keepsLive reports whether a sync leaves the fields as they are, because the application ignores them already.
func (g *explained) keepsLive() bool { return g.ignored && g.in.App().HasSyncOption(respectIgnored) }

// unlessKept is a claim about syncs that is not true where they leave the fields as they are.
func (g *explained) unlessKept(claim string) string {
	if g.keepsLive() {
		return ""
	}
	return claim
}

// ignoredAlready is the finding about fields that the application ignores and that are shown as different all the same.
func (g *explained) ignoredAlready(f diagnose.Finding) diagnose.Finding {
	n := g.countFields()
	f.Why += " The application's ignoreDifferences cover " + them(n) + " already, yet the comparison shows " + them(n) + "."
	if g.keepsLive() {
		f.Why += " With RespectIgnoreDifferences=true, a sync leaves " + them(n) + " as in the cluster."
		f.Sync = advice.Pointless("RespectIgnoreDifferences=true keeps the live " + verb(n, "value", "values"))
		f.Fix = slices.DeleteFunc(f.Fix, func(s diagnose.Fix) bool { return strings.HasPrefix(s.Command, "argocd app sync") })
	}
	f.Fix = slices.DeleteFunc(f.Fix, func(s diagnose.Fix) bool { return s.Text == "" })
	again := diagnose.Fix{Text: "Compare again, in case the entry is newer than the comparison", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(g.in))}
	if comparesWebhooks(g.in) {
		again = compareWith(g.in, "Compare without IncludeMutationWebhook=true, in case that is what shows the field all the same", "IncludeMutationWebhook=false")
	}
	if len(f.Fix) == 0 {
		f.Fix = []diagnose.Fix{again}
		return f
	}
	for _, word := range []string{"Or ", "Then "} {
		if rest, ok := strings.CutPrefix(f.Fix[0].Text, word); ok {
			f.Fix[0].Text = text.UpperFirst(rest)
		}
	}
	f.Fix = append(f.Fix, or(again))
	return f
}
