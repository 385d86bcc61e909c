package advice

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
)

// behindFinalizers are the steps for finalizers of which it is known who removes them, and when.
var behindFinalizers = []struct {
	finalizer string
	step      func(evidence.Ref) diagnose.Fix
}{
	{"kubernetes.io/pvc-protection", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Delete the pods that still use the claim (listed under Used By)", Command: diagnose.Shell("kubectl %sdescribe %s", InNamespace(ref), ref.Resource())}
	}},
	{"kubernetes.io/pv-protection", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "It goes once no claim is bound to it. Look which one is; deleting that may lose its data", Command: diagnose.Shell("kubectl get pv %s", ref.Name)}
	}},
	{"customresourcecleanup.apiextensions.k8s.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Find out which of its objects is not deleted, and which finalizer blocks that one", Command: diagnose.Shell("kubectl get %s -A", ref.Name)}
	}},
	{"service.kubernetes.io/load-balancer-cleanup", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "The cloud's controller has to delete the load balancer first. Its events say what it cannot do", Command: diagnose.Shell("kubectl %sdescribe %s", InNamespace(ref), ref.Resource())}
	}},
	{"k8s.aws/resources", func(evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "The AWS Load Balancer Controller has to delete the load balancer first: check that it runs, and read its log", Command: "kubectl get pods -A -l app.kubernetes.io/name=aws-load-balancer-controller"}
	}},
	{"crossplane.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Its provider has to delete the external resource first. Its condition Synced says what it cannot do", Command: diagnose.Shell("kubectl %sdescribe %s", InNamespace(ref), ref.Resource())}
	}},
	{"resources-finalizer.argocd.argoproj.io", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Argo CD first deletes what that application deployed. Check what is left of it", Command: diagnose.Shell(program.Name()+" why %s", ref.Name)}
	}},
	{"foregroundDeletion", func(ref evidence.Ref) diagnose.Fix {
		return diagnose.Fix{Text: "Everything that it owns has to be deleted first. Look for what is left", Command: diagnose.Shell("kubectl %sget all", InNamespace(ref))}
	}},
}

// BehindFinalizer is the step that lets a finalizer go of which it is known who removes it, and when.
func BehindFinalizer(ref evidence.Ref, name string) (step diagnose.Fix, known bool) {
	for _, f := range behindFinalizers {
		if strings.Contains(name, f.finalizer) {
			return f.step(ref), true
		}
	}
	return diagnose.Fix{}, false
}
