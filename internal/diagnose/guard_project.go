package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
)

// refusesProject judges a command that changes a project. It is for this application, and what is to let its namespace in names no other one: an
// application can name any project.
func (g *guard) refusesProject(f *Finding, c *change.Change) string {
	own := g.r.app.Metadata.Namespace
	if c.Targets[0].Name != g.r.app.ProjectName() {
		return notOwn
	}
	if c.Verb == "proj add-source-namespace" {
		if len(c.Words) < 5 || c.Words[4] != own && c.Words[4] != "NAMESPACE" { // to be filled in
			return notOwn
		}
		return ""
	}
	project, _ := g.readProject()
	switch {
	case g.unreadProject():
		return notOwn
	case project != nil && !project.Admits(own):
		return notAdmitted
	case strings.HasPrefix(c.Verb, "proj allow-"):
		return refusesKind(f, c)
	}
	if strings.HasPrefix(c.Verb, "proj add-destination") && (len(c.Words) < 6 || g.isSystem(c.Words[5])) {
		return notForTenants
	}
	return ""
}

// refusesKind judges a command that lets a project have a kind: one that the finding is about. The message of a hook can speak of any other.
func refusesKind(f *Finding, c *change.Change) string {
	if len(c.Words) < 6 || !slices.ContainsFunc(append([]evidence.Ref{f.Resource}, f.Others...), func(r evidence.Ref) bool {
		return r.Group == c.Words[4] && r.Kind == c.Words[5]
	}) {
		return notOwn
	}
	return ""
}

// ruling are the kinds by which whoever has them rules more than their own namespaces, or gives others rights.
var ruling = []evidence.GroupKind{
	{Group: "rbac.authorization.k8s.io", Kind: "*"}, {Group: "admissionregistration.k8s.io", Kind: "*"}, {Group: "apiregistration.k8s.io", Kind: "*"},
	{Group: "certificates.k8s.io", Kind: "*"}, {Group: "argoproj.io", Kind: "App*"}, {Group: "", Kind: "Node"},
}

// rules reports whether a command lets a project have such a kind.
func rules(c *change.Change) bool {
	return strings.HasPrefix(c.Verb, "proj allow-") && len(c.Words) > 5 && slices.ContainsFunc(ruling, func(e evidence.GroupKind) bool {
		return e.Matches(evidence.GroupKind{Group: c.Words[4], Kind: c.Words[5]})
	})
}

// isSystem reports whether whoever deploys to a namespace rules more than what is in it.
func (g *guard) isSystem(namespace string) bool {
	return namespace == g.argoNamespace() || namespace == g.r.app.ArgoNamespace() || namespace == "argocd" || evidence.OfPlatform(namespace)
}

// argoNamespace is where Argo CD runs: where the project is. The status says it as well, but not to be believed, so where the project could not
// be read it is the usual one.
func (g *guard) argoNamespace() string {
	project, _ := g.readProject()
	if project == nil {
		return "argocd"
	}
	return cmp.Or(project.Metadata.Namespace, "argocd")
}

// onlyByStatus reports whether Argo CD's namespace is this one by the word of the status alone, and its project is in another one: a step for
// Argo CD's settings would then put them, and what they hold, into the hands of whoever wrote the status.
func (g *guard) onlyByStatus(namespace string) bool {
	said := g.r.app.Status.ControllerNamespace
	if said == "" || namespace != said {
		return false
	}
	_, judges := g.readProject()
	return judges && said != g.argoNamespace()
}

// readProject reads the project, when a command first depends on it. It is nil where there is none of the name that the application gives, and
// where Argo CD does not show it: then it lets the application do nothing. judges is false only for a file without it, which was saved by
// somebody with rights of their own: the destination stands for it.
func (g *guard) readProject() (project *evidence.Project, judges bool) {
	project, read := readOnce(g, evidence.FactProject)
	return project, read || g.r.notShown(evidence.KindProject)
}

// unreadProject reports whether Argo CD does not show the project.
func (g *guard) unreadProject() bool {
	_, read := readOnce(g, evidence.FactProject)
	return !read && g.r.notShown(evidence.KindProject)
}
