package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

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
		f := h.lacks(kind, name, quote)
		switch {
		case h.cause == nil, h.trouble == pods.NoTrouble && h.cause.Confidence != diagnose.Certain: // nothing is known of a pod
		default:
			f = h.taken(in)
			f.Short = "Hook is missing a " + kind
			if !in.Fits(f.Title) {
				f.Why = text.Paragraph(fmt.Sprintf("%s lacks %s/%s.", h.ref, kind, name), strings.TrimPrefix(f.Why, fmt.Sprintf("The hook is %s. ", h.ref)))
			}
		}
		if kind == "ServiceAccount" && h.task.HookType == "PreSync" && len(f.Fix) > 0 && strings.HasPrefix(f.Fix[0].Text, "Add it to Git") { // which would come after the hook
			f.Fix[0].Text = "Add it to Git as a PreSync hook itself, in an earlier wave and with only the delete policy BeforeHookCreation, or correct serviceAccountName of the hook; as a stopgap, create it directly"
		}
		if made := h.madeBefore(in, kind, name); made != nil && key == "" && name != "" {
			h.removedAgain(made, &f)
		}
		return h.withRetry(in, f), true
	}),
}

// lacks is about what the rules about health do not look for: a class that no pod can be made without, or a pod that was not read.
func (h *run) lacks(kind, name string, quote diagnose.Quote) diagnose.Finding {
	title, named := h.titled(fmt.Sprintf("is missing %s/%s", kind, name))
	look := h.describe("Show what the hook references")
	if statement.ClusterScoped(kind) {
		look = diagnose.Fix{Text: "List those that the cluster has", Command: diagnose.Shell("kubectl get %s", strings.ToLower(kind))}
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      title,
		Short:      "Hook is missing a " + kind,
		Why:        text.Paragraph(named, fmt.Sprintf("Its pod cannot start until %s/%s exists.", kind, name)),
		Evidence:   []diagnose.Quote{quote},
		Fix:        []diagnose.Fix{{Text: fmt.Sprintf("Create the missing %s, or correct its name in the hook", kind)}, look},
	}
}
