package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// tools are the field managers of what people use, by how their names begin. Dashboards in a browser are "Mozilla"; Lens
// is "node-fetch" in older versions; argocd-server writes for people who use Argo CD's own UI (edit, restart).
var tools = []string{
	"kubectl", "oc", "k9s", "Lens", "OpenLens", "Freelens", "node-fetch", "Mozilla", "dashboard", "kubernetes-dashboard", "headlamp", "Headlamp", "octant",
	"rancher-ui", "rancher", "argocd-server", "helm", "curl", "kubesphere-console", "console", "bridge", "okteto", "skaffold", "tilt", "telepresence", "python-requests", "OpenAPI-Generator", "PostmanRuntime",
	"Terraform", "terraform", "HashiCorp", "pulumi", "pulumi-kubernetes", "ansible", "werf", "kapp",
}

func isPerson(o drift.Owner) bool {
	name := o.Manager
	return slices.ContainsFunc(tools, func(tool string) bool {
		rest, ok := strings.CutPrefix(name, tool)
		return ok && (rest == "" || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".")) &&
			!strings.HasSuffix(rest, "-controller") && !strings.HasSuffix(rest, "-operator") && !strings.HasSuffix(rest, "-manager")
	})
}

// ownerOf is who wrote the live value: the last to write it that is not Argo CD, else Argo CD.
func ownerOf(f drift.Field) drift.Owner {
	for _, o := range f.Owners {
		if !isArgo(o) && o.Manager != beforeFirstApply {
			return o
		}
	}
	if len(f.Owners) > 0 && f.Owners[0].Manager != beforeFirstApply {
		return f.Owners[0]
	}
	return drift.Owner{}
}

// isUnknown reports whether someone wrote the live value and nobody knows who.
func isUnknown(f *drift.Field) bool {
	return len(f.Owners) > 0 && !slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return o.Manager != beforeFirstApply })
}

// beforeFirstApply is what the API server calls whoever wrote before it kept managedFields of the object: nobody knows.
const beforeFirstApply = "before-first-apply"

// foreignWriter is the owner if it is not Argo CD's controller.
func foreignWriter(f *drift.Field) (drift.Owner, bool) {
	o := ownerOf(*f)
	if isArgo(o) {
		return drift.Owner{}, false
	}
	return o, o.Manager != ""
}

// writer is the manager of the live value that is not Argo CD; "" where nobody else wrote it.
func writer(_ *resource, f *drift.Field) string {
	o, _ := foreignWriter(f)
	return o.Manager
}

// isArgo: the application controller, under the names it has had. argocd-server writes on behalf of people.
func isArgo(o drift.Owner) bool {
	switch o.Manager {
	case "argocd-controller", "argocd-application-controller", "argocd":
		return true
	}
	return false
}

// writerText is who and when: "kubectl scale", "cainjector 2 h ago".
func writerText(in *diagnose.In, o drift.Owner) string {
	out := managerText(o)
	switch {
	case o.Subresource == "":
	case o.Manager == "kubectl": // kubectl scale
		out += " " + o.Subresource
	default:
		out += " (" + o.Subresource + ")"
	}
	return out + agoClause(in, o.Time)
}

// lastWritten says who wrote the live value: "It was last written by cainjector 2 h ago".
func lastWritten(in *diagnose.In, o drift.Owner) string {
	if isPerson(o) {
		return "It was last written with " + whoWrote(o) + clientNote(o) + agoClause(in, o.Time)
	}
	return "It was last written by " + managerText(o) + clientNote(o) + agoClause(in, o.Time)
}

// clients are the field managers of client libraries: whoever uses one and sets no name of its own.
var clients = map[string]string{"OpenAPI-Generator": "Python", "fabric8-kubernetes-client": "Java", "Kubernetes Java Client": "Java"}

// clientNote says of a manager that is only a library what it is.
func clientNote(o drift.Owner) string {
	if language, ok := clients[o.Manager]; ok {
		return fmt.Sprintf(" (a program in %s)", language)
	}
	return ""
}

// managerText is the name of a field manager; one that could be anything is called a field manager.
func managerText(o drift.Owner) string {
	if generic(o.Manager) {
		return fmt.Sprintf("field manager %q", o.Manager)
	}
	if name, ok := strings.CutPrefix(o.Manager, "externalsecrets.external-secrets.io/"); ok {
		return "ExternalSecret/" + name
	}
	return o.Manager
}

// generic reports whether a manager has a name that could be anything.
func generic(manager string) bool {
	return slices.Contains([]string{"controller", "manager", "operator", "main", "unknown"}, manager)
}

// agoClause is how long ago a moment was, as the end of a clause: " 2 h ago".
func agoClause(in *diagnose.In, t evidence.Time) string {
	if d := in.Since(t); d > 0 {
		return " " + text.Age(d) + " ago"
	}
	return ""
}
