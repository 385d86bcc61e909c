package advice

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Dotted is a resource as kubectl takes it: with its group, where it has one.
func Dotted(resource, group string) string {
	if group == "" {
		return resource
	}
	return resource + "." + group
}

// maxNamed is how many resources a sentence names.
const maxNamed = 6

// Names are the first objects of a list.
func Names(refs []evidence.Ref) string {
	var out []string
	for _, r := range refs[:min(len(refs), maxNamed)] {
		out = append(out, r.String())
	}
	if more := len(refs) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

// WithPort is a host with a port: its own, or else that one.
func WithPort(host, port string) string {
	for i := len(host) - 1; i >= 0; i-- {
		if host[i] == ':' {
			return host
		}
	}
	return host + ":" + port
}

// ArgoNamespace is the namespace that Argo CD itself runs in, for commands about its parts.
func ArgoNamespace(in *diagnose.In) string {
	return cmp.Or(in.App().Status.ControllerNamespace, "argocd")
}

// OnCluster says on which cluster something is that many applications share.
func OnCluster(in *diagnose.In) string {
	d := in.App().Spec.Destination
	return " on cluster " + cmp.Or(d.Name, d.Server, "unknown")
}

// AppName is the application as the argocd command takes it.
func AppName(in *diagnose.In) string { return cmp.Or(in.App().Argument(), "APP") }

// Project is the application's project; Argo CD's default one when it names none.
func Project(in *diagnose.In) string {
	return cmp.Or(in.App().Spec.Project, "default")
}
