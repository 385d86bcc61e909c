package hooks

import (
	"cmp"
	"fmt"
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
	ID:      "hook/already-exists",
	Needs:   needs,
	Outside: hookKinds,
	Doc: diagnose.Doc{
		Title:    "Hook is blocked by its old object",
		What:     "The hook's object from an earlier sync still exists (the policy HookSucceeded keeps a failed hook; some versions keep every hook without a policy), and a Job's pod template cannot be changed in place. Creating or patching the hook fails.",
		Decisive: "The hook task fails with \"field is immutable\" or \"already exists\".",
		Example:  "Job.batch \"migrate\" is invalid: spec.template: Invalid value: …: field is immutable",
		Fix:      "Delete the old Job, and set hook-delete-policy: BeforeHookCreation in Git if the hook has another one.",
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
				Fix:        slices.Concat([]diagnose.Fix{advice.SeeFinalizer(h.ref)}, again(in, "Sync the application")),
				OutsideGit: true,
			}, true
		}
		if h.namedAnew() && !statement.Immutable(f) {
			return sameName(in, h), true
		}
		return leftover(in, h, f, old), true
	}),
}

// sameName is the finding about a hook whose name was made for this sync and is taken all the same.
func sameName(in *diagnose.In, h *run) diagnose.Finding {
	title, named := h.titled("got the name of another hook")
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      title,
		Why:        text.Paragraph(named, "Argo CD made this name of the hook's generateName, the commit, the phase and the time of the sync. Most likely another hook of the same phase has the same generateName and so got the same name."),
		Sync:       advice.Pointless("hooks with one generateName get one name in every sync"),
		Fix: []diagnose.Fix{
			{Text: "In Git, give each hook of that phase a generateName of its own"},
			advice.ThenSync(in),
		},
	}
}

// leftover is the finding about a hook whose old object is in the way.
func leftover(in *diagnose.In, h *run, f *message.Failure, old string) diagnose.Finding {
	title, named := h.titled("is blocked by its " + old)
	out := diagnose.Finding{Confidence: diagnose.Certain, Title: title, OutsideGit: true}
	because := "Argo CD cannot create a second one with the same name"
	if v, ok := f.Invalid(); ok && statement.Immutable(f) {
		because = "it cannot be changed in place"
		out.Says = diagnose.Said{Who: "The API server says", Text: v.Field + message.After(": ", lastClause(v.Reason))}
	}
	why := fmt.Sprintf("An earlier sync most likely left the %s behind, and %s.", old, because)
	live, _ := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: h.ref}))
	has := live.DeletePolicies()
	fix, offers := h.deleteHook("old", "it is left over from an earlier sync and prevents the new one from being created")
	policy := replaceOld(live, "If the hook has another delete policy than BeforeHookCreation, set that in Git: it removes the old hook before each sync")
	switch {
	case slices.Contains(has, beforeCreation):
		why = fmt.Sprintf("By its delete policy BeforeHookCreation, Argo CD should have deleted the %s first. It did not, and %s.", old, because)
		out.Fix = slices.Concat(fix, again(in, "Sync the application"), []diagnose.Fix{{
			Text:    "If it happens again, upgrade Argo CD: 2.14.0, for one, does not delete old hooks. This prints the version",
			Command: "argocd version",
		}})
	case len(has) > 0:
		policy.Text = "In Git, set the delete policy that removes the old hook before each sync"
		for i := range fix {
			fix[i].Text = "Or delete it yourself" + strings.TrimPrefix(fix[i].Text, "Delete the "+old)
		}
		out.Fix = slices.Concat([]diagnose.Fix{policy}, fix, again(in, "Sync the application"))
	default:
		out.Fix = slices.Concat(fix, []diagnose.Fix{policy}, again(in, "Sync the application"))
	}
	for i := range out.Fix {
		out.Fix[i] = inChart(in, out.Fix[i])
	}
	out.Why, out.Offers = text.Paragraph(named, why), offers
	return out
}

// lastClause is the end of a chain of reasons: "field is immutable" of "Invalid value: {…}: field is immutable".
func lastClause(reasons string) string {
	last := reasons
	for tail := range message.Tails(reasons) {
		last = tail
	}
	return last
}
