package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// With RespectIgnoreDifferences=true, a sync puts the live value of ignored fields into the manifest by a merge patch (Argo CD's
// normalizeTargetResources). Of the kinds that client-go knows, lists are merged by key. Of all others a merge patch replaces the whole
// list: one ignored field in it, and nothing that Git changes in the list is applied again.

// outerList is the outermost list that a path leads into, as the path to it; nil where there is none.
func outerList(p drift.Path) drift.Path {
	for i, s := range p {
		if s.Member {
			return p[:i]
		}
	}
	return nil
}

// replacesLists reports whether a merge patch of a kind replaces lists.
func replacesLists(ref evidence.Ref) bool {
	return isCustomKind(ref) || strings.HasPrefix(ref.Group, "gateway.")
}

// isInKeptList: the field is in a list of which an entry of ignoreDifferences ignores another part, and the sync of this commit has
// left it as it was.
func isInKeptList(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	return keptBy(in, r, f) != "" && !gitMoved(in) && !isIgnored(in, r, f.Path)
}

// keptBy is what ignores a part of the field's list; "" where nothing does, or not the field's difference.
func keptBy(in *diagnose.In, r *resource, f *drift.Field) string {
	if _, strange := foreignWriter(f); strange || !f.InDesired || !in.App().HasSyncOption(respectIgnored) || !replacesLists(r.Ref) {
		return ""
	}
	list := outerList(f.Path)
	if list == nil {
		return ""
	}
	pointer, _ := list.Pointer()
	for _, e := range in.App().Spec.IgnoreDifferences {
		if e.Group != r.Ref.Group || e.Kind != r.Ref.Kind || !matchesPlace(r.Ref, e) {
			continue
		}
		for _, p := range e.JSONPointers {
			if strings.HasPrefix(p, pointer+"/") && index.MatchString(p[len(pointer):]) {
				return p
			}
		}
		for _, q := range e.JQPathExpressions {
			if before, _, ok := strings.Cut(quotedKey.ReplaceAllString(q, ".$1"), "["); ok && before == list.JQ() {
				return q
			}
		}
	}
	return ""
}

// quotedKey is a field in brackets, the other notation for .name.
var quotedKey = pattern.MustCompile(`\.?\["([A-Za-z_][A-Za-z0-9_]*)"\]`)

// keptList is the finding about fields in such a list.
func (g *explained) keptList() diagnose.Finding {
	r, field := g.firstField()
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: RespectIgnoreDifferences keeps %s", g.subject(), outerList(field.Path).Tail(titleField)),
		Why: fmt.Sprintf("%s. The application ignores a part of the list (%s). Of a custom resource, a sync with RespectIgnoreDifferences=true then applies the whole list as it is in the cluster.",
			g.valuesClause(), keptBy(g.in, r, &field)),
		Sync: advice.Pointless("Argo CD will apply the list as it is in the cluster again"),
		Fix:  []diagnose.Fix{{Text: fmt.Sprintf("Remove that entry from ignoreDifferences, and put the live value of what it ignores into %s", g.manifest())}},
	}
	if app := g.in.App(); app.Metadata.ApplicationSet() == "" && parentOf(app) == "" { // these write their options back
		name := advice.AppName(g.in)
		f.Fix = append(f.Fix, diagnose.Fix{
			Text: "Or apply Git's list once: sync without that option, which also resets the ignored field, then add the option again",
			Command: diagnose.Shell("argocd app set %s --sync-option %s && ", name, "!"+respectIgnored) + syncOnly(g.in, g.resources) +
				diagnose.Shell(" && argocd app set %s --sync-option %s", name, respectIgnored),
		})
	}
	return f
}
