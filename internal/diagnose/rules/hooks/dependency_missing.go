package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// unnamed says what the hook lacks where the title may have to be shortened.
func unnamed(in *diagnose.In, title, what string) string {
	if in.Fits(title) {
		return ""
	}
	return fmt.Sprintf("It lacks %s.", what)
}

var DependencyMissing = &diagnose.Rule{
	ID:    "hook/dependency-missing",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Hook is missing something its pod needs",
		What:     "The hook's pod cannot start because it references a Secret, ConfigMap, key, ServiceAccount or volume that does not exist.",
		Decisive: "The pod's waiting reason or an event names an object that is not found.",
		Example:  "MountVolume.SetUp failed for volume \"credentials\" : secret \"db\" not found",
		Fix:      "Create the missing object, or correct its name in the hook.",
	},
	Sync: advice.Pointless("the hook's pod cannot start until it exists"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		kind, name, key, quote, ok := h.lackedObject()
		if !ok {
			return diagnose.Finding{}, false
		}
		what, until := fmt.Sprintf("%s/%s", kind, name), fmt.Sprintf("the %s exists", kind)
		if key != "" {
			if name == "" { // Kubernetes names only the key
				what = "a " + kind
			}
			what, until = fmt.Sprintf("key %s in %s", key, what), "that key exists"
		}
		ns := cmp.Or(h.ref.Namespace, in.App().Spec.Destination.Namespace)
		title, named := h.titled("is missing " + what)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Short:      "Hook is missing a " + kind,
			Why:        text.Paragraph(named, unnamed(in, title, what), fmt.Sprintf("Its pod in namespace %s cannot start until %s.", ns, until)),
			Evidence:   []diagnose.Quote{quote},
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Create the missing %s, or correct its name in the hook", kind)},
				{Text: fmt.Sprintf("List the %ss in namespace %s", kind, ns), Command: diagnose.Shell("kubectl -n %s get %s", ns, strings.ToLower(kind))},
			},
		}
		if statement.ClusterScoped(kind) {
			f.Fix[1] = diagnose.Fix{Text: "List those that the cluster has", Command: diagnose.Shell("kubectl get %s", strings.ToLower(kind))}
		}
		if key != "" {
			f.Fix[0].Text = fmt.Sprintf("Add the key to the %s, or correct its name in the hook", kind)
			f.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("List the keys of the %s", kind), Command: diagnose.Shell("kubectl -n %s describe %s/%s", ns, strings.ToLower(kind), name)}
		}
		if strings.Contains(kind, " ") || name == "" {
			f.Fix[1] = h.describe("Show what the hook references")
		}
		switch made := h.madeBefore(in, kind, name); {
		case key != "" || name == "":
		case made != nil:
			h.removedAgain(made, &f)
		case statement.OwnIn(in, kind, ns, name) == nil:
			if step, ok := statement.Misnamed(in, &f, evidence.Ref{Kind: kind, Namespace: ns, Name: name}, h.ref.String()); ok {
				f.Fix[0] = step
			}
		}
		return h.withRetry(in, f), true
	}),
}
