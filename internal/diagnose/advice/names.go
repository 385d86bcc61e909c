package advice

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
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

// Names lists objects within a sentence: the first ones by name, and how many more there are.
func Names(refs []evidence.Ref) string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.String()
	}
	return text.List(out, maxNamed)
}

// WithPort is a host with a port: its own if it has one, otherwise the given one.
func WithPort(host, port string) string {
	for i := len(host) - 1; i >= 0; i-- {
		if host[i] == ':' {
			return host
		}
	}
	return host + ":" + port
}

// ArgoNamespace is the namespace that Argo CD itself runs in, for commands about its components.
func ArgoNamespace(in *diagnose.In) string {
	return in.App().ArgoNamespace()
}

// OnCluster names the cluster of something that many applications share.
func OnCluster(in *diagnose.In) string {
	d := in.App().Spec.Destination
	return " on cluster " + cmp.Or(d.Name, d.Server, "unknown")
}

// AppName is the application as the argocd command takes it.
func AppName(in *diagnose.In) string { return cmp.Or(in.App().Argument(), "APP") }

// Project is the application's project; Argo CD's default one when it names none.
func Project(in *diagnose.In) evidence.Name { return evidence.Name(in.App().ProjectName()) }

// Generator is the ApplicationSet that the Application comes from; empty where it comes from none. It overwrites what is changed in the
// Application itself.
func Generator(in *diagnose.In) string {
	for _, o := range in.App().Metadata.OwnerReferences {
		if o.Kind == "ApplicationSet" {
			return o.Name
		}
	}
	return ""
}

// Manifest is where the Application is defined.
func Manifest(in *diagnose.In) string {
	if set := Generator(in); set != "" {
		return "the template of ApplicationSet " + set
	}
	return "the Application's manifest"
}
