package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Deleting = &diagnose.Rule{
	ID:          "health/deleting",
	Needs:       needs,
	ExplainedBy: diagnose.SymptomOf(NamespaceTerminating),
	Doc: diagnose.Doc{
		Title:    "Deletion does not finish",
		What:     "The application, or one of its resources, is marked for deletion but still exists: a finalizer waits for a controller. The application's own finalizer waits until Argo CD has deleted all of its resources.",
		Decisive: "metadata.deletionTimestamp (for more than ten minutes, or with a DeletionError, it is stuck), and the finalizers; \"Pending deletion\" of a resource.",
		Example:  "DeletionError: namespaces \"shop\" …: The system is ensuring all content is removed from this namespace.",
		Fix:      "Find the resource that is not deleted and its finalizer; remove a finalizer manually only when nothing is left to clean up.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/app_deletion/"},
	},
	Sync:       advice.Pointless("the resource has to be gone first"),
	Recognises: about{{status: pendingDeletion}, {pod: pods.Leaving}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if in.App().Metadata.DeletionTimestamp.IsZero() {
			return reporting(resourceStays)(in)
		}
		p := look(in)
		if p == nil { // nobody asked, and it is not overdue
			p = unhealthy.List(in, nil)
		}
		return diagnose.Found(applicationStays(in, p))
	},
}

// applicationStays is the finding about an application that is marked for deletion and still exists.
func applicationStays(in *diagnose.In, p *unhealthy.Picture) diagnose.Finding {
	app := in.App()
	since := in.Since(app.Metadata.DeletionTimestamp)
	self := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: app.Metadata.Namespace, Name: app.Metadata.Name}
	f := diagnose.Finding{
		Resource: self, Confidence: diagnose.Certain, Overrules: true, Sync: advice.Blocked("the application is being deleted"),
		Title:    fmt.Sprintf("Deletion has not finished after %s", text.Age(since)),
		Why:      fmt.Sprintf("The application was marked for deletion at %s.", text.Timestamp(app.Metadata.DeletionTimestamp.Time)),
		Evidence: []diagnose.Quote{{From: self.String(), Text: fmt.Sprintf("deletionTimestamp %s, finalizers %s", app.Metadata.DeletionTimestamp.UTC().Format(time.RFC3339), cmp.Or(strings.Join(app.Metadata.Finalizers, ", "), "none"))}},
		Fix:      []diagnose.Fix{{Text: "Show the application's conditions and events", Command: diagnose.Shell("kubectl -n %s describe application %s", cmp.Or(app.Metadata.Namespace, advice.ArgoNamespace(in)), app.Metadata.Name)}},
	}
	for _, finalizer := range app.Metadata.Finalizers {
		f.Why += " " + finalizerMeans(finalizer)
	}
	left := leftOf(p)
	first := stuckResource(p)
	if len(app.Metadata.Finalizers) == 0 {
		return heldByNothing(in, f)
	}
	switch {
	case first != nil:
		f.Title = fmt.Sprintf("Deletion is stuck on %s", first.Ref)
		f.Why += fmt.Sprintf(" %s is also marked for deletion but still exists%s.", first.Ref, finalizerClause(first.Object))
		f.Evidence = append(f.Evidence, diagnose.Quote{From: first.Ref.String(), Text: first.Text + finalizerClause(first.Object)})
		f.Says = deletionError(first)
		f.Fix = append(unblockSteps(first.Ref, first.Object), f.Fix...)
	case len(unconfirmed(app)) > 0:
		return awaitsConfirmation(in, f, unconfirmed(app))
	case len(left) > 0:
		f.Why += fmt.Sprintf(" %s left: %s.", text.Count(len(left), "resource is", "resources are"), advice.Names(left))
	}
	if unhealthy.TakesItsTime(in) {
		f.Role, f.Kind, f.Title = diagnose.RoleNote, diagnose.KindUnfinished, "Being deleted"
		if first != nil {
			f.Title += ", waiting for " + first.Ref.String()
		}
	} else {
		if first == nil && len(left) > 0 {
			f.Fix = append([]diagnose.Fix{{Text: fmt.Sprintf("Check whether %s is being deleted, and which finalizer blocks it", left[0]), Command: advice.SeeFinalizer(left[0]).Command}}, f.Fix...)
		}
		f.Fix = append(f.Fix, lastResort(in, app))
	}
	for _, s := range p.Resources {
		if s.Leaving() && s != first {
			f.Others = append(f.Others, s.Ref)
		}
	}
	all := in.Statements()
	for i := range all {
		if all[i].Condition == "DeletionError" || all[i].Refusal && all[i].Failure.Has("being deleted") {
			if all[i].Condition == "DeletionError" {
				f.Says = says("Argo CD says", all[i].Failure.Line(2*message.MaxClause))
			}
			f = f.On(&all[i])
			break
		}
	}
	return f
}

// heldByNothing is the finding about an application that is marked for deletion and has no finalizer: nothing waits, so that there is none to
// remove. What was read is then older than the end of the deletion, or leaves the finalizers out.
func heldByNothing(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	app := in.App()
	f.Confidence = diagnose.Likely
	f.Title = "Marked for deletion, and no finalizer keeps it"
	f.Why += " Kubernetes removes an object without finalizers at once, so it is probably gone, or what was read leaves them out. Without Argo CD's finalizer its resources stay in the cluster."
	if health := app.Status.Health.Status; health != "" && health != "Healthy" {
		f.Why += fmt.Sprintf(" That it was %s is its last state, which is no longer updated.", health)
	}
	f.Fix = []diagnose.Fix{{
		Text:    "Check whether it still exists, and what keeps it",
		Command: diagnose.Shell("kubectl -n %s get applications.argoproj.io %s -o yaml", cmp.Or(app.Metadata.Namespace, advice.ArgoNamespace(in)), app.Metadata.Name),
	}}
	if unhealthy.TakesItsTime(in) {
		f.Role, f.Kind, f.Title = diagnose.RoleNote, diagnose.KindUnfinished, "Being deleted"
	}
	return f
}

// unconfirmed are the resources that Argo CD deletes with the application only after someone has confirmed it.
func unconfirmed(app *evidence.Application) []evidence.Ref {
	cascades := slices.ContainsFunc(app.Metadata.Finalizers, func(f string) bool { return strings.HasPrefix(f, "resources-finalizer.argocd") })
	if !cascades || app.DeletionApproved(app.Metadata.DeletionTimestamp) {
		return nil
	}
	var out []evidence.Ref
	for _, r := range app.Status.Resources {
		if r.RequiresDeletionConfirmation && !r.Hook {
			out = append(out, r.Ref())
		}
	}
	return out
}

// awaitsConfirmation is the finding about a deletion that waits for a person: nothing is stuck, and no finalizer is to be removed.
func awaitsConfirmation(in *diagnose.In, f diagnose.Finding, refs []evidence.Ref) diagnose.Finding {
	f.Title, f.Others = "Deletion needs confirmation", refs
	needs := "needs"
	if len(refs) > 1 {
		needs = "need"
	}
	f.Why += fmt.Sprintf(" %s %s a confirmation (sync option Delete=confirm or Prune=confirm), and nobody has given one since.", advice.Names(refs), needs)
	f.Fix = append([]diagnose.Fix{{
		Text:    "If all resources of the application can be deleted, confirm that",
		Command: diagnose.Shell("argocd app confirm-deletion %s", advice.AppName(in)),
	}}, f.Fix...)
	return f
}

// lastResort is the step that ends the deletion whatever it waits for.
func lastResort(in *diagnose.In, app *evidence.Application) diagnose.Fix {
	what := "what they wait for is not cleaned up"
	if slices.ContainsFunc(app.Metadata.Finalizers, func(f string) bool { return strings.HasPrefix(f, "resources-finalizer.argocd") }) {
		what = "its remaining resources stay in the cluster unmanaged"
	}
	return diagnose.Fix{
		Text:    "As a last resort, remove the application's finalizers: it is then gone, but " + what,
		Command: diagnose.Shell(`kubectl -n %s patch application %s --type merge -p '{"metadata":{"finalizers":null}}'`, cmp.Or(app.Metadata.Namespace, advice.ArgoNamespace(in)), app.Metadata.Name),
	}
}

// leftOf are the resources that are not deleted yet.
func leftOf(p *unhealthy.Picture) []evidence.Ref {
	var out []evidence.Ref
	for _, s := range p.Resources {
		if s.Status != "Missing" {
			out = append(out, s.Ref)
		}
	}
	return out
}

// stuckResource is the worst of the resources marked for deletion, nil where none is.
func stuckResource(p *unhealthy.Picture) *unhealthy.Resource {
	if len(p.Resources) > 0 && p.Resources[0].Leaving() {
		return p.Resources[0]
	}
	return nil
}

// finalizerMeans says who waits for what.
func finalizerMeans(name string) string {
	switch {
	case strings.HasPrefix(name, "resources-finalizer.argocd.argoproj.io"):
		return "Its finalizer " + name + " waits until Argo CD has deleted all of its resources."
	case strings.HasPrefix(name, "post-delete-finalizer.argocd.argoproj.io"), strings.HasPrefix(name, "pre-delete-finalizer.argocd.argoproj.io"):
		return "Its finalizer " + name + " waits until the delete hooks have run."
	case strings.HasPrefix(name, "foregroundDeletion"):
		return "It waits for everything it owns to be deleted (foregroundDeletion)."
	}
	return "Its finalizer " + name + " belongs to another controller, which has to remove it."
}

// deletionError is what the controller of a resource says that it cannot delete, if it says so.
func deletionError(s *unhealthy.Resource) diagnose.Said {
	if e := pods.LastWarning(s.Events); e != nil {
		return says("Its last warning says", e.Message)
	}
	if c, complains := unhealthy.ComplaintOf(s.Object); complains && c.Firm && c.Text != "" {
		return says("Its status says", c.Text)
	}
	return diagnose.Said{}
}

// resourceStays is the finding about a resource that is marked for deletion while the application is not.
func resourceStays(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
	since := in.Since(s.Object.Time("metadata", "deletionTimestamp"))
	if since == 0 {
		since = s.Since
	}
	if since < unhealthy.SettleThreshold {
		return diagnose.Finding{}, false
	}
	ref := s.Ref
	if s.Pod != nil {
		ref = s.Pod.Ref()
	}
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object != nil),
		Title:      fmt.Sprintf("%s is stuck deleting", ref),
		Why:        fmt.Sprintf("It was marked for deletion %s ago but still exists%s.", text.Age(since), finalizerClause(s.Object)),
		Fix:        unblockSteps(ref, s.Object),
		Sync:       advice.Pointless(fmt.Sprintf("%s is already marked for deletion and has to be gone first", ref)),
	}
	if r := in.Resource(s.Ref); r == nil || !r.RequiresPruning {
		f.Why += " It cannot be recreated until it is gone."
	}
	if s.Pod == nil {
		f.Says = deletionError(s)
	}
	if s.Pod != nil {
		if e := pods.LastWarning(s.Events); e != nil {
			f.Says = says("Its last warning says", e.Message)
		}
		f.Sync = advice.Pointless("the cluster already matches Git; the old pod has to be gone first")
		if node := s.Object.Text("spec", "nodeName"); node != "" && len(s.Object.List("metadata", "finalizers")) == 0 {
			f.Why += fmt.Sprintf(" It has no finalizer: the kubelet on node %s has not confirmed that it stopped.", node)
			if isDown(nodeObject(in, node)) {
				f.Why += " That node is not ready."
			}
			f.Fix = []diagnose.Fix{
				{Text: "Check whether the node is ready; fix or remove it", Command: diagnose.Shell("kubectl get node %s", node)},
				{Text: "Only if the node is certainly gone, force-delete the pod; otherwise a stateful pod may run twice", Command: diagnose.Shell("kubectl %sdelete %s --force --grace-period=0", advice.InNamespace(ref), ref.Resource())},
			}
		}
	}
	return f, true
}
