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
		Title:    "ignoreDifferences entry does not match",
		What:     "The application is configured to ignore a field, but the entry misses it: another API group, another namespace than the resource's, a slash in an annotation that is not escaped as ~1, an index that addresses another list member.",
		Decisive: "An entry of spec.ignoreDifferences is for this kind and ends at the same field, and the field is still reported as different.",
		Example:  "ignoreDifferences: {kind: Deployment, jsonPointers: [/spec/replicas]} (no group: apps)",
		Fix:      "Correct the entry.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it resets a field that was meant to be ignored"),
	Recognises: explains{{byField, isMeantToBeIgnored}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		entry, fault := missedEntry(g.in, r, &field)
		g.misses = append(g.misses, entry)
		fix := g.ignore(true)
		fix.Text = "Replace the entry: merge this into the Application"
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      g.subject() + ": ignoreDifferences entry does not match",
			Why:        fmt.Sprintf("The entry for %s does not cover this %s: %s. %s.", lastField(field.Path), entry.Kind, fault, g.valuesClause()),
			Sync:       overwrites(fmt.Sprintf("it resets %s, which %s meant to be ignored", g.fieldsLabel(), verb(g.countFields(), "was", "were"))),
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
			return e, fmt.Sprintf("its group is %q and must be %q", e.Group, r.Ref.Group)
		case e.Name != "" && e.Name != "*" && e.Name != r.Ref.Name:
			continue // for another resource of the kind, most likely on purpose
		case e.Namespace != "" && e.Namespace != "*" && e.Namespace != r.Ref.Namespace:
			return e, fmt.Sprintf("its namespace is %s and must be %s", e.Namespace, r.Ref.Namespace)
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
