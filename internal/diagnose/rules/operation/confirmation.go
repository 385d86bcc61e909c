package operation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// askPrune is the sync option with which a sync deletes a resource only after someone has confirmed it.
const askPrune = "Prune=confirm"

// confirmationFinding is the finding about a deletion that waits for a person; what is to be deleted, as the message names it.
func confirmationFinding(in *diagnose.In, what string) diagnose.Finding {
	title := what + ": deletion needs confirmation"
	if what == unnamed {
		title = "Deletion of a resource needs confirmation"
	}
	verdict := diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "deletes " + what + " once that is confirmed"}
	why := "It has the sync option Prune=confirm or Delete=confirm, so Argo CD waits until someone confirms the deletion."
	var fixes []diagnose.Fix
	if ref, ok := toConfirm(in, what); ok {
		fixes = append(fixes, lookBefore(ref))
	}
	confirm := diagnose.Fix{
		Text:    "If it can be deleted, confirm that (this also confirms every other pending deletion of the application)",
		Command: diagnose.Shell("argocd app confirm-deletion %s", advice.AppName(in)),
	}
	if fixes = append(fixes, confirm); in.App().CurrentOperation().Running() {
		verdict = advice.Blocked("the running operation waits for this confirmation")
		why = "It is no longer in Git and has the sync option Prune=confirm, so the running sync waits until someone confirms the deletion."
		if strings.Contains(what, " and ") {
			why = "They are no longer in Git and have the sync option Prune=confirm, so the running sync waits until someone confirms the deletion."
		}
		end, _ := advice.Terminate(in, "it waits for a confirmation")
		end.Text = "If it should stay, put it back into Git. Then terminate the running operation, which stays on its commit, and sync"
		fixes = append(fixes, end)
	}
	return diagnose.Finding{Kind: diagnose.KindForbidden, Confidence: diagnose.Certain, Title: title, Why: why, Sync: verdict, Fix: fixes}
}

// lookBefore is the step that shows what a deletion takes away.
func lookBefore(ref evidence.Ref) diagnose.Fix {
	switch {
	case ref.Kind == "Namespace" && ref.Group == "":
		return diagnose.Fix{
			Text:    "Look at what is in the namespace: confirming deletes all of it",
			Command: diagnose.Shell("kubectl -n %s get all,configmaps,secrets,persistentvolumeclaims,ingresses", ref.Name),
		}
	case ref.Kind == "CustomResourceDefinition":
		return diagnose.Fix{Text: "Look at what there is of the kind: confirming deletes all of it, in all namespaces", Command: diagnose.Shell("kubectl get %s --all-namespaces", ref.Name)}
	}
	return diagnose.Fix{Text: "Look at what would be deleted", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())}
}

// toConfirm is the resource that a message names, among those that are to be pruned.
func toConfirm(in *diagnose.In, what string) (evidence.Ref, bool) {
	what, _, _ = strings.Cut(what, " ")
	for _, s := range in.App().Status.Resources {
		if s.RequiresPruning && !s.Hook && s.Kind+"/"+s.Name == what {
			return s.Ref(), true
		}
	}
	return evidence.Ref{}, false
}

// unsaidAfter is how long a sync runs before a confirmation that it does not mention is taken for what it waits for.
const unsaidAfter = 2 * time.Minute

// unsaidConfirmation is a running sync that is to delete what needs a confirmation, and does not say that it waits for it.
func unsaidConfirmation(in *diagnose.In) diagnose.Outcome {
	op := in.App().CurrentOperation()
	if !op.Running() || op.Phase == "Terminating" || op.DryRun() || op.Operation.Sync == nil || !op.Operation.Sync.Prune || in.RunningFor() < unsaidAfter ||
		strings.Contains(operationMessage(in), "waiting for") || in.App().DeletionApproved(op.StartedAt) {
		return diagnose.Nothing
	}
	var flagged []evidence.Ref
	for _, s := range in.App().Status.Resources {
		if s.RequiresPruning && s.RequiresDeletionConfirmation && !s.Hook && (len(op.Operation.Sync.Resources) == 0 || slices.Contains(op.Operation.Sync.Resources, s.Ref())) {
			flagged = append(flagged, s.Ref())
		}
	}
	if len(flagged) == 0 {
		return diagnose.Nothing
	}
	managed, known := diagnose.Get(in, evidence.FactManaged)
	if in.Waiting() {
		return diagnose.Unknown
	}
	if known { // the mark is also that of Delete=confirm, for which no sync waits
		asks := map[evidence.Ref]bool{}
		for _, t := range diagnose.Touches(in.App(), managed) {
			asks[t.Ref] = t.Option == askPrune
		}
		flagged = slices.DeleteFunc(flagged, func(ref evidence.Ref) bool { return !asks[ref] })
	}
	if len(flagged) == 0 {
		return diagnose.Nothing
	}
	what := flagged[0].String()
	if more := len(flagged) - 1; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	f := confirmationFinding(in, what)
	f.Confidence = diagnose.Likely
	f.Resource, f.Others = flagged[0], flagged[1:]
	f.Evidence = []diagnose.Quote{{From: "status.resources", Text: flagged[0].String() + ": requiresPruning, requiresDeletionConfirmation"}}
	f.Why += fmt.Sprintf(" It has been running for %s and says nothing else.", text.Age(in.RunningFor()))
	return diagnose.Found(f)
}
