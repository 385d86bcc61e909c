package hooks

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var AlreadyExists = &diagnose.Rule{
	ID:    "hook/already-exists",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An old object of the hook's name is in the way",
		What:     "The hook was left over from an earlier sync (policy HookSucceeded keeps a failed one; no policy, in some versions, keeps all), and a Job's template cannot be changed in place. Creating or patching it fails.",
		Decisive: "The hook task fails with \"field is immutable\" or \"already exists\".",
		Example:  "Job.batch \"migrate\" is invalid: spec.template: Invalid value: …: field is immutable",
		Fix:      "Delete the old Job; set hook-delete-policy: BeforeHookCreation.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/#hook-deletion-policies"},
	},
	Sync: advice.Pointless("the old object stays in the way until it is deleted"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !s.Hook() || !statement.SaidByAPIServer(f) || !statement.Immutable(f) && !f.Has("already exists", "alreadyexists", "object is being deleted") {
			return diagnose.Finding{}, false
		}
		h := &run{task: *s.Result, ref: s.Resource, failed: true}
		if f.Has("being deleted") {
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      fmt.Sprintf("an old %s is being deleted and is still in the way of the %s", h.ref, h.phaseName()),
				Why:        fmt.Sprintf("The %s cannot be created while %s of an earlier sync is being deleted: %s", h.phaseName(), h.ref, statement.Words(s)),
				Fix:        []diagnose.Fix{advice.SeeFinalizer(h.ref), advice.ThenSync(in)},
			}, true
		}
		fix, offers := h.deleteJob("it is left over from an earlier sync and keeps the new one from being created")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("an old %s is in the way of the %s", h.ref, h.phaseName()),
			Why:        fmt.Sprintf("The %s cannot be created because %s of an earlier sync still exists: %s", h.phaseName(), h.ref, statement.Words(s)),
			Fix: append(fix,
				diagnose.Fix{Text: "Have Argo CD delete it by itself before each sync", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"},
				advice.ThenSync(in),
			),
			Offers: offers,
		}, true
	}),
}
