package outofsync

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var IgnoreRuleMismatch = &diagnose.Rule{
	ID:    "drift/ignore-rule-mismatch",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "ignoreDifferences entry does not match",
		What:     "The application is configured to ignore a field, but the entry misses it: another API group, another namespace than the resource's, a slash in an annotation that is not escaped as ~1, an index that addresses another list member. Or it matches a part of a list of a custom resource: with RespectIgnoreDifferences=true, a sync then keeps the whole list as it is in the cluster.",
		Decisive: "An entry of spec.ignoreDifferences is for this kind and ends at the same field, and the field is still reported as different; or an entry ignores another part of the same list.",
		Example:  "ignoreDifferences: {kind: Deployment, jsonPointers: [/spec/replicas]} (no group: apps)",
		Fix:      "Correct the entry.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it resets a field that was meant to be ignored"),
	Recognises: explains{{byField, isMeantToBeIgnored}, {byField, isInKeptList}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		if !isMeantToBeIgnored(g.in, nil, r, &field) {
			return g.keptList()
		}
		i, fault := missedEntry(g.in, r, &field)
		spec := patchSpec{IgnoreDifferences: g.picture.repairedEntries(g.in), SyncPolicy: &patchSyncPolicy{SyncOptions: respecting(g.in.App().Spec)}}
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      g.subject() + ": ignoreDifferences entry does not match",
			Why:        missedWhy(g.in.App().Spec.IgnoreDifferences[i], r, &field, fault) + " " + g.valuesClause() + ".",
			Sync:       overwrites(fmt.Sprintf("it resets %s, which %s meant to be ignored", g.fieldsLabel(), verb(g.countFields(), "was", "were"))),
			Fix:        []diagnose.Fix{mergeInto(g.in, g.correctEntry(), applicationPatch{Spec: &spec})},
		}
	}),
}

// missedWhy says why an entry does not match.
func missedWhy(e evidence.IgnoredDifference, r *resource, f *drift.Field, fault string) string {
	if o, _ := foreignWriter(f); ignoresInVain(r, e, f) != "" {
		return fmt.Sprintf("There is an entry for what %s writes, and it has no effect here: %s.", managerText(o), fault)
	}
	return fmt.Sprintf("The entry for %s does not cover this %s: %s.", lastField(f.Path), e.Kind, fault)
}

func isMeantToBeIgnored(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	_, fault := missedEntry(in, r, f)
	return fault != "" && !isIgnored(in, r, f.Path)
}

// missedEntry is the index of an entry that was meant for the field, and why it does not match it. An entry that names the resource is
// rather meant for it than one that names none.
func missedEntry(in *diagnose.In, r *resource, f *drift.Field) (index int, fault string) {
	for i, e := range in.App().Spec.IgnoreDifferences {
		in.Spend(sizeOf(e))
		said := faultOf(in, r, e, f)
		if said == "" {
			continue
		}
		if fault == "" || e.Name == r.Ref.Name {
			index, fault = i, said
		}
		if e.Name == r.Ref.Name {
			break
		}
	}
	return index, fault
}

// faultOf is why an entry that was meant for a field does not match it; "" where it was not, or matches.
func faultOf(in *diagnose.In, r *resource, e evidence.IgnoredDifference, f *drift.Field) string {
	if fault := ignoresInVain(r, e, f); fault != "" {
		return fault
	}
	if !strings.EqualFold(e.Kind, r.Ref.Kind) {
		return ""
	}
	if !aimsAt(e, f) {
		return wrongManager(r, e, f)
	}
	if fault := otherPlace(in, r, e); fault != "" || !matchesPlace(r.Ref, e) {
		return fault
	}
	_, fault := wrongPointer(e, f)
	return fault
}

// otherPlace is how an entry misses the resource as a whole; "" where it matches, or is for another one on purpose. Argo CD takes
// wildcards in a group and a kind, and only exact names and namespaces.
func otherPlace(in *diagnose.In, r *resource, e evidence.IgnoredDifference) string {
	switch {
	case isForAnother(in, r, e):
	case e.Group != r.Ref.Group && !strings.ContainsAny(e.Group, "*?["):
		return fmt.Sprintf("its group is %q and must be %q", e.Group, r.Ref.Group)
	case e.Kind != r.Ref.Kind:
		return fmt.Sprintf("its kind is %s and must be %s", e.Kind, r.Ref.Kind)
	case e.Name != "" && e.Name != r.Ref.Name:
		return fmt.Sprintf("its name is %s, and this application has no %s of that name", e.Name, r.Ref.Kind)
	case e.Namespace != "" && r.Ref.Namespace == "":
		return fmt.Sprintf("it has namespace %s, and a %s has no namespace", e.Namespace, r.Ref.Kind)
	case e.Namespace != "" && e.Namespace != r.Ref.Namespace:
		return fmt.Sprintf("its namespace is %s and must be %s", e.Namespace, r.Ref.Namespace)
	}
	return ""
}

// isForAnother reports whether an entry is for another resource that the application has.
func isForAnother(in *diagnose.In, r *resource, e evidence.IgnoredDifference) bool {
	return !matchesPlace(r.Ref, e) && slices.ContainsFunc(in.App().Status.Resources, func(s evidence.ResourceStatus) bool {
		return strings.EqualFold(s.Kind, e.Kind) && matchesPlace(s.Ref(), e)
	})
}

// matchesPlace reports whether an entry is for a resource, by its name and its namespace.
func matchesPlace(ref evidence.Ref, e evidence.IgnoredDifference) bool {
	return (e.Name == "" || e.Name == ref.Name) && (e.Namespace == "" || e.Namespace == ref.Namespace)
}

// wrongManager: an entry ignores what certain managers wrote, and none of them wrote to the resource.
func wrongManager(r *resource, e evidence.IgnoredDifference, f *drift.Field) string {
	o, ok := foreignWriter(f)
	if !ok || len(e.ManagedFieldsManagers) == 0 || e.Group != r.Ref.Group || e.Kind != r.Ref.Kind || !matchesPlace(r.Ref, e) {
		return ""
	}
	wrote := slices.ContainsFunc(r.owners(), func(o drift.Owner) bool { return slices.Contains(e.ManagedFieldsManagers, o.Manager) })
	if wrote {
		return ""
	}
	return fmt.Sprintf("it is for what %s wrote, but the field manager is %s", text.List(e.ManagedFieldsManagers, shownFields), o.Manager)
}

// ignoresInVain: an entry ignores what a manager wrote, it wrote the field, and the field differs all the same. That happens with wildcards,
// and where argocd-cm has a customization of the kind: older versions of Argo CD then do not read the Application's entries.
func ignoresInVain(r *resource, e evidence.IgnoredDifference, f *drift.Field) string {
	o, ok := foreignWriter(f)
	if !ok || !o.Exact || !f.InLive || !slices.Contains(e.ManagedFieldsManagers, o.Manager) || !matchesPlace(r.Ref, e) || !matchesGlob(e.Group, r.Ref.Group) || !matchesGlob(e.Kind, r.Ref.Kind) {
		return ""
	}
	if isWildcard(e) {
		return fmt.Sprintf("it has wildcards (group %q, kind %q), and not every version of Argo CD takes those together with managedFieldsManagers", e.Group, e.Kind)
	}
	return "Argo CD still compares the field, as older versions do where argocd-cm customizes this kind"
}

func isWildcard(e evidence.IgnoredDifference) bool { return strings.ContainsAny(e.Group+e.Kind, "*?[") }

// matchesGlob reports whether a name matches what may be a pattern.
func matchesGlob(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// signs takes what is only notation out of a pointer or an expression.
var signs = strings.NewReplacer("~1", "/", "~0", "~", `"`, "", "'", "", "]", "")

// aimsAt reports whether an entry ends at a field of that name, or at what contains the field.
func aimsAt(e evidence.IgnoredDifference, f *drift.Field) bool {
	name := lastField(f.Path)
	ends := func(s string) bool {
		s = signs.Replace(s)
		rest, ok := strings.CutSuffix(s, name)
		return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], "/.["))
	}
	pointer, _ := f.Path.Pointer()
	contains := func(p string) bool { return p != "" && strings.HasPrefix(pointer, p+"/") }
	return slices.ContainsFunc(e.JSONPointers, ends) || slices.ContainsFunc(e.JQPathExpressions, ends) || slices.ContainsFunc(e.JSONPointers, contains)
}

// correctEntry is the step against an entry that does not match.
func (g *explained) correctEntry() string {
	r, field := g.firstField()
	given := g.in.App().Spec.IgnoreDifferences
	i, _ := missedEntry(g.in, r, &field)
	if ignoresInVain(r, given[i], &field) != "" {
		return "Add an entry for exactly " + verb(g.countFields(), "this field", "these fields")
	}
	versions := 0
	for _, e := range given {
		if withoutVersion(e.Group) != e.Group {
			versions++
		}
	}
	switch {
	case versions > 1:
		return fmt.Sprintf("Correct %d entries, whose group contains a version", versions)
	case versions == 1 && withoutVersion(given[i].Group) != given[i].Group:
		return "Correct the entry, whose group contains a version"
	}
	return "Correct the entry"
}
