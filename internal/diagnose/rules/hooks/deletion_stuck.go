package hooks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var DeletionStuck = &diagnose.Rule{
	ID:      "hook/deletion-stuck",
	Needs:   []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents},
	Outside: hookKinds,
	Doc: diagnose.Doc{
		Title:    "Old hook is stuck in deletion",
		What:     "Argo CD deletes the old hook before it creates the new one, and waits until the deletion is complete. Usually a finalizer blocks it, so the sync waits forever.",
		Decisive: "Argo CD says that it failed to remove its finalizer from the hook; or the operation's message is \"waiting for deletion of …\" about a hook; or it is \"one or more tasks are running\" for minutes, and a hook is marked for deletion.",
		Example:  "waiting for deletion of hook /Secret/airflow-fernet-key",
		Fix:      "Find the controller that owns the finalizer. Remove the finalizer only if that controller is gone.",
		Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"},
	},
	Sync: advice.Blocked("the running sync is waiting for the deletion"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		if out, ok := unremovable(in); ok {
			return out
		}
		if !in.App().Status.OperationState.Running() {
			return diagnose.Nothing
		}
		s := operationStatement(in)
		if s == nil {
			return diagnose.Nothing
		}
		tree, _ := diagnose.Get(in, evidence.FactTree)
		ref, ok := hookBeingDeleted(in, s, tree)
		if !ok {
			if in.Waiting() {
				return diagnose.Unknown
			}
			return diagnose.Nothing
		}
		q := evidence.ObjectQuery{Ref: ref}
		if n := tree.Find(ref); n != nil {
			q.UID = n.UID
		}
		object, _ := diagnose.Get(in, evidence.FactObject(q))
		f := stuckInDeletion(in, ref, object)
		if refusal, ok := refusedRemoval(in, ref); ok && slices.Contains(finalizersOf(object), ownFinalizer) {
			f = refusal.explain(f, finalizersOf(object))
		}
		return diagnose.Found(f.On(s))
	},
}

// operationStatement is what the operation says of itself.
func operationStatement(in *diagnose.In) *diagnose.Statement {
	all := in.Statements()
	for i := range all {
		if all[i].From == "operation" {
			return &all[i]
		}
	}
	return nil
}

// deletionTakes is how long a hook may take to go before something must be holding it.
const deletionTakes = 2 * time.Minute

// hookBeingDeleted is the hook whose deletion the operation waits for. Argo CD names only one that it deletes after it ran; of one
// that it deletes before it runs, it only says that tasks are running.
func hookBeingDeleted(in *diagnose.In, s *diagnose.Statement, tree *evidence.Tree) (evidence.Ref, bool) {
	said := strings.Replace(s.Failure.Text, "deletion of hook ", "deletion of ", 1)
	if ref, ok := statement.WaitedFor(said, "deletion of "); ok {
		for _, r := range in.App().Status.OperationState.Results() {
			if r.Ref().Same(ref) {
				return inNamespace(in, r.Ref()), r.IsHook() // else it is pruned
			}
		}
		if r := in.Resource(ref); r != nil {
			return inNamespace(in, r.Ref()), r.Hook
		}
		return inNamespace(in, ref), true
	}
	if !strings.Contains(said, "tasks are running") || in.RunningFor() < deletionTakes {
		return evidence.Ref{}, false
	}
	for _, r := range in.App().Status.Resources {
		if n := tree.Find(r.Ref()); r.Hook && n != nil && n.Health != nil && n.Health.Message == "Pending deletion" {
			return n.Ref(), true
		}
	}
	return evidence.Ref{}, false
}

func inNamespace(in *diagnose.In, ref evidence.Ref) evidence.Ref {
	if ref.Namespace == "" {
		ref.Namespace = in.App().Spec.Destination.Namespace
	}
	return ref
}

// ownFinalizer is the one that Argo CD 3 sets on hooks, so that none is gone before it has seen how it ended.
const ownFinalizer = "argocd.argoproj.io/hook-finalizer"

func stuckInDeletion(in *diagnose.In, ref evidence.Ref, object evidence.Object) diagnose.Finding {
	_, offer := advice.Terminate(in, "the sync is waiting for a deletion that does not finish")
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("Old hook %s is stuck in deletion", ref),
		Offers:     []diagnose.Action{offer},
		OutsideGit: true,
	}
	since := text.Age(in.RunningFor())
	held := finalizersOf(object)
	switch {
	case object != nil && len(held) == 0 && object.Text("metadata", "deletionTimestamp") == "":
		f.Title = fmt.Sprintf("Old hook %s is not deleted", ref)
		f.Why = fmt.Sprintf("Argo CD waits until it is gone, for %s now, but nobody has asked Kubernetes to delete it. Usually something else than this application's sync created it, such as helm install, so that Argo CD leaves it alone.", since)
		f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Delete %s, if nothing else uses it", ref), Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(ref), ref.Resource())}}
	case len(held) == 0:
		f.Why = fmt.Sprintf("Argo CD waits until it is gone; the sync has been running for %s. A finalizer usually causes this.", since)
		f.Fix = []diagnose.Fix{advice.SeeFinalizer(ref), withoutFinalizers(ref, nil, "Restore the controller that owns the finalizer. Remove the finalizers manually only if that controller is gone for good")}
	case slices.Contains(held, ownFinalizer) && len(held) == 1:
		f.Why = fmt.Sprintf("Argo CD's own finalizer %s holds it. Argo CD removes it once it has seen the hook end, and has not done so for %s.", ownFinalizer, since)
		f.Fix = []diagnose.Fix{withoutFinalizers(ref, nil, "Remove it. It only keeps the hook until Argo CD has seen its result")}
	default:
		others := slices.DeleteFunc(slices.Clone(held), func(s string) bool { return s == ownFinalizer })
		holds := "Finalizer %s holds it"
		if len(others) > 1 {
			holds = "Finalizers %s hold it"
		}
		f.Why = fmt.Sprintf(holds+"; the sync has been running for %s.", text.List(others, 3), since)
		f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Restore the controller that owns %s: it has to finish its clean-up", text.List(others, 3))}}
		if slices.Contains(others, "foregroundDeletion") && len(others) == 1 {
			f.Why = fmt.Sprintf("It is deleted in the foreground, so it stays until its pods are gone; the sync has been running for %s.", since)
			f.Fix = []diagnose.Fix{{Text: "Check which of its pods are left, and on which node", Command: diagnose.Shell("kubectl %sget pods -o wide%s", advice.InNamespace(ref), podsOf(ref))}}
		} else if step, known := advice.BehindFinalizer(ref, others[0]); known && len(others) == 1 {
			f.Fix = []diagnose.Fix{step}
		} else if slices.Contains(others, "orphan") && len(others) == 1 {
			f.Why = fmt.Sprintf("It was deleted with --cascade=orphan, and Kubernetes' own garbage collector has not let go of it (finalizer orphan); the sync has been running for %s.", since)
			f.Fix = []diagnose.Fix{
				{Text: "Check that the garbage collector works: its controller manager, and API services that do not answer, stop it", Command: "kubectl get apiservices"},
				withoutFinalizers(ref, slices.DeleteFunc(slices.Clone(held), func(s string) bool { return s == "orphan" }), "Or remove that finalizer: then its pods stay without an owner"),
			}
		} else {
			f.Fix = append(f.Fix, withoutFinalizers(ref, slices.DeleteFunc(slices.Clone(held), func(s string) bool { return slices.Contains(others, s) }), "Only if that controller is gone for good: remove its finalizer. Its clean-up will not run"))
		}
	}
	for _, name := range held {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: "metadata.finalizers of " + ref.String(), Text: name})
	}
	if more := moreHooks(in); more != "" {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("It also waits for the deletion of %s, which Argo CD does not name.", more))
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Find the others: the old objects that carry a hook annotation. The same step helps with each", Command: hooksOf(ref)})
		f.Why = text.Paragraph(f.Why, "The running sync continues when all are gone.")
		return f
	}
	f.Why = text.Paragraph(f.Why, "The running sync continues when it is gone.")
	return f
}

// others is how many hooks more the operation's message counts.
var others = pattern.MustCompile(`waiting for deletion of .* and (\d+) more hooks?`)

func moreHooks(in *diagnose.In) string {
	m := others.FindStringSubmatch(in.App().Status.OperationState.Message)
	if m == nil {
		return ""
	}
	if m[1] == "1" {
		return "1 more hook"
	}
	return m[1] + " more hooks"
}

// hooksOf lists the objects of the kinds that charts make hooks.
func hooksOf(ref evidence.Ref) string {
	return diagnose.Shell("kubectl %sget jobs,serviceaccounts,roles,rolebindings,configmaps,secrets -o json", advice.InNamespace(ref)) +
		` | jq -r '.items[] | select((.metadata.annotations // {}) | has("helm.sh/hook") or has("argocd.argoproj.io/hook")) | .kind + "/" + .metadata.name'`
}

// podsOf is the flag that selects the pods of a Job.
func podsOf(ref evidence.Ref) diagnose.Raw {
	if ref.Kind != "Job" {
		return ""
	}
	return diagnose.Raw(diagnose.Shell(" -l job-name=%s", ref.Name))
}

func finalizersOf(o evidence.Object) []string {
	list, _ := o.At("metadata", "finalizers").([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// withoutFinalizers is the step that leaves an object only some of its finalizers.
func withoutFinalizers(ref evidence.Ref, keep []string, said string) diagnose.Fix {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": keep}})
	if err != nil {
		return diagnose.Fix{Text: said}
	}
	return diagnose.Fix{Text: said, Command: diagnose.Shell("kubectl %spatch %s --type merge -p %s", advice.InNamespace(ref), ref.Resource(), string(patch))}
}
