package health

import (
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var ServiceAccountMissing = &diagnose.Rule{
	ID:    "health/service-account-missing",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The pods' service account does not exist",
		What:     "The sync succeeded, but the controller of the workload may not create its pods: they name a ServiceAccount that is not in their namespace.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet, DaemonSet or Job: \"error looking up service account\".",
		Example:  "pods \"web-5d8f7c9b64-\" is forbidden: error looking up service account shop/web: serviceaccount \"web\" not found",
		Fix:      "Create the ServiceAccount, or correct the name.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/"},
	},
	Sync:       advice.Pointless("what Git wants is applied; the pods need their service account"),
	Recognises: refusedPods{},
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		m := accountLookup.FindStringSubmatch(s.Failure.Text)
		if !s.Derived() || m == nil {
			return diagnose.Finding{}, false
		}
		ns, name := m[1], m[2]
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s gets no pods: ServiceAccount/%s is missing", statement.Name(s), name),
			Why:        fmt.Sprintf("The pods of %s run as ServiceAccount %s of namespace %s, which does not exist, so the API server refuses them.", statement.Name(s), name, ns),
			Fix:        []diagnose.Fix{{Text: "See which there are", Command: diagnose.Shell("kubectl -n %s get serviceaccounts", ns)}},
		}
		if r := statement.OwnResource(in, "ServiceAccount", name); r != nil {
			f.Why += fmt.Sprintf(" %s is part of this application, in wave %d.", r.Ref(), r.SyncWave)
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Apply it before the workload, and look at why it is not there", Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"-1\"\n", r.Ref())})
			return f, true
		}
		f.Fix = append(f.Fix, diagnose.Fix{Text: "It is not part of this application: add it to Git, or correct serviceAccountName; the controller then tries again by itself", Command: diagnose.Shell("kubectl -n %s create serviceaccount %s", ns, name)})
		return f, true
	}),
}

var accountLookup = regexp.MustCompile(`error looking up service account ([^/\s]+)/([^:\s]+):`)
