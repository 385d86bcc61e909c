package hooks

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// installPlan is the InstallPlan of a Subscription of the Operator Lifecycle Manager that somebody has to approve; empty where none is
// known to wait for that.
func (w wait) installPlan() string {
	if w.ref.Kind != "Subscription" || w.ref.Group != "operators.coreos.com" {
		return ""
	}
	pending := w.object.Condition("InstallPlanPending")
	if pending.Text("status") != "True" || pending.Text("reason") != "RequiresApproval" {
		return ""
	}
	plan := w.object.Text("status", "installPlanRef", "name")
	if plan == "" {
		plan = w.object.Text("status", "installplan", "name")
	}
	return plan
}

// explainApproval is about a Subscription that installs nothing until a person approves it.
func (w wait) explainApproval(f *diagnose.Finding) {
	plan := evidence.Ref{Group: "operators.coreos.com", Kind: "InstallPlan", Namespace: w.ref.Namespace, Name: w.installPlan()}
	why := fmt.Sprintf("%s waits for manual approval.", plan)
	if version := w.object.Text("status", "currentCSV"); version != "" {
		why = fmt.Sprintf("%s waits for manual approval of %s.", plan, version)
	}
	if w.object.Text("spec", "installPlanApproval") == "Manual" {
		why += " Its installPlanApproval is Manual."
	}
	f.Why = text.Paragraph(f.Why, why)
	f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String(), Text: "condition InstallPlanPending: True, RequiresApproval"})
	f.Fix = []diagnose.Fix{
		{
			Text:    "Approve it, after a look at what it installs: the running sync then goes on by itself",
			Command: diagnose.Shell("kubectl %spatch %s --type merge -p %s", advice.InNamespace(plan), plan.Resource(), `{"spec":{"approved":true}}`),
		},
		{Text: "Or let updates install by themselves, in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  installPlanApproval: Automatic\n", w.ref)},
	}
	if !w.in.App().Status.OperationState.Running() {
		f.Fix[0].Text = "Approve it, after a look at what it installs"
	}
}
