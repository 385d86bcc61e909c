package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var DiffFailed = &diagnose.Rule{
	ID: "compare/diff-failed",
	Doc: diagnose.Doc{
		Title:    "Argo CD cannot compute the diff",
		What:     "Argo CD has the desired and the live state but cannot compare them: a field is missing from its schema, a list entry lacks its key, a version cannot be converted, or a custom diff or health script fails.",
		Decisive: "\"failed to calculate diff\" because of the diff itself, not because a server-side dry run was refused.",
		Example:  "error calculating structured merge diff: error building typed value from live resource: .spec.podReplacementPolicy: field not declared in schema",
		Fix:      "Upgrade Argo CD or the CRD to a version that has the field, use ServerSideDiff=true, or tell Argo CD to ignore the field.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "Argo CD cannot compute what would change"},
	Needs: []evidence.Kind{evidence.KindManaged},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Has("typed patch object", "unknown field") && f.Stage == message.StageCompare { // the API server's words, in the dry run of a server-side diff
			return lateCRD(in, s)
		}
		engine := f.Has("not declared in schema", "structured merge diff", "building typed value", "unknown conversion", "associative list", "stack traceback", "<string>:", "jq path", "jq: ", "ignoredifferences", "jsonpointer", "json pointer", "normaliz")
		if f.Stage != message.StageCompare && !f.Has("structured merge diff", "error building typed value") || f.DryRun && !engine {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(engine || f.Has("diff")),
			Title:      "Argo CD cannot compute the diff",
			Why:        "It has both the desired and the live state, but fails to compare them.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
			Fix:        []diagnose.Fix{compareOption(in, "Let the API server compute the diff instead of Argo CD", "ServerSideDiff=true")},
		}
		serverSide := out.Fix
		if strings.Contains(in.App().Metadata.Annotations["argocd.argoproj.io/compare-options"], "ServerSideDiff=true") {
			serverSide, out.Fix = nil, nil
		}
		switch {
		case f.Has("pre-diff normaliz") && f.Has("typed", "managed", "associative list"):
			beforeDiff(in, f, &out)
		case f.Has("server side diff", "serversidediff"):
			out.Fix = []diagnose.Fix{
				compareOption(in, "Let Argo CD compute the diff itself for this application", "ServerSideDiff=false"),
				{Text: "Or upgrade Argo CD: its server-side diff fails on what the message names"},
			}
		case f.Has("not declared in schema"):
			unknownFields(f, &out)
			out.Fix = append(serverSide, schemaSteps(in, f, len(serverSide) > 0)...)
		case f.Has("duplicate entries for key"):
			duplicates(f, &out)
		case f.Has("unable to resolve parseabletype"):
			out.Title = "Argo CD has no schema to compute the diff with"
		case keyField.MatchString(f.Text):
			m := keyField.FindStringSubmatch(f.Text)
			out.Fix = append([]diagnose.Fix{setKey(m)}, serverSide...)
			if len(serverSide) > 0 {
				out.Fix[1].Text = "Or let" + strings.TrimPrefix(out.Fix[1].Text, "Let")
			}
		case f.Has("stack traceback", "<string>:"):
			out.Title = "Lua script in Argo CD fails"
			out.Why = "Argo CD runs it for the health, the diff or the actions of this kind of resource."
			out.Says.Who = "Lua says"
			out.Fix = []diagnose.Fix{{Text: "Correct the script in resource.customizations for this kind, in " + customizations.Place(in) + "; if it is a built-in one, upgrade Argo CD", Command: diagnose.Shell("kubectl -n %s get cm argocd-cm -o yaml", advice.ArgoNamespace(in))}}
		case f.Has("jq: ", "jq path", "normaliz", "ignoredifferences", "jsonpointer", "json pointer"):
			out.Why = "A rule that ignores differences fails: of the Application (spec.ignoreDifferences), or of Argo CD (resource.customizations in argocd-cm)."
			if !ruled(in, func(evidence.IgnoredDifference) bool { return true }) {
				out.Why = "A rule that ignores differences fails. The Application has none, so it is in argocd-cm (resource.customizations.ignoreDifferences)."
			}
			out.Fix = ignoreRules(in, "Correct the expression", func(evidence.IgnoredDifference) bool { return true })
		}
		return out, true
	}),
}

// compareOption is the step that sets an option of the comparison on the Application.
func compareOption(in *diagnose.In, step, option string) diagnose.Fix {
	where := " (in Git if the Application is defined there)"
	if set := advice.Generator(in); set != "" {
		where = fmt.Sprintf(" (in the template of ApplicationSet %s, which may undo it in the Application)", set)
	}
	return diagnose.Fix{
		Text:    step + where,
		Command: diagnose.Shell("kubectl -n %s annotate application %s argocd.argoproj.io/compare-options=%s --overwrite", cmp.Or(in.App().Metadata.Namespace, "argocd"), cmp.Or(in.App().Metadata.Name, "APP"), option),
	}
}

// keyField is a list whose entries lack the field that tells them apart.
var keyField = pattern.MustCompile(`(\.[A-Za-z][A-Za-z0-9_.\[\]="'-]*): element \d+: associative list with keys has an element that omits key field "([^"]+)"`)

// duplicated is a list that has two entries with the same key.
var duplicated = pattern.MustCompile(`(\.[A-Za-z][A-Za-z0-9_.\[\]="'-]*): duplicate entries for key \[([^\]]*)\]`)

// duplicates says which list has an entry twice, and on which side.
func duplicates(f *message.Failure, out *diagnose.Finding) {
	m := duplicated.FindStringSubmatch(f.Text)
	if m == nil {
		return
	}
	out.Title = "Argo CD cannot compare a list with a duplicate entry"
	out.Says = diagnose.Said{}
	where, fix := "The resource", "Remove the duplicate in Git, then push"
	switch {
	case f.Mentions("from config resource", "typedconfig"):
		where = "The resource in Git"
	case f.Mentions("from live resource", "typedlive"):
		where, fix = "The live resource", "Remove the duplicate from the live resource, and from Git if it is there as well"
	}
	out.Why = fmt.Sprintf("%s has two entries in %s with %s.", where, m[1], strings.ReplaceAll(m[2], `"`, ""))
	out.Fix = advice.Steps(fix)
}

// undeclared is a field that the schema does not have.
var undeclared = pattern.MustCompile(`(\.[A-Za-z][A-Za-z0-9_.\[\]="'-]*): field not declared in schema`)

// unknownFields says which fields the schema does not have, and where they are.
func unknownFields(f *message.Failure, out *diagnose.Finding) {
	var fields []string
	for _, m := range undeclared.FindAllStringSubmatch(f.Text, -1) {
		fields = append(fields, m[1])
	}
	where := "The resource"
	switch {
	case f.Mentions("from config resource", "typedconfig"):
		where = "The resource in Git"
	case f.Mentions("from live resource", "typedlive"):
		where = "The live resource"
	}
	out.Why = where + " has a field that is missing from the schema Argo CD compares with. " + outdated(f)
	if len(fields) == 0 {
		return
	}
	out.Title = "Argo CD does not know field " + fields[0]
	out.Says = diagnose.Said{}
	if len(fields) > 1 {
		out.Why = fmt.Sprintf("%s has fields that are missing from the schema Argo CD compares with, including %s. %s", where, text.List(fields[1:], 3), outdated(f))
	}
}

// outdated says which side usually lacks a field. What is live has passed the API server, so the cluster knows it or once did.
func outdated(f *message.Failure) string {
	switch {
	case f.Mentions("from live resource", "typedlive"):
		return "Either Argo CD, which has the schemas of Kubernetes' own kinds built in, is older than the cluster (or newer by several versions), or the CRD no longer has a field that is still stored."
	case f.Mentions("from config resource", "typedconfig"):
		return "Usually it is misspelled, or Argo CD or the CRD is too old for it."
	}
	return "Usually Argo CD or the CRD is too old for it."
}

// schemaSteps are what helps where the schema lacks a field.
func schemaSteps(in *diagnose.In, f *message.Failure, or bool) []diagnose.Fix {
	upgrade := diagnose.Fix{Text: "Upgrade Argo CD to a release that knows this version of Kubernetes; for a custom resource, restart the controller, so it reads the CRD's schema again", Command: diagnose.Shell("kubectl -n %s rollout restart %s", advice.ArgoNamespace(in), advice.Controller(in))}
	if f.Mentions("from config resource", "typedconfig") {
		upgrade = diagnose.Fix{Text: "Correct or remove the field in Git if the API has none of that name, or upgrade Argo CD or the CRD to a version that has it"}
	}
	if or {
		upgrade.Text = "Or " + text.LowerFirst(upgrade.Text)
	}
	return []diagnose.Fix{upgrade}
}

// setKey is the step that adds what a list entry lacks.
func setKey(m []string) diagnose.Fix {
	return diagnose.Fix{Text: fmt.Sprintf("Set %s in every entry of %s in Git, then push", m[2], m[1])}
}

// beforeDiff is the finding about the step before any diff, which removes what other managers own. Argo CD does it only where a rule
// names managedFieldsManagers, and with server-side diff as well, so that does not help.
func beforeDiff(in *diagnose.In, f *message.Failure, out *diagnose.Finding) {
	if f.Has("not declared in schema") {
		unknownFields(f, out)
	}
	out.Why = text.Paragraph(out.Why, "The comparison fails at a rule that ignores differences by managedFieldsManagers, which needs a schema that fits the resource.")
	out.Fix = nil
	if m := keyField.FindStringSubmatch(f.Text); m != nil {
		out.Fix = []diagnose.Fix{setKey(m)}
	}
	step := "Ignore the fields by jsonPointers or jqPathExpressions instead of managedFieldsManagers"
	if len(out.Fix) > 0 {
		step = "Or " + text.LowerFirst(step)
	}
	out.Fix = append(out.Fix, ignoreRules(in, step, func(r evidence.IgnoredDifference) bool { return len(r.ManagedFieldsManagers) > 0 })...)
	if f.Has("not declared in schema") {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Or run a version of Argo CD that supports the cluster's version of Kubernetes; this prints that of Argo CD", Command: "argocd version"})
	}
}

// customizations is where the scripts and the rules for kinds are.
var customizations = advice.Config("resource.customizations")

// ruled reports whether the Application has a rule that may be the one that fails. A spec that was not read may have any.
func ruled(in *diagnose.In, may func(evidence.IgnoredDifference) bool) bool {
	return in.App().Metadata.Name == "" || slices.ContainsFunc(in.App().Spec.IgnoreDifferences, may)
}

// ignoreRules is the step that changes a rule about differences to ignore, where it can be: in the Application, if that has such a
// rule, or in Argo CD's settings.
func ignoreRules(in *diagnose.In, step string, may func(evidence.IgnoredDifference) bool) []diagnose.Fix {
	settings := diagnose.Fix{Text: step + " in " + customizations.Place(in) + ", key resource.customizations.ignoreDifferences of the kind; this prints it", Command: diagnose.Shell("kubectl -n %s get cm argocd-cm -o yaml", advice.ArgoNamespace(in))}
	if !ruled(in, may) {
		return []diagnose.Fix{settings}
	}
	settings.Text = "If it is not there, change it in " + customizations.Place(in) + " (resource.customizations.ignoreDifferences)"
	return []diagnose.Fix{
		{Text: step + " in " + advice.Manifest(in) + "; this prints the rules of the Application", Command: diagnose.Shell("kubectl -n %s get application %s -o jsonpath='{.spec.ignoreDifferences}'", cmp.Or(in.App().Metadata.Namespace, "argocd"), cmp.Or(in.App().Metadata.Name, "APP"))},
		settings,
	}
}
