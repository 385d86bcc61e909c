package health

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// behindFinalizers are the steps for finalizers of which it is known who removes them, and when.
var behindFinalizers = []struct {
	finalizer string
	step      func(evidence.Ref) diagnose.Fix
}{
	{"kubernetes.io/pvc-protection", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Delete the pods that still use the claim (listed under Used By)", Command: describe(ref)}
	}},
	{"kubernetes.io/pv-protection", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "It goes once no claim is bound to it. Look which one is; deleting that may lose its data", Command: diagnose.Shell("kubectl get pv %s", ref.Name)}
	}},
	{"customresourcecleanup.apiextensions.k8s.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Find out which of its objects is not deleted, and which finalizer blocks that one", Command: diagnose.Shell("kubectl get %s -A", ref.Name)}
	}},
	{"service.kubernetes.io/load-balancer-cleanup", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "The cloud's controller has to delete the load balancer first. Its events say what it cannot do", Command: describe(ref)}
	}},
	{"k8s.aws/resources", func(evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "The AWS Load Balancer Controller has to delete the load balancer first: check that it runs, and read its log", Command: "kubectl get pods -A -l app.kubernetes.io/name=aws-load-balancer-controller"}
	}},
	{"crossplane.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Its provider has to delete the external resource first. Its condition Synced says what it cannot do", Command: describe(ref)}
	}},
	{"resources-finalizer.argocd.argoproj.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Argo CD first deletes what that application deployed. Check what is left of it", Command: diagnose.Shell("bot why %s", ref.Name)}
	}},
	{"foregroundDeletion", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Everything that it owns has to be deleted first. Look for what is left", Command: diagnose.Shell("kubectl %sget all", advice.InNamespace(ref))}
	}},
}

func describe(ref evidence.Ref) string {
	return diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())
}

// unblockSteps are the steps that let the deletion of a resource finish. The finalizers of Kubernetes itself go when what they
// wait for is gone; behind any other one is a controller.
func unblockSteps(ref evidence.Ref, o evidence.Object) []diagnose.Fix {
	names := finalizersOf(o)
	if len(names) == 0 && ref.Kind == "Application" && ref.Group == "argoproj.io" { // nothing else holds one
		names = []string{"resources-finalizer.argocd.argoproj.io"}
	}
	if len(names) == 1 {
		for _, known := range behindFinalizers {
			if strings.Contains(names[0], known.finalizer) {
				return []diagnose.Fix{known.step(ref)}
			}
		}
	}
	show := advice.SeeFinalizer(ref)
	fix := diagnose.Fix{Text: "Check that the controller behind the finalizer still runs: it may have been deleted first. Remove the finalizer manually only when it has nothing left to clean up"}
	if len(names) > 0 {
		show.Text = "Check whether the finalizer is gone"
		return []diagnose.Fix{fix, show}
	}
	return []diagnose.Fix{show, fix}
}

func finalizersOf(o evidence.Object) []string {
	list, _ := o.At("metadata", "finalizers").([]any)
	var names []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			names = append(names, s)
		}
	}
	return names
}

// finalizerClause names what blocks a deletion, for the end of a clause.
func finalizerClause(o evidence.Object) string {
	return message.After(", blocked by finalizer ", strings.Join(finalizersOf(o), ", "))
}
