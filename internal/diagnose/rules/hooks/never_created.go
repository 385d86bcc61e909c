package hooks

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

var NeverCreated = &diagnose.Rule{
	ID:          "hook/never-created",
	Needs:       []evidence.Kind{evidence.KindManaged},
	ExplainedBy: diagnose.SymptomOf(diagnose.BeforeSync, diagnose.GroupApply),
	Doc: diagnose.Doc{
		Title:    "PreSync hook was never created",
		What:     "The manifests contain a hook for a phase that the sync has passed, but the sync has no result for it. A selective sync, for example, skips all hooks.",
		Decisive: "A PreSync hook is among the desired resources, the operation is over, and its result does not list it.",
		Example:  "PreSync Job/migrate is in the manifests but not in the sync result",
		Fix:      "Sync the whole application: a sync of selected resources skips hooks.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "nothing shows why the hook did not run"},
	Check: func(in *diagnose.In) diagnose.Outcome {
		op := in.App().CurrentOperation()
		if op == nil || op.Running() || len(op.Results()) == 0 || len(in.Statements()) > 0 || in.App().MovedOn() {
			return diagnose.Nothing // something else is known about it, or the hook may be newer than the sync
		}
		selected := op.Operation.Sync != nil && len(op.Operation.Sync.Resources) > 0
		if selected && op.Operation.InitiatedBy.Automated {
			return diagnose.Nothing // self-heal syncs only what differs, and no hooks
		}
		managed, ok := diagnose.Get(in, evidence.FactManaged)
		if !ok {
			return diagnose.Unknown
		}
		for _, d := range managed {
			if !d.Hook || hasRun(op, d.Ref()) || clean.State(d.TargetState).Annotation("argocd.argoproj.io/hook") != "PreSync" {
				continue
			}
			f := diagnose.Finding{
				Resource: d.Ref(), Confidence: diagnose.Likely,
				Title:    fmt.Sprintf("PreSync hook %s was never created", d.Ref()),
				Why:      "It is in the manifests, but the finished sync has no result for it.",
				Evidence: []diagnose.Quote{{From: "managed resources", Text: d.Ref().String() + " (PreSync), not in the sync result"}},
				Fix:      []diagnose.Fix{advice.Sync(in, "Sync the whole application")},
			}
			if selected { // as somebody wanted it
				f.Role, f.Confidence = diagnose.RoleNote, diagnose.Certain
				f.Title = fmt.Sprintf("The last sync did not run PreSync hook %s", d.Ref())
				f.Why = "It was a sync of selected resources, and such a sync skips hooks."
				f.Fix[0].Text = "If the hook should run, sync the whole application"
			}
			return diagnose.Found(f)
		}
		return diagnose.Nothing
	},
}

func hasRun(op *evidence.OperationState, hook evidence.Ref) bool {
	for _, r := range op.Results() {
		if r.Ref().Same(hook) {
			return true
		}
	}
	return false
}
