package advice

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// OwnCluster reports whether the destination is the cluster that Argo CD itself runs in.
func OwnCluster(in *diagnose.In) bool {
	d := in.App().Spec.Destination
	return d.Server == "https://kubernetes.default.svc" || d.Name == "in-cluster"
}

// SeeConnection is the step that shows how Argo CD sees its connection to the destination.
func SeeConnection(in *diagnose.In, text string) diagnose.Fix {
	d := in.App().Spec.Destination
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd cluster get %s", cmp.Or(d.Server, d.Name, "SERVER"))}
}

// RenewLogin are the steps for a cluster that does not accept Argo CD's credentials. In its own cluster it has the token of its service
// account, which no command of Argo CD renews.
func RenewLogin(in *diagnose.In) []diagnose.Fix {
	fix := diagnose.Fix{Text: "Renew Argo CD's credentials for the cluster (CONTEXT is the cluster in your kubeconfig)", Command: "argocd cluster add CONTEXT --upsert"}
	if OwnCluster(in) {
		fix = diagnose.Fix{Text: "Restart the controller, so it reads the token of its service account again", Command: diagnose.Shell("kubectl -n %s rollout restart %s", ArgoNamespace(in), Controller(in))}
	}
	return []diagnose.Fix{fix, SeeConnection(in, "Check how Argo CD sees its connection to the cluster")}
}
