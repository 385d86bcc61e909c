package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var FieldManagerConflict = &diagnose.Rule{
	ID: "apply/field-manager-conflict",
	Doc: diagnose.Doc{
		Title:    "Field conflict with another manager",
		What:     "With server-side apply, each field belongs to the manager that set it. Another manager (kubectl, an operator, an older Argo CD) owns a field that Git sets to a different value.",
		Decisive: "\"Apply failed with N conflicts: conflict with …\".",
		Example:  "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using apps/v1: .spec.template.spec.containers",
		Fix:      "Decide who owns the field: remove it from Git, or take it over once with --force-conflicts.",
		Links:    []string{"https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"},
	},
	Sync:  advice.Pointless("the other manager still owns the field"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("conflict with \"", "conflicts with \"", "conflict with '", "conflict occurred while applying") && !f.HasAll("apply failed with", "conflict") {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		manager, owner, field := "another manager", "The other manager", "a field"
		if m := conflict.FindStringSubmatch(f.Cause); m != nil {
			manager, owner, field = m[1], "Manager "+m[1], cmp.Or(m[2], field)
		}
		out := diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: of(statement.Name(s), "field conflict with "+manager),
			Why:   fmt.Sprintf("%s owns %s, Git sets another value, and the request did not force its own.%s", owner, field, otherConflicts(f.Flat())),
			Fix: []diagnose.Fix{
				{Text: "If Git should own the field, take it over once, with the manifest from Git in place of MANIFEST", Command: diagnose.Shell("kubectl apply --server-side --force-conflicts --field-manager=argocd-controller %s-f MANIFEST", advice.InNamespace(ref))},
				{Text: fmt.Sprintf("If %s should own it, remove it from Git and push", manager)},
				{Text: "List the fields with their managers", Command: diagnose.Shell("kubectl %sget %s --show-managed-fields -o yaml", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
			},
		}
		switch {
		case strings.Contains(field, "last-applied-configuration"):
			out.Why = "The resource is being moved to server-side apply, and the annotation of client-side apply (last-applied-configuration) belongs to another manager."
			out.Fix = []diagnose.Fix{{Text: "Remove the annotation, which server-side apply does not need", Command: diagnose.Shell("kubectl %sannotate %s kubectl.kubernetes.io/last-applied-configuration-", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))}, advice.Refresh(in, "Refresh the application")}
		case manager == "argocd-controller":
			out.Why = fmt.Sprintf("Argo CD itself owns %s: what applies the resource here uses another name than Argo CD does.%s", field, otherConflicts(f.Cause))
			out.Fix[1].Text = "If another application or another Argo CD manages the resource, remove it from one of them in Git"
		case manager == "kubectl-client-side-apply":
			out.Fix[1].Text = "If the value that kubectl apply set (a person, or a tool that runs it) should stay, take it over into Git and push"
		case personal(manager):
			out.Fix[1].Text = fmt.Sprintf("If the value that a person set with %s should stay, take it over into Git and push", manager)
		}
		return out, true
	}),
}

// personal reports whether a field manager is a tool that people use.
func personal(manager string) bool {
	return strings.HasPrefix(manager, "kubectl") || manager == "k9s" || manager == "Mozilla" || manager == "node-fetch"
}

// otherConflicts names the other conflicting fields, with their managers where those are others.
func otherConflicts(said string) string {
	_, fields, _ := strings.Cut(said, "conflict")
	var others []string
	manager, first := "", ""
	for _, m := range conflicting.FindAllStringSubmatch(fields, -1) {
		switch {
		case m[1] != "":
			manager = m[1]
			first = cmp.Or(first, manager)
		case manager == first:
			others = append(others, m[2])
		default:
			others = append(others, fmt.Sprintf("%s (%s)", m[2], manager))
		}
	}
	if len(others) < 2 {
		return ""
	}
	return " Also in conflict: " + text.List(others[1:], maxListed) + "."
}

// conflicting is a manager, or one of its fields behind it.
var conflicting = pattern.MustCompile(`with ["']([^"']+)["']|(?:^|[\s,])(\.(?:spec|data|metadata|status|rules|webhooks|subjects)\b[^,\s]*)`)

var conflict = pattern.MustCompile(`conflicts? with ["']([^"']+)["'](?: using [^:]+)?(?:: *-? *([^,\s]+))?`)
