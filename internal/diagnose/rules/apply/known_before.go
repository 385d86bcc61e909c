package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// knownBefore is about a request for a resource that the API server answers with 404. Argo CD sends one only for a kind that it has found on
// the cluster, so the kind was there and is gone, or is served in another way by now.
func knownBefore(in *diagnose.In, s *diagnose.Statement, k unknownKind, list diagnose.Fix) diagnose.Finding {
	kind := s.Resource.Kind
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      of(statement.Name(s), "API server does not know this path"),
		Why:        fmt.Sprintf("The API server answers 404 to a request for %s, a kind that Argo CD has found on the cluster before. Since then its CRD was removed, or now has another scope or version than Argo CD writes to.", k),
		Shared:     "kind " + advice.Dotted(k.kind, k.group) + advice.OnCluster(in),
		Sync:       advice.Pointless("the API server will answer the same until the CRD and the manifest fit together"),
	}
	if kind != "" {
		out.Short = kind + ": API server does not know this path"
	}
	fit := "If it is listed with another version, set that as apiVersion in Git; then push"
	if s.Resource.Namespace != "" {
		out.Why += fmt.Sprintf(" Argo CD writes to namespace %s, and a cluster-scoped kind has no such path.", s.Resource.Namespace)
		fit = "If NAMESPACED is false, the kind is cluster-scoped: remove metadata.namespace in Git; if it is listed with another version, set that as apiVersion. Then push"
	}
	list.Text = "See whether the cluster still serves the kind, in which version and scope"
	out.Fix = []diagnose.Fix{
		list,
		{Text: "If it is not listed, install " + k.provider() + ", before this application is synced"},
		{Text: fit},
		{Text: "If it is listed as the manifest has it, Argo CD remembers the old one: clear the cache of the cluster (Settings, Clusters, Invalidate cache), or restart the application controller", Command: diagnose.Shell("kubectl -n %s rollout restart %s", advice.ArgoNamespace(in), advice.Controller(in))},
	}
	if crd := ownCRD(in, s.Resource.Kind, k.group); crd != nil {
		out.Why += fmt.Sprintf(" This application contains %s.", crd.Ref())
		out.Fix[1] = diagnose.Fix{Text: "If it is not listed, let the CRD be applied first: skip the dry run of this resource", Patch: skipDryRun + afterWave(in, s, crd)}
	}
	return out
}
