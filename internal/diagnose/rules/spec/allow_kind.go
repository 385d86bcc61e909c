package spec

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// forbiddenKind is the kind in Argo CD's words: "resource cert-manager.io:ClusterIssuer is not permitted".
var forbiddenKind = pattern.MustCompile(`resource ([a-z0-9.\-]*):([A-Za-z0-9]+) is not`)

// allowKind are the steps that allow a kind in the project. A project has up to four lists, and argocd changes the one that it is told
// to: of namespaced kinds the one of denied kinds, unless it is told otherwise.
func allowKind(in *diagnose.In, f *message.Failure, ref evidence.Ref) []diagnose.Fix {
	kind := kindOf(&diagnose.Statement{Failure: *f, Resource: ref})
	kind.Kind = cmp.Or(kind.Kind, "KIND")
	p, scope := advice.Project(in), "namespace"
	if scopedToCluster(in, ref) {
		scope = "cluster"
	}
	where := " (in Git if the project is defined there), or remove the resource from the application"
	allow := diagnose.Fix{Text: "Allow the kind in the project" + where, Command: diagnose.Shell("argocd proj %s %s %s %s --list allow", "allow-"+scope+"-resource", p, kind.Group, kind.Kind)}
	undeny := diagnose.Fix{Text: "Remove the kind from the denied kinds of the project" + where, Command: diagnose.Shell("argocd proj %s %s %s %s --list deny", "allow-"+scope+"-resource", p, kind.Group, kind.Kind)}
	project, known := diagnose.Get(in, evidence.FactProject)
	if !known || project == nil {
		if scope == "cluster" { // denied unless allowed, so the other list is rarely used
			return []diagnose.Fix{allow}
		}
		allow.Text = "If the project lists the kinds it allows, add this one" + where
		undeny.Text = "If it lists the kinds it denies, remove this one from them"
		return []diagnose.Fix{allow, undeny}
	}
	spec := project.Spec
	allowed, denied := spec.NamespaceResourceWhitelist, spec.NamespaceResourceBlacklist
	if scope == "cluster" || inList(kind, spec.ClusterResourceBlacklist) != nil {
		allowed, denied = spec.ClusterResourceWhitelist, spec.ClusterResourceBlacklist
	}
	entry := inList(kind, denied)
	switch {
	case entry == nil:
		return []diagnose.Fix{allow}
	case *entry != kind: // argocd removes only what is written the same way
		undeny.Text = fmt.Sprintf("The project denies all kinds that match group %q and kind %q: narrow that entry of its denied kinds%s", entry.Group, entry.Kind, where)
		undeny.Command = diagnose.Shell("argocd proj edit %s", p)
	}
	if len(allowed) > 0 && inList(kind, allowed) == nil {
		return []diagnose.Fix{undeny, {Text: "Add it to the allowed kinds as well", Command: allow.Command}}
	}
	return []diagnose.Fix{undeny}
}

// inList is the entry of a list that a kind matches, nil where none does. An entry may have patterns.
func inList(kind evidence.GroupKind, list []evidence.GroupKind) *evidence.GroupKind {
	i := slices.IndexFunc(list, func(e evidence.GroupKind) bool { return e.Matches(kind) })
	if i < 0 {
		return nil
	}
	return &list[i]
}
