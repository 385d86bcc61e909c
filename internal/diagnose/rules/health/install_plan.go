package health

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// installPlan is the InstallPlan of a Subscription of the Operator Lifecycle Manager that somebody has to approve; empty where none is
// known to wait for that.
func installPlan(s *unhealthy.Resource) string {
	if s.Ref.Kind != "Subscription" || s.Ref.Group != "operators.coreos.com" {
		return ""
	}
	pending := s.Object.Condition("InstallPlanPending")
	if pending.Text("status") != "True" || pending.Text("reason") != "RequiresApproval" {
		return ""
	}
	return cmp.Or(s.Object.Text("status", "installPlanRef", "name"), s.Object.Text("status", "installplan", "name"))
}

// approvalFinding is about a Subscription that installs nothing until a person approves it.
func approvalFinding(in *diagnose.In, s *unhealthy.Resource) diagnose.Finding {
	plan := evidence.Ref{Group: "operators.coreos.com", Kind: "InstallPlan", Namespace: s.Ref.Namespace, Name: installPlan(s)}
	f := diagnose.Finding{
		Kind: diagnose.KindUnfinished, Held: true, Confidence: diagnose.Certain,
		Title:    fmt.Sprintf("%s waits for manual approval", s.Ref),
		Why:      fmt.Sprintf("%s waits for manual approval.", plan),
		Evidence: []diagnose.Quote{{From: s.Ref.String(), Text: "condition InstallPlanPending: True, RequiresApproval"}},
		Fix: []diagnose.Fix{
			{
				Text:    "Approve it, after a look at what it installs",
				Command: diagnose.Shell("kubectl %spatch %s --type merge -p %s", advice.InNamespace(plan), plan.Resource(), `{"spec":{"approved":true}}`),
			},
			{Text: "Or let updates install by themselves, in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  installPlanApproval: Automatic\n", s.Ref)},
		},
	}
	if version := s.Object.Text("status", "currentCSV"); version != "" {
		f.Why = fmt.Sprintf("%s waits for manual approval of %s.", plan, version)
	}
	if s.Object.Text("spec", "installPlanApproval") == "Manual" {
		f.Why += " Its installPlanApproval is Manual."
	}
	if in.App().Status.OperationState.Running() {
		f.Fix[0].Text += ": the running sync then goes on by itself"
	}
	return f
}
