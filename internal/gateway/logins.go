package gateway

import (
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/kube"
)

// Logins are what the commands of this machine are connected to, to be suggested to a person: the server of argocd, and the name of kubectl's
// context. Empty where there is none.
func Logins() (argoCD, kubeContext string) { return argo.CurrentServer(), kube.CurrentContext() }

// Contexts are those of the argocd command and of kubectl, which the options can name.
func (o Options) Contexts() (argoCD, kubeconfig []string) {
	return argo.Contexts(o.Argo.ConfigPath), kube.Contexts(o.Clusters.Kubeconfig)
}
