package advice

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ArgoPart is the name of a component of Argo CD (such as "repo-server"): of its workload and its Service. All components of an installation
// begin alike: with argocd, the Helm release (argo-cd-argocd), the ArgoCD resource of an operator, or a prefix of Kustomize.
func ArgoPart(in *diagnose.In, component string) string { return argoPrefix(in) + "-" + component }

// Controller is the application controller as kubectl takes it.
func Controller(in *diagnose.In) string {
	return "statefulset/" + ArgoPart(in, "application-controller")
}

// ArgoPods is the label selector for the pods of a component. Helm and Kustomize leave the label alone when they add to the names, an operator
// does not.
func ArgoPods(in *diagnose.In, component string) string {
	switch prefix := argoPrefix(in); {
	case prefix == plainPrefix || ByOperator(in):
		return "app.kubernetes.io/name=" + prefix + "-" + component
	default:
		return "'app.kubernetes.io/name in (" + plainPrefix + "-" + component + "," + prefix + "-" + component + ")'"
	}
}

// ArgoLogs are the logs of a component of Argo CD that the evidence has.
func ArgoLogs(in *diagnose.In, component string) []evidence.Log {
	logs, _ := diagnose.Peek(in, evidence.FactOwnLogs)
	var out []evidence.Log
	for _, l := range logs {
		if m := ownPod.FindStringSubmatch(l.Pod); m != nil && m[2] == component && l.Namespace == ArgoNamespace(in) {
			out = append(out, l)
		}
	}
	return out
}

// plainPrefix begins the names in the manifests that Argo CD publishes.
const plainPrefix = "argocd"

var (
	// ownPod is the name of a pod of Argo CD: of a Deployment's ReplicaSet, or of a StatefulSet.
	ownPod = pattern.MustCompile(`^([a-z0-9][a-z0-9-]*?)-(repo-server|application-controller|applicationset-controller|dex-server|notifications-controller|server)(?:-[a-z0-9]{6,10}-[a-z0-9]{5}|-\d+)$`)
	// ownService is the repo-server's Service, as a message about a connection names it.
	ownService = pattern.MustCompile(`(?:lookup |//|dial:? |")([a-z0-9][a-z0-9-]*)-repo-server(?:[.:]|$| on )`)
)

// argoPrefix is what the names of Argo CD's components begin with, as far as the evidence shows it.
func argoPrefix(in *diagnose.In) string {
	if argocd := Operator(in); argocd != "" {
		return argocd
	}
	prefix, _ := diagnose.Once(in, "prefix of Argo CD's parts", func() (string, bool) { return findPrefix(in), true })
	return prefix
}

func findPrefix(in *diagnose.In) string {
	logs, _ := diagnose.Peek(in, evidence.FactOwnLogs)
	for _, l := range logs {
		if m := ownPod.FindStringSubmatch(l.Pod); m != nil && l.Namespace == ArgoNamespace(in) {
			return m[1]
		}
	}
	for _, s := range in.Statements() {
		if !s.Failure.Mentions("-repo-server") {
			continue
		}
		if m := ownService.FindStringSubmatch(s.Failure.Flat()); m != nil {
			return m[1]
		}
	}
	return plainPrefix
}
