package apply

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var NamespaceMissing = &diagnose.Rule{
	ID:    "apply/namespace-missing",
	Needs: append([]evidence.Kind{evidence.KindProject}, statement.RefusalNeeds...),
	Doc: diagnose.Doc{
		Title:    "Namespace does not exist",
		What:     "The namespace is missing from the cluster, and neither a manifest nor the sync option CreateNamespace creates it. Or Argo CD's access to the cluster is limited to other namespaces.",
		Decisive: "namespaces \"…\" not found; Namespace … is not managed.",
		Example:  "namespaces \"ingress-nginx\" not found",
		Fix:      "Add CreateNamespace=true to the sync options, or create the namespace. A namespace that is not managed has to be added to the cluster's secret.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#create-namespace"},
	},
	Sync: advice.Pointless("nothing can be created in a namespace that does not exist"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := noNamespace.MatchString(f.Cause)
		unmanaged := f.HasAll("namespace", "is not managed")
		if f.Has("can not be managed when in namespaced mode") {
			return namespacedMode(in, f), true
		}
		if !missing && !unmanaged {
			return diagnose.Finding{}, false
		}
		ns := cmp.Or(f.Quoted("namespaces "), f.Quoted("namespace "), statement.Namespace(in, s), "NAMESPACE")
		if unmanaged {
			return unmanagedNamespace(in, f, ns), true
		}
		if leftOut(in, ns) {
			return syncedWithout(in, ns), true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("Namespace/%s does not exist", ns),
			Why:        "The sync applies resources to it.",
		}
		switch app := in.App(); {
		case in.Resource(evidence.Ref{Kind: "Namespace", Name: ns}) != nil:
			own := in.Resource(evidence.Ref{Kind: "Namespace", Name: ns})
			if beforeNamespace(s) && !own.Hook {
				hookBeforeOwn(in, s, own, &out)
			} else {
				ownNamespace(in, ns, &out)
			}
			return out, true
		case ns != "NAMESPACE" && !validNamespace.MatchString(ns): // a command would be refused just the same
			out.Title, out.Short = fmt.Sprintf("%q is no valid name of a namespace", ns), "The name of the namespace is not valid"
			out.Why = fmt.Sprintf("The sync applies resources to namespace %s. No namespace can have this name, only one of lower-case letters, digits and dashes.", ns)
			out.Fix = []diagnose.Fix{{Text: wrongNamespace(in, ns)}}
			if ns == app.Spec.Destination.Namespace {
				out.Title, out.OutsideGit = fmt.Sprintf("destination.namespace %q is no valid name", ns), true
				out.Sync = advice.Pointless("no namespace can have the name in destination.namespace")
			}
			return out, true
		case misspelt(in, ns) != "":
			correctNamespace(in, s, ns, &out)
			return out, true
		case ns != app.Spec.Destination.Namespace:
			out.Why += " No manifest of this application creates it."
			if to := app.Spec.Destination.Namespace; to != "" && app.HasSyncOption("CreateNamespace=true") {
				out.Why += fmt.Sprintf(" The sync option CreateNamespace creates only the destination namespace, %s.", to)
			}
			out.Fix = []diagnose.Fix{{Text: "If something else brings the namespace, such as an add-on or another application, install that first; if these resources should not go there, correct or leave out metadata.namespace in Git"}}
		case !app.HasSyncOption("CreateNamespace=true"):
			out.Why += " The application does not set CreateNamespace=true, so Argo CD does not create it."
			step := "Let Argo CD create it: set the sync option in "
			if m, ok := app.Misspells("CreateNamespace=true"); ok {
				out.Why = fmt.Sprintf("The sync applies resources to it. The application has the sync option CreateNamespace=true %s, and Argo CD ignores what is not exactly that.", m.How())
				step = "Let Argo CD create it: correct the sync option in "
			}
			if app.HasSyncOption("CreateNamespace=false") {
				out.Why = "The sync applies resources to it. The application sets CreateNamespace=false, so Argo CD does not create it."
			}
			out.Fix = []diagnose.Fix{{Text: step + advice.Manifest(in), Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - CreateNamespace=true\n"}}
		case !withOption(app.CurrentOperation(), "CreateNamespace=true"):
			out.Why += " The application sets CreateNamespace=true, but the failed sync ran without that option."
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it creates the namespace first"}
			out.Fix = []diagnose.Fix{advice.Sync(in, "Sync with the options of the application")}
		case beforeNamespace(s):
			beforeItsNamespace(s, ns, &out)
			return out, true
		default:
			out.Why += " The application sets CreateNamespace=true, so the namespace was deleted during the sync, or the sync ran without that option."
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates the namespace if it runs with that option, but something may delete it again"}
			out.Fix = []diagnose.Fix{{Text: "Check whether it exists now, and whether something deletes it", Command: diagnose.Shell("kubectl get events -n %s", ns)}}
		}
		project, known := diagnose.Look(in, evidence.FactProject)
		if known && project != nil && !project.AllowsClusterKind(evidence.GroupKind{Kind: "Namespace"}) {
			out.Why += fmt.Sprintf(" Its project %s allows no Namespace, so neither this option nor a manifest could create it.", advice.Project(in))
			out.OutsideGit = true
			out.Fix = []diagnose.Fix{
				{Text: "Create it outside this application: where the team that owns the project keeps its namespaces, or manually", Command: diagnose.Shell("kubectl create namespace %s", ns)},
			}
			return out, true
		}
		step := "Add a Namespace manifest in an earlier sync wave; as a stopgap, create the namespace manually"
		if advice.Chart(in) != "" || beforeNamespace(s) {
			step = "As a stopgap, create the namespace manually"
		} else if len(out.Fix) > 0 {
			step = "Or " + text.LowerFirst(step)
		}
		out.Fix = append(out.Fix, diagnose.Fix{Text: step, Command: diagnose.Shell("kubectl create namespace %s", ns)})
		return out, true
	}),
}

// validNamespace is what a namespace can be called.
var validNamespace = pattern.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// wrongNamespace is the step for a namespace that cannot exist.
func wrongNamespace(in *diagnose.In, ns string) string {
	if ns == in.App().Spec.Destination.Namespace {
		return "Set destination.namespace to the name of a namespace, in " + advice.Manifest(in)
	}
	return "Correct or leave out metadata.namespace of these resources in Git, then push"
}

// ownNamespace completes the finding about a namespace that the application itself has.
func ownNamespace(in *diagnose.In, ns string, out *diagnose.Finding) {
	out.Why = fmt.Sprintf("The sync applies resources to it. The application has Namespace/%s itself, but it was not there yet when they were applied.", ns)
	out.Fix = []diagnose.Fix{
		{Text: "Put the Namespace in an earlier sync wave than what belongs in it, in Git, then push", Patch: fmt.Sprintf("# on Namespace/%s\n", ns) + waveAnnotation(firstIn(in, ns)-1)},
		{Text: "Check whether it exists now", Command: diagnose.Shell("kubectl get namespace %s", ns)},
	}
}

// leftOut reports whether the application has a manifest of the namespace and the sync was one of other resources only.
func leftOut(in *diagnose.In, ns string) bool {
	op := in.App().CurrentOperation()
	if op == nil || op.Operation.Sync == nil || len(op.Operation.Sync.Resources) == 0 {
		return false
	}
	own := statement.OwnResource(in, "namespace", ns)
	return own != nil && !slices.ContainsFunc(op.Operation.Sync.Resources, func(r evidence.Ref) bool { return r.Same(own.Ref()) })
}

// syncedWithout is the finding about a sync of selected resources that leaves out their namespace. A retry repeats the selection.
func syncedWithout(in *diagnose.In, ns string) diagnose.Finding {
	op := in.App().CurrentOperation()
	selected := "The sync was of selected resources"
	if op.Operation.ByAutoSync() {
		selected = "Self-heal synced only the resources that were out of sync when it began"
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("Namespace/%s does not exist, and the sync left it out", ns),
		Brief:      fmt.Sprintf("Namespace/%s does not exist", ns),
		Why:        selected + ". Namespace/" + ns + " has a manifest in the application, but was not among them; retries repeat the same selection.",
		Sync:       diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "a sync of the whole application creates the namespace first"},
		Fix:        []diagnose.Fix{advice.Sync(in, "Sync the whole application, which creates the namespace before what is in it")},
	}
}

// withOption reports whether an operation ran with a sync option; one that names none may have had any.
func withOption(op *evidence.OperationState, option string) bool {
	return op == nil || op.Operation.Sync == nil || len(op.Operation.Sync.SyncOptions) == 0 || slices.Contains(op.Operation.Sync.SyncOptions, option)
}

// namespacedMode is the finding about a resource without a namespace where Argo CD is restricted to namespaces.
func namespacedMode(in *diagnose.In, f *message.Failure) diagnose.Finding {
	name := "A cluster-scoped resource"
	if m := clusterLevel.FindStringSubmatch(f.Text); m != nil {
		name = m[1] + "/" + m[2]
	}
	return diagnose.Finding{
		Confidence: diagnose.Certain, Sync: advice.Pointless("Argo CD's access to the cluster does not include cluster-scoped resources"),
		Title: name + " is cluster-scoped, which Argo CD cannot manage here",
		Why:   "Argo CD's connection to this cluster is limited to a list of namespaces.",
		Fix: []diagnose.Fix{
			{Text: "Remove it from the application in Git, and have it deployed by someone with access to the whole cluster"},
			advice.SeeConnection(in, "Or set clusterResources: \"true\" in the cluster's secret and grant Argo CD access to it; this shows the connection"),
		},
	}
}

// clusterLevel is the resource in Argo CD's words.
var clusterLevel = pattern.MustCompile(`Cluster level (\S+) "([^"]+)"`)

// unmanagedNamespace is the finding about a namespace that Argo CD's connection to the cluster leaves out.
func unmanagedNamespace(in *diagnose.In, f *message.Failure, ns string) diagnose.Finding {
	to := in.App().Spec.Destination
	out := diagnose.Finding{
		Confidence: diagnose.Certain, Sync: advice.Pointless("Argo CD's access to the cluster does not include this namespace"),
		Title: fmt.Sprintf("Namespace/%s is not managed by Argo CD", ns),
		Why:   "Argo CD's connection to this cluster is limited to a list of namespaces, and this one is not on it.",
		Fix: []diagnose.Fix{
			{Text: "Add the namespace to the list in the cluster's secret (key namespaces), and grant Argo CD access to it; this shows the list", Command: diagnose.Shell("argocd cluster get %s", cmp.Or(to.Server, to.Name, "SERVER"))},
		},
	}
	if m := goesTo.FindStringSubmatch(f.Text); m != nil {
		out.Why = fmt.Sprintf("%s/%s goes to it. ", m[1], m[2]) + out.Why
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If it should not go there, correct its metadata.namespace in Git, then push"})
	}
	return out
}

// goesTo is the resource in Argo CD's words: `namespace "a" for Deployment "web" is not managed`.
var goesTo = pattern.MustCompile(`for ([A-Z][A-Za-z]+) "([^"]+)" is not managed`)

// noNamespace: `namespaces "x" not found`, `namespace x does not exist`; not `secret "a" in namespace "x" not found`.
var noNamespace = pattern.MustCompile(`(?i)(?:^|[^n] |: )namespaces? (?:["'][^"']+["']|[a-z0-9._\-]+) (?:not found|does not exist)`)
