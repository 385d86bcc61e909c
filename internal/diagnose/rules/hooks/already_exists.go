package hooks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var AlreadyExists = &diagnose.Rule{
	ID:    "hook/already-exists",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Hook is blocked by its old object",
		What:     "The hook's object from an earlier sync still exists (the policy HookSucceeded keeps a failed hook; some versions keep every hook without a policy), and a Job's pod template cannot be changed in place. Creating or patching the hook fails.",
		Decisive: "The hook task fails with \"field is immutable\" or \"already exists\".",
		Example:  "Job.batch \"migrate\" is invalid: spec.template: Invalid value: …: field is immutable",
		Fix:      "Set hook-delete-policy: BeforeHookCreation in Git, or delete the old Job.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/#hook-deletion-policies"},
	},
	Sync: advice.Pointless("the hook will fail again until the old object is gone"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !s.Hook() || !statement.SaidByAPIServer(f) || !statement.Immutable(f) && !f.Has("already exists", "alreadyexists", "object is being deleted") {
			return diagnose.Finding{}, false
		}
		h := &run{task: *s.Result, ref: s.Resource, failed: true, fits: in.Fits}
		old := "old " + cmp.Or(h.ref.Kind, "object")
		if f.Has("being deleted") {
			title, named := h.titled("is blocked: " + old + " is still being deleted")
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      title,
				Why:        text.Paragraph(named, "Argo CD cannot create the new one until the old one is gone. Usually a finalizer delays the deletion."),
				Fix:        []diagnose.Fix{advice.SeeFinalizer(h.ref), advice.ThenSync(in)},
				OutsideGit: true,
			}, true
		}
		title, named := h.titled("is blocked by its " + old)
		out := diagnose.Finding{Confidence: diagnose.Certain, Title: title}
		why := "An earlier sync most likely left the " + old + " behind, and Argo CD cannot create a second one with the same name."
		if v, ok := f.Invalid(); ok && statement.Immutable(f) {
			why = "An earlier sync most likely left the " + old + " behind, and it cannot be changed in place."
			out.Says = diagnose.Said{Who: "The API server says", Text: v.Field + message.After(": ", lastClause(v.Reason))}
		}
		out.Why = text.Paragraph(named, why)
		leftover, _ := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: h.ref}))
		fix, offers := h.deleteHook("old", "it is left over from an earlier sync and prevents the new one from being created")
		for i := range fix {
			fix[i].Text = "Or delete it yourself" + strings.TrimPrefix(fix[i].Text, "Delete the "+old)
		}
		out.Offers, out.OutsideGit = offers, true
		out.Fix = slices.Concat(
			[]diagnose.Fix{replaceOld(leftover, "In Git, set the delete policy that removes the old hook before each sync")},
			fix,
			[]diagnose.Fix{advice.ThenSync(in)},
		)
		return out, true
	}),
}

// lastClause is the end of a chain of reasons: "field is immutable" of "Invalid value: {…}: field is immutable".
func lastClause(reasons string) string {
	last := reasons
	for tail := range message.Tails(reasons) {
		last = tail
	}
	return last
}
