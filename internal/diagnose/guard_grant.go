package diagnose

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
)

// reads are the verbs of RBAC that change nothing.
var reads = []string{"get", "list", "watch"}

// refusesRole is why a role for the whole cluster is not printed; empty where it is. What Argo CD is refused is a text, and a hook's own message
// stands where that of the API server does. So Argo CD may be given to read what a text names, and to write what the resource itself is, if its
// project lets applications have that kind; never to give others rights.
func (g *guard) refusesRole(f *Finding, c *change.Change) string {
	if c.Verb != "create" || len(c.Targets) == 0 || c.Targets[0].Kind != "clusterrole" {
		return ""
	}
	writes := slices.ContainsFunc(listOf(c, "--verb="), func(verb string) bool { return !slices.Contains(reads, verb) })
	if !writes {
		return ""
	}
	if slices.ContainsFunc(listOf(c, "--verb="), func(verb string) bool {
		return slices.Contains([]string{"bind", "escalate", "impersonate", "use", "*"}, verb)
	}) {
		return notKnownNeed
	}
	own := evidence.GroupKind{Group: f.Resource.Group, Kind: f.Resource.Kind}
	for _, resource := range listOf(c, "--resource=") {
		name, _, _ := strings.Cut(resource, ".")
		name, _, _ = strings.Cut(name, "/")
		if name != "namespaces" && !isPlural(name, own.Kind) {
			return notKnownNeed
		}
		if project, judges := g.readProject(); name != "namespaces" && judges && !g.allowsClusterKind(project, own) {
			return notKnownNeed
		}
	}
	return ""
}

// grantsTooMuch reports whether one of the finding's steps makes a role for the whole cluster that is not printed: then none binds it.
func (g *guard) grantsTooMuch(f *Finding) bool {
	return slices.ContainsFunc(f.Fix, func(step Fix) bool {
		return slices.ContainsFunc(g.changesOf(&step), func(c change.Change) bool { return g.refusesRole(f, &c) != "" })
	})
}

// listOf is the list that a flag has.
func listOf(c *change.Change, flag string) []string {
	for _, w := range c.Words {
		if list, ok := strings.CutPrefix(w, flag); ok {
			return strings.Split(list, ",")
		}
	}
	return nil
}

// isPlural reports whether RBAC calls a kind so.
func isPlural(resource, kind string) bool {
	kind = strings.ToLower(kind)
	return kind != "" && slices.Contains([]string{kind, kind + "s", kind + "es", strings.TrimSuffix(kind, "y") + "ies"}, resource)
}
