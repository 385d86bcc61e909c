package rights

import (
	"fmt"
	"slices"
	"strings"
)

// Options are what differs from one cluster to the next.
type Options struct {
	// Account is the service account of the bot, or the user that its kubeconfig has for the cluster.
	Account Account
	// Namespaces are those that applications are deployed to; none means all.
	Namespaces []string
	// ConfigMaps are the namespaces in which ConfigMaps are read for their keys; none means Namespaces. Where there are none either it is nowhere.
	ConfigMaps []string
	// Applications are the namespaces of the Applications, none in a cluster that Argo CD only deploys to.
	Applications []string
	// SecretKeys adds the right to read Secrets, for their keys.
	SecretKeys bool
}

// Account is a service account of a namespace; a user where there is none.
type Account struct{ Namespace, Name string }

// String is the account as flags name it.
func (a Account) String() string {
	if a.Namespace == "" {
		return a.Name
	}
	return a.Namespace + ":" + a.Name
}

// The names of the roles.
const (
	roleRead       = "argo-why-read"
	roleCluster    = "argo-why-read-cluster"
	roleEvents     = "argo-why-read-cluster-events"
	roleIdentify   = "argo-why-identify"
	roleSecretKeys = "argo-why-secret-keys"
	roleConfigMaps = "argo-why-configmap-keys"
)

// role is a set of rights with who has them where.
type role struct {
	name, says string
	rights     []Right
	// namespaces are those that it is for; none means the whole cluster.
	namespaces []string
}

// Roles are the roles that give an account the rights, with their bindings, as YAML.
func Roles(all []Right, o Options) string {
	var b strings.Builder
	for _, r := range roles(all, o) {
		if len(r.rights) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("---\n")
		}
		b.WriteString(r.yaml(o.Account))
	}
	return b.String()
}

func roles(all []Right, o Options) []role {
	pick := func(wanted func(Right) bool) []Right {
		return slices.DeleteFunc(slices.Clone(all), func(r Right) bool { return !wanted(r) })
	}
	out := []role{{
		name: roleRead, namespaces: o.Namespaces,
		says:   "What applications depend on in their namespaces and what is not part of them.",
		rights: pick(func(r Right) bool { return !r.Optional && !r.Named && !r.ClusterScoped }),
	}}
	if named := o.configMaps(); len(named) > 0 {
		out = append(out, role{
			name: roleConfigMaps, namespaces: named,
			says:   "Only in namespaces that are named: people put passwords into ConfigMaps, too. The bot keeps only the keys.",
			rights: pick(func(r Right) bool { return r.Named }),
		})
	}
	if o.SecretKeys {
		out = append(out, secretKeys(all, o))
	}
	if len(o.Applications) > 0 {
		out = append(out, role{
			name: roleIdentify, namespaces: o.Applications,
			says:   "In the namespaces of the Applications: the Application shows that this is the cluster that Argo CD runs in.",
			rights: []Right{{Outside: applications}},
		})
	}
	if len(o.Namespaces) > 0 && !slices.Contains(o.Namespaces, "default") {
		out = append(out, role{
			name: roleEvents, namespaces: []string{"default"},
			says:   "Kubernetes keeps the events about cluster-scoped objects in namespace default.",
			rights: pick(func(r Right) bool { return r.Kind == "Event" }),
		})
	}
	return append(out, role{
		name:   roleCluster,
		says:   "The same for objects without a namespace. Roles cannot give these rights; leave it out if you cannot create it.",
		rights: pick(func(r Right) bool { return r.ClusterScoped }),
	})
}

// configMaps are the namespaces in which ConfigMaps are read.
func (o Options) configMaps() []string {
	if len(o.ConfigMaps) > 0 {
		return o.ConfigMaps
	}
	return o.Namespaces
}

// SecretKeys is the optional role alone.
func SecretKeys(all []Right, o Options) string { return secretKeys(all, o).yaml(o.Account) }

func secretKeys(all []Right, o Options) role {
	return role{
		name: roleSecretKeys, namespaces: o.Namespaces,
		says:   "Optional. Kubernetes has no right to the keys of a Secret alone: with this one the account can read the values as well. The\n# bot drops them as soon as they arrive, before it keeps, records or shows anything.",
		rights: slices.DeleteFunc(slices.Clone(all), func(r Right) bool { return !r.Optional }),
	}
}

// yaml is the role and its binding: of the cluster, or one of each in every namespace.
func (r role) yaml(to Account) string {
	if len(r.namespaces) == 0 {
		return r.document("Cluster", "", to)
	}
	var documents []string
	for _, namespace := range r.namespaces {
		documents = append(documents, r.document("", namespace, to))
	}
	return strings.Join(documents, "---\n")
}

func (r role) document(scope, namespace string, to Account) string {
	var b strings.Builder
	head := func(kind string) {
		fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: %s%s\nmetadata:\n  name: %s\n", scope, kind, r.name)
		if namespace != "" {
			fmt.Fprintf(&b, "  namespace: %s\n", namespace)
		}
		b.WriteString("  labels:\n    app.kubernetes.io/part-of: argo-why\n")
	}
	fmt.Fprintf(&b, "# %s\n", r.says)
	head("Role")
	b.WriteString("rules:\n")
	for line := range strings.Lines(r.rules()) {
		b.WriteString("  " + line)
	}
	b.WriteString("---\n")
	head("RoleBinding")
	fmt.Fprintf(&b, "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: %sRole\n  name: %s\nsubjects:\n", scope, r.name)
	if to.Namespace == "" {
		fmt.Fprintf(&b, "  - apiGroup: rbac.authorization.k8s.io\n    kind: User\n    name: %q\n", to.Name)
	} else {
		fmt.Fprintf(&b, "  - kind: ServiceAccount\n    namespace: %s\n    name: %s\n", to.Namespace, to.Name)
	}
	return b.String()
}

// rules are what the role grants, as a list in YAML.
func (r role) rules() string {
	var b strings.Builder
	for _, right := range r.rights {
		fmt.Fprintf(&b, "# %s\n", right.reason())
		group := right.Group
		if group == "" {
			group = `""`
		}
		fmt.Fprintf(&b, "- apiGroups: [%s]\n  resources: [%s]\n", group, right.Resource)
		if right.Only != "" {
			fmt.Fprintf(&b, "  resourceNames: [%s]\n", right.Only)
		}
		fmt.Fprintf(&b, "  verbs: [%s]\n", right.Verb())
	}
	return b.String()
}

// Rules are the rules of every role by its name, without the argo-why- that begins it: the Helm chart makes the roles of them.
func Rules(all []Right) map[string]string {
	out := map[string]string{}
	// With options that leave out none of the roles.
	for _, r := range roles(all, Options{Namespaces: []string{""}, Applications: []string{""}, SecretKeys: true}) {
		out[strings.TrimPrefix(r.name, "argo-why-")] = r.rules()
	}
	return out
}

// reason is why a right is given.
func (r Right) reason() string {
	if len(r.Rules) == 0 {
		return "To see that this is the cluster that Argo CD runs in."
	}
	return fmt.Sprintf("To say %s (%s).", r.Unknown, strings.Join(r.Rules, ", "))
}
