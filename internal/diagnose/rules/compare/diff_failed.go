package compare

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
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
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "Argo CD cannot compute what would change"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		engine := f.Has("not declared in schema", "structured merge diff", "building typed value", "unknown conversion", "associative list", "stack traceback", "<string>:", "jq path", "ignoredifferences", "jsonpointer", "json pointer", "normalizing")
		if f.Stage != message.StageCompare && !f.Has("structured merge diff", "error building typed value") || f.DryRun && !engine {
			return diagnose.Finding{}, false
		}
		argo := advice.ArgoNamespace(in)
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(engine || f.Has("diff")),
			Title:      "Argo CD cannot compute the diff",
			Why:        "It has both the desired and the live state, but fails to compare them.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
			Fix: []diagnose.Fix{
				{Text: "Let the API server compute the diff instead of Argo CD (in Git if the Application is defined there)", Command: diagnose.Shell("kubectl -n %s annotate application %s argocd.argoproj.io/compare-options=ServerSideDiff=true --overwrite", cmp.Or(in.App().Metadata.Namespace, "argocd"), cmp.Or(in.App().Metadata.Name, "APP"))},
			},
		}
		switch {
		case f.Has("not declared in schema"):
			unknownFields(f, &out)
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Or upgrade Argo CD (its built-in schema), Kubernetes or the CRD to a version that has the field"})
		case f.Has("stack traceback", "<string>:"):
			out.Title = "Lua script in Argo CD fails"
			out.Why = "Argo CD runs it for the health, the diff or the actions of this kind of resource."
			out.Says.Who = "Lua says"
			out.Fix = []diagnose.Fix{{Text: "Correct the script in resource.customizations for this kind; if it is a built-in one, upgrade Argo CD", Command: diagnose.Shell("kubectl -n %s get cm argocd-cm -o yaml", argo)}}
		}
		return out, true
	}),
}

// undeclared is a field that the schema does not have.
var undeclared = regexp.MustCompile(`(\.[A-Za-z][A-Za-z0-9_.\[\]="'-]*): field not declared in schema`)

// unknownFields says which fields the schema does not have, and where they are.
func unknownFields(f *message.Failure, out *diagnose.Finding) {
	var fields []string
	for _, m := range undeclared.FindAllStringSubmatch(f.Text, -1) {
		fields = append(fields, m[1])
	}
	where := "The resource"
	switch {
	case f.Mentions("from config resource"):
		where = "The resource in Git"
	case f.Mentions("from live resource"):
		where = "The live resource"
	}
	out.Why = where + " has a field that is missing from the schema Argo CD compares with. Usually Argo CD, Kubernetes or the CRD is too old for it."
	if len(fields) == 0 {
		return
	}
	out.Title = "Argo CD does not know field " + fields[0]
	out.Says = diagnose.Said{}
	if len(fields) > 1 {
		out.Why = fmt.Sprintf("%s has fields that are missing from the schema Argo CD compares with, including %s. Usually Argo CD, Kubernetes or the CRD is too old for them.", where, text.List(fields[1:], 3))
	}
}
