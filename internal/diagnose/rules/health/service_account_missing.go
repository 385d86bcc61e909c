package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ServiceAccountMissing = &diagnose.Rule{
	ID:    "health/service-account-missing",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "Service account of the pods is missing",
		What:     "The sync succeeded, but the controller of the workload cannot create its pods: their ServiceAccount does not exist in the namespace.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet, DaemonSet or Job: \"error looking up service account\".",
		Example:  "pods \"web-5d8f7c9b64-\" is forbidden: error looking up service account shop/web: serviceaccount \"web\" not found",
		Fix:      "Create the ServiceAccount, or correct the name.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/"},
	},
	Sync:       advice.Pointless("the cluster already matches Git; the service account is still missing"),
	Recognises: refusedPods{},
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		m := accountLookup.FindStringSubmatch(s.Failure.Text)
		if !s.Derived() || m == nil {
			return diagnose.Finding{}, false
		}
		ns, name := m[1], m[2]
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: ServiceAccount/%s is missing", statement.Name(s), name),
			Why:        fmt.Sprintf("Until it exists in namespace %s, the API server rejects every pod that uses it.", ns),
		}
		list := diagnose.Fix{Text: "List the service accounts of the namespace", Command: diagnose.Shell("kubectl -n %s get serviceaccounts", ns)}
		if other := statement.OwnElsewhere(in, "ServiceAccount", ns, name); other != nil {
			why, fix := statement.InWrongNamespace(other, ns)
			f.Why += " " + why
			f.Fix = append(f.Fix, fix, list)
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncPointless, Why: fmt.Sprintf("it applies the service account to namespace %s again", other.Namespace)}
			return f, true
		}
		if r := statement.OwnIn(in, "ServiceAccount", ns, name); r != nil {
			needy := in.Resource(s.Resource)
			order := ""
			step := diagnose.Fix{Text: "Check why it was not created, or who deleted it; a sync creates it", Command: diagnose.Shell("kubectl -n %s get serviceaccount %s", ns, name)}
			if needy != nil && needy.SyncWave < r.SyncWave {
				order = waveOrder(needy.Ref(), needy.SyncWave, r.SyncWave)
				step = diagnose.Fix{Text: "In Git, move it to the sync wave of the workload: within a wave Argo CD creates service accounts first", Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", r.Ref(), needy.SyncWave)}
			}
			f.Why += fmt.Sprintf(" This application creates it in sync wave %d%s.", r.SyncWave, order)
			f.Fix = append(f.Fix, step, list)
			return f, true
		}
		step := diagnose.Fix{Text: "Add it to Git, or correct serviceAccountName there; as a stopgap, create it directly. The controller then retries by itself", Command: diagnose.Shell("kubectl -n %s create serviceaccount %s", ns, name)}
		if meant, ok := statement.Misnamed(in, &f, evidence.Ref{Kind: "ServiceAccount", Namespace: ns, Name: name}, statement.Name(s)); ok {
			step = meant
		}
		f.Fix = append(f.Fix, step, list)
		return f, true
	}),
}

var accountLookup = pattern.MustCompile(`error looking up service account ([^/\s]+)/([^:\s]+):`)
