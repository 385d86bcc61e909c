package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ofController is the service account of Argo CD's application controller as its install manifests call it. A role binding of that name
// comes with it, for namespace argocd: who installs Argo CD elsewhere has to change it.
var ofController = pattern.MustCompile(`^system:serviceaccount:([^:]+):(argocd-application-controller)$`)

// boundElsewhere gives the finding about missing rights in the whole cluster the binding that is for the same account of another
// namespace. Where it was not read, it is the first thing to look at, unless the controller runs where the manifests expect it.
func boundElsewhere(in *diagnose.In, g *grant, f *diagnose.Finding) {
	m := ofController.FindStringSubmatch(g.user)
	if m == nil || !g.ownCluster || g.namespace != "" {
		return
	}
	namespace, name := m[1], m[2]
	fact := evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Name: name}})
	read := diagnose.Peek[evidence.Object]
	if namespace != "argocd" {
		read = diagnose.Look[evidence.Object]
	}
	binding, _ := read(in, fact)
	place, other, known := subjectElsewhere(binding, namespace, name)
	switch {
	case known:
		f.Title = "The cluster role of Argo CD is bound to namespace " + other
		f.Why += fmt.Sprintf(" ClusterRoleBinding/%s gives the account its rights, but names the one of namespace %s; this Argo CD runs in %s. So it has none of them, for other resources either.", name, other, namespace)
		patch := fmt.Sprintf(`[{"op":"replace","path":"/subjects/%d/namespace","value":%q}]`, place, namespace)
		f.Fix = []diagnose.Fix{
			{Text: "Correct the namespace in the binding, also where Argo CD is installed from", Command: diagnose.Shell("kubectl patch clusterrolebinding %s --type=json -p %s", name, patch)},
			{Text: "See whether the bindings of Argo CD's other accounts, such as argocd-server, name the wrong namespace too", Command: "kubectl get clusterrolebindings -o wide | grep argocd"},
			f.Fix[len(f.Fix)-1],
		}
	case binding == nil && namespace != "argocd":
		look := diagnose.Fix{Text: fmt.Sprintf("See whether Argo CD's own binding names namespace %s: its install manifests name argocd. If it does not, correct that", namespace), Command: diagnose.Shell("kubectl get clusterrolebinding %s -o yaml", name)}
		f.Fix = append([]diagnose.Fix{look}, f.Fix...)
		f.Fix[1].Text = "Otherwise c" + f.Fix[1].Text[1:]
	}
}

// subjectElsewhere is the subject of a binding that is the account of that name in another namespace, where none is that of its own.
func subjectElsewhere(binding evidence.Object, namespace, name string) (place int, other string, ok bool) {
	subjects, _ := binding["subjects"].([]any)
	for i, s := range subjects {
		subject, _ := s.(map[string]any)
		if subject["kind"] != "ServiceAccount" || subject["name"] != name {
			continue
		}
		switch in, _ := subject["namespace"].(string); {
		case in == namespace:
			return 0, "", false
		case in != "" && !ok:
			place, other, ok = i, in, true
		}
	}
	return place, other, ok
}
