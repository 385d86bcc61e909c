package rules

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// sh and raw are short for what every rule writes its commands with: see [diagnose.Shell].
var sh = diagnose.Shell

type raw = diagnose.Raw

// argoNamespace is the namespace that Argo CD itself runs in, for commands about its parts.
func argoNamespace(in *diagnose.In) string {
	return cmp.Or(in.App().Status.ControllerNamespace, "argocd")
}
