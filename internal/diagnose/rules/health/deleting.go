package health

import (
	"cmp"
	"fmt"
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
		Title:    "A deletion does not end",
		What:     "The application, or one of its resources, is marked for deletion and stays: a finalizer waits for a controller. The application's own finalizer waits until Argo CD has deleted every resource of it.",
		Decisive: "deletionTimestamp of more than ten minutes ago (or a DeletionError), and the finalizers; \"Pending deletion\" of a resource.",
		Example:  "DeletionError: namespaces \"shop\" …: The system is ensuring all content is removed from this namespace.",
		Fix:      "Find the resource that stays and what holds it; remove a finalizer by hand only when nothing is left to clean up.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/app_deletion/"},
	},
	Sync:       advice.Blocked("it is being deleted"),
	Recognises: about{{status: pendingDeletion}, {pod: pods.Leaving}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		p := look(in)
		if p == nil || !p.Deleting {
			return reporting(resourceStays)(in)
		}
		return applicationStays(in, p)
	},
}

// applicationStays is the finding about an application that is marked for deletion and is not gone.
func applicationStays(in *diagnose.In, p *unhealthy.Picture) diagnose.Outcome {
	app := in.App()
	since := in.Since(app.Metadata.DeletionTimestamp)
	self := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: app.Metadata.Namespace, Name: app.Metadata.Name}
	f := diagnose.Finding{
		Resource: self, Confidence: diagnose.Certain,
		Title:    fmt.Sprintf("the application has been marked for deletion for %s and is still there", text.Age(since)),
		Why:      fmt.Sprintf("%s has been marked for deletion since %s.", self, text.Timestamp(app.Metadata.DeletionTimestamp.Time)),
		Evidence: []diagnose.Quote{{From: self.String(), Text: fmt.Sprintf("deletionTimestamp %s, finalizers %s", app.Metadata.DeletionTimestamp.UTC().Format(time.RFC3339), cmp.Or(strings.Join(app.Metadata.Finalizers, ", "), "none"))}},
		Fix:      []diagnose.Fix{{Text: "See what the controller says about it", Command: diagnose.Shell("kubectl -n %s describe application %s", cmp.Or(app.Metadata.Namespace, advice.ArgoNamespace(in)), app.Metadata.Name)}},
	}
	for _, finalizer := range app.Metadata.Finalizers {
		f.Why += " " + finalizerMeans(finalizer)
	}
	var left []evidence.Ref
	for _, s := range p.Resources {
		if s.Leaving() && s != p.Resources[0] {
			left = append(left, s.Ref)
		}
	}
	if first := stuckResource(p); first != nil {
		f.Title += fmt.Sprintf(": %s does not go", first.Ref)
		f.Why += fmt.Sprintf(" %s is marked for deletion and stays%s.", first.Ref, finalizerClause(first.Object))
		f.Evidence = append(f.Evidence, diagnose.Quote{From: first.Ref.String(), Text: first.Text + finalizerClause(first.Object)})
		f.Fix = append([]diagnose.Fix{advice.SeeFinalizer(first.Ref)}, f.Fix...)
	} else if n := len(p.Resources); n > 0 {
		f.Why += fmt.Sprintf(" %s of it is left: %s.", text.Count(n, "resource", "resources"), advice.Names(resourceRefs(p)))
		f.Fix = append(f.Fix, diagnose.Fix{Text: "See what holds one of them", Command: advice.SeeFinalizer(p.Resources[0].Ref).Command})
	}
	f.Others = left
	f.Fix = append(f.Fix, diagnose.Fix{Text: "Repair what holds it. To give up instead: without its finalizer the application goes and its resources stay, without anybody to own them"})
	all := in.Statements()
	for i := range all {
		if all[i].Condition == "DeletionError" || all[i].Refusal && all[i].Failure.Has("being deleted") {
			if all[i].Condition == "DeletionError" {
				f.Why += " Argo CD cannot delete it: " + text.Sentence(all[i].Failure.Line(2*message.MaxClause))
			}
			f = f.On(&all[i])
			break
		}
	}
	return diagnose.Found(f)
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
		return "Its finalizer " + name + " stays until Argo CD has deleted all of its resources."
	case strings.HasPrefix(name, "post-delete-finalizer.argocd.argoproj.io"), strings.HasPrefix(name, "pre-delete-finalizer.argocd.argoproj.io"):
		return "Its finalizer " + name + " stays until the delete hooks have run."
	case strings.HasPrefix(name, "foregroundDeletion"):
		return "It waits for everything it owns to be deleted (foregroundDeletion)."
	}
	return "Its finalizer " + name + " is not Argo CD's: another controller has to remove it."
}

func finalizerClause(o evidence.Object) string {
	list, _ := o.At("metadata", "finalizers").([]any)
	var names []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			names = append(names, s)
		}
	}
	return message.After(": held by finalizer ", strings.Join(names, ", "))
}

// resourceRefs are the resources of the picture.
func resourceRefs(p *unhealthy.Picture) []evidence.Ref {
	var out []evidence.Ref
	for _, s := range p.Resources {
		out = append(out, s.Ref)
	}
	return out
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
	ref, held := s.Ref, finalizerClause(s.Object)
	if s.Pod != nil {
		ref = s.Pod.Ref()
		if e := pods.LastWarning(s.Events); e != nil {
			held += message.After(": ", text.Clip(text.OneLine(e.Message), message.MaxClause))
		}
	}
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object != nil),
		Title:      fmt.Sprintf("%s has been marked for deletion for %s and is still there%s", ref, text.Age(since), held),
		Why:        fmt.Sprintf("%s is marked for deletion and stays%s. While it is there it can be neither changed nor created anew.", ref, held),
		Fix:        []diagnose.Fix{advice.SeeFinalizer(ref), {Text: "Repair the controller that set the finalizer, or remove the finalizer once nothing is left that it should clean up"}},
	}
	if s.Pod != nil {
		f.Sync = advice.Pointless("what Git wants is applied; the pod has to go first")
		if node := s.Object.Text("spec", "nodeName"); node != "" && len(s.Object.List("metadata", "finalizers")) == 0 {
			f.Why += fmt.Sprintf(" Nothing holds it by a finalizer: the kubelet of node %s has not confirmed that it stopped.", node)
			f.Fix = []diagnose.Fix{
				{Text: "See whether the node is ready, and repair or remove it", Command: diagnose.Shell("kubectl get node %s", node)},
				{Text: "Only if the node is gone for certain, delete the pod by force; a stateful one may otherwise run twice", Command: diagnose.Shell("kubectl %sdelete %s --force --grace-period=0", advice.InNamespace(ref), ref.Resource())},
			}
		}
	}
	return f, true
}
