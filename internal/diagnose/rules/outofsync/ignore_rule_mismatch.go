package outofsync

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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

// missedEntry is the index of an entry that was meant for the field, and why it does not match it.
func missedEntry(in *diagnose.In, r *resource, f *drift.Field) (index int, fault string) {
	for i, e := range in.App().Spec.IgnoreDifferences {
		if fault := ignoresInVain(r, e, f); fault != "" {
			return i, fault
		}
		if !strings.EqualFold(e.Kind, r.Ref.Kind) {
			continue
		}
		switch aims := aimsAt(e, f); {
		case aims && otherPlace(in, r, e) != "":
			return i, otherPlace(in, r, e)
		case aims && wrongPointer(e, f) != "" && matchesPlace(r, e):
			return i, wrongPointer(e, f)
		case !aims && wrongManager(r, e, f) != "":
			return i, wrongManager(r, e, f)
		}
	}
	return 0, ""
}

// otherPlace is how an entry misses the resource as a whole; "" where it matches, or is for another one on purpose. Argo CD takes
// wildcards in a group and a kind, and only exact names and namespaces.
func otherPlace(in *diagnose.In, r *resource, e evidence.IgnoredDifference) string {
	switch {
	case e.Group != r.Ref.Group && !strings.ContainsAny(e.Group, "*?["):
		return fmt.Sprintf("its group is %q and must be %q", e.Group, r.Ref.Group)
	case e.Kind != r.Ref.Kind:
		return fmt.Sprintf("its kind is %s and must be %s", e.Kind, r.Ref.Kind)
	case e.Name != "" && e.Name != r.Ref.Name:
		if namesAnother(in, e) {
			return ""
		}
		return fmt.Sprintf("its name is %s, and this application has no %s of that name", e.Name, r.Ref.Kind)
	case e.Namespace != "" && r.Ref.Namespace == "":
		return fmt.Sprintf("it has namespace %s, and a %s has no namespace", e.Namespace, r.Ref.Kind)
	case e.Namespace != "" && e.Namespace != r.Ref.Namespace:
		return fmt.Sprintf("its namespace is %s and must be %s", e.Namespace, r.Ref.Namespace)
	}
	return ""
}

// namesAnother reports whether an entry is for a resource that the application has.
func namesAnother(in *diagnose.In, e evidence.IgnoredDifference) bool {
	return slices.ContainsFunc(in.App().Status.Resources, func(s evidence.ResourceStatus) bool { return s.Kind == e.Kind && s.Name == e.Name })
}

// matchesPlace reports whether an entry is for the resource.
func matchesPlace(r *resource, e evidence.IgnoredDifference) bool {
	return (e.Name == "" || e.Name == r.Ref.Name) && (e.Namespace == "" || e.Namespace == r.Ref.Namespace)
}

// wrongManager: an entry ignores what certain managers wrote, and none of them wrote to the resource.
func wrongManager(r *resource, e evidence.IgnoredDifference, f *drift.Field) string {
	o, ok := foreignWriter(f)
	if !ok || len(e.ManagedFieldsManagers) == 0 || e.Group != r.Ref.Group || e.Kind != r.Ref.Kind || !matchesPlace(r, e) {
		return ""
	}
	wrote := slices.ContainsFunc(drift.Owners(r.Live), func(o drift.Owner) bool { return slices.Contains(e.ManagedFieldsManagers, o.Manager) })
	if wrote {
		return ""
	}
	return fmt.Sprintf("it is for what %s wrote, but the field manager is %s", text.List(e.ManagedFieldsManagers, shownFields), o.Manager)
}

// ignoresInVain: an entry ignores what a manager wrote, it wrote the field, and the field differs all the same. That happens with wildcards,
// and where argocd-cm has a customization of the kind: older versions of Argo CD then do not read the Application's entries.
func ignoresInVain(r *resource, e evidence.IgnoredDifference, f *drift.Field) string {
	o, ok := foreignWriter(f)
	if !ok || !o.Exact || !f.InLive || !slices.Contains(e.ManagedFieldsManagers, o.Manager) || !matchesPlace(r, e) || !matchesGlob(e.Group, r.Ref.Group) || !matchesGlob(e.Kind, r.Ref.Kind) {
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

// aimsAt reports whether an entry ends at a field of that name, or at what contains the field.
func aimsAt(e evidence.IgnoredDifference, f *drift.Field) bool {
	name := lastField(f.Path)
	ends := func(s string) bool {
		s = strings.NewReplacer("~1", "/", "~0", "~", `"`, "", "'", "", "]", "").Replace(s)
		rest, ok := strings.CutSuffix(s, name)
		return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], "/.["))
	}
	pointer, _ := f.Path.Pointer()
	contains := func(p string) bool { return p != "" && strings.HasPrefix(pointer, p+"/") }
	return slices.ContainsFunc(e.JSONPointers, ends) || slices.ContainsFunc(e.JQPathExpressions, ends) || slices.ContainsFunc(e.JSONPointers, contains)
}

var index = pattern.MustCompile(`/\d+(/|$)`)

// wrongPointer is what is wrong with an entry's pointers; "" where nothing can be seen.
func wrongPointer(e evidence.IgnoredDifference, f *drift.Field) string {
	right, simple := f.Path.Pointer()
	for _, p := range e.JSONPointers {
		switch {
		case simple && p == right, p != "" && strings.HasPrefix(right, p+"/"):
			return ""
		case p != "" && p[0] != '/':
			return fmt.Sprintf("JSON pointer %q does not begin with a slash", p)
		case simple && strings.NewReplacer("~1", "/", "~0", "~").Replace(right) == p:
			return fmt.Sprintf("the slash in the key is not escaped as ~1 in JSON pointer %q", p)
		case !simple && index.MatchString(p):
			return fmt.Sprintf("JSON pointer %q addresses list members by index", p)
		case !simple:
			return fmt.Sprintf("JSON pointer %q points to another place", p)
		}
	}
	return ""
}

// repairedEntries are the application's entries, those that miss a field corrected: whatever else they cover stays covered. Each step that
// prints the list prints this one, so that none puts a fault back.
func (d *picture) repairedEntries(in *diagnose.In) []evidence.IgnoredDifference {
	out := slices.Clone(in.App().Spec.IgnoreDifferences)
	if len(out) == 0 {
		return nil
	}
	var added []evidence.IgnoredDifference
	useless := map[int]bool{}
	for _, r := range d.resources {
		var vain []drift.Field
		for _, f := range r.Fields {
			if !isMeantToBeIgnored(in, d, r, &f) {
				continue
			}
			i, _ := missedEntry(in, r, &f)
			if ignoresInVain(r, in.App().Spec.IgnoreDifferences[i], &f) != "" {
				vain = append(vain, f)
				useless[i] = true
				continue
			}
			out[i] = repaired(out[i], r, &f)
		}
		if len(vain) > 0 {
			added = append(added, forAll(in, byPath(r, vain)))
		}
	}
	for i := range out {
		out[i].Group = withoutVersion(out[i].Group)
		if useless[i] {
			out[i].ManagedFieldsManagers = nil
		}
	}
	out = slices.DeleteFunc(out, func(e evidence.IgnoredDifference) bool {
		return len(e.ManagedFieldsManagers)+len(e.JSONPointers)+len(e.JQPathExpressions) == 0
	})
	return append(out, added...)
}

// withoutVersion is the group of what people take for one: an apiVersion, whose version no group has.
func withoutVersion(group string) string {
	name, isVersion, _ := strings.Cut(group, "/")
	switch {
	case version.MatchString(group):
		return ""
	case version.MatchString(isVersion):
		return name
	}
	return group
}

var version = pattern.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// repaired is an entry that matches the field.
func repaired(e evidence.IgnoredDifference, r *resource, f *drift.Field) evidence.IgnoredDifference {
	e.Group, e.Kind = r.Ref.Group, r.Ref.Kind
	if e.Name != "" {
		e.Name = r.Ref.Name
	}
	if e.Namespace != "" {
		e.Namespace = r.Ref.Namespace
	}
	right, simple := f.Path.Pointer()
	switch o, _ := foreignWriter(f); {
	case !aimsAt(e, f):
		e.ManagedFieldsManagers = []string{o.Manager}
	case wrongPointer(e, f) != "":
		e.JSONPointers = slices.DeleteFunc(slices.Clone(e.JSONPointers), func(p string) bool { return aimsAt(evidence.IgnoredDifference{JSONPointers: []string{p}}, f) })
		if simple {
			e.JSONPointers = append(e.JSONPointers, right)
		} else {
			e.JQPathExpressions = append(slices.Clone(e.JQPathExpressions), f.Path.JQ())
		}
	}
	return e
}

// correctEntry is the step against an entry that does not match.
func (g *explained) correctEntry() string {
	r, field := g.firstField()
	if i, _ := missedEntry(g.in, r, &field); ignoresInVain(r, g.in.App().Spec.IgnoreDifferences[i], &field) != "" {
		return "Replace the entry by one for exactly " + verb(g.countFields(), "this field", "these fields")
	}
	if g.othersHaveVersion() {
		return "Correct the entry, and the group of the others"
	}
	return "Correct the entry"
}

// othersHaveVersion reports whether entries that are for other kinds than those of the finding have a version in their group as well.
func (g *explained) othersHaveVersion() bool {
	return slices.ContainsFunc(g.in.App().Spec.IgnoreDifferences, func(e evidence.IgnoredDifference) bool {
		ours := slices.ContainsFunc(g.resources, func(r *resource) bool { return r.Ref.Kind == e.Kind })
		return !ours && withoutVersion(e.Group) != e.Group
	})
}
