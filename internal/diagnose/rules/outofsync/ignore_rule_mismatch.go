package outofsync

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var IgnoreRuleMismatch = &diagnose.Rule{
	ID:    "drift/ignore-rule-mismatch",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An ignoreDifferences entry does not match what it is meant for",
		What:     "The application is told to overlook a field, and the entry misses it: another API group, a name or namespace that is not this resource's, a slash in an annotation that is not escaped as ~1, an index that names another member.",
		Decisive: "An entry of spec.ignoreDifferences is for this kind and ends at the same field, and the field is reported as different all the same.",
		Example:  "ignoreDifferences: {kind: Deployment, jsonPointers: [/spec/replicas]} (no group: apps)",
		Fix:      "Correct the entry.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it writes Git's value to a field that was meant to be left alone"),
	Recognises: explains{{byField, isMeantToBeIgnored}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		entry, fault := missedEntry(g.in, r, &field)
		g.misses = append(g.misses, entry)
		fix := g.ignore(true)
		fix.Text = "Give the application this entry instead of the one that misses"
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("an ignoreDifferences entry misses %s: %s", g.fieldsLabel(), fault),
			Why:        fmt.Sprintf("%s. The application has an entry for %s of kind %s that does not match it: %s.", g.valuesClause(), lastField(field.Path), entry.Kind, fault),
			Fix:        []diagnose.Fix{fix},
		}
	}),
}

func isMeantToBeIgnored(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	_, fault := missedEntry(in, r, f)
	return fault != ""
}

// missedEntry is an entry that was meant for the field, and why it does not match it.
func missedEntry(in *diagnose.In, r *resource, f *drift.Field) (entry evidence.IgnoredDifference, fault string) {
	for _, e := range in.App().Spec.IgnoreDifferences {
		if e.Kind != r.Ref.Kind || !aimsAt(e, f) {
			continue
		}
		switch {
		case e.Group != r.Ref.Group && e.Group != "*":
			return e, fmt.Sprintf("its group is %q, the resource's is %q", e.Group, r.Ref.Group)
		case e.Name != "" && e.Name != "*" && e.Name != r.Ref.Name:
			continue // for another resource of the kind, most likely on purpose
		case e.Namespace != "" && e.Namespace != "*" && e.Namespace != r.Ref.Namespace:
			return e, fmt.Sprintf("its namespace is %s, the resource's is %s", e.Namespace, r.Ref.Namespace)
		}
		if fault := wrongPointer(e, f); fault != "" {
			return e, fault
		}
	}
	return evidence.IgnoredDifference{}, ""
}

// aimsAt reports whether an entry ends at a field of that name.
func aimsAt(e evidence.IgnoredDifference, f *drift.Field) bool {
	name := lastField(f.Path)
	ends := func(s string) bool {
		s = strings.NewReplacer("~1", "/", "~0", "~", `"`, "", "'", "", "]", "").Replace(s)
		rest, ok := strings.CutSuffix(s, name)
		return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], "/.["))
	}
	return slices.ContainsFunc(e.JSONPointers, ends) || slices.ContainsFunc(e.JQPathExpressions, ends)
}

var index = regexp.MustCompile(`/\d+(/|$)`)

// wrongPointer is what is wrong with an entry's pointers; "" where nothing can be seen.
func wrongPointer(e evidence.IgnoredDifference, f *drift.Field) string {
	right, simple := f.Path.Pointer()
	for _, p := range e.JSONPointers {
		switch {
		case simple && p == right, p != "" && strings.HasPrefix(right, p+"/"):
			return ""
		case p != "" && p[0] != '/':
			return fmt.Sprintf("the JSON pointer %q does not begin with a slash", p)
		case simple && strings.NewReplacer("~1", "/", "~0", "~").Replace(right) == p:
			return fmt.Sprintf("in the JSON pointer %q the slash of the key is not written ~1", p)
		case !simple && index.MatchString(p):
			return fmt.Sprintf("the JSON pointer %q names members of a list by index", p)
		case !simple:
			return fmt.Sprintf("the JSON pointer %q leads to another place", p)
		}
	}
	return ""
}
