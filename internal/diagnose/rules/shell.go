package rules

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// argoNamespace is the namespace that Argo CD itself runs in, for commands about its parts.
func argoNamespace(in *diagnose.In) string {
	return cmp.Or(in.App().Status.ControllerNamespace, "argocd")
}
