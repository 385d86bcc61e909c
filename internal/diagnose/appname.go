package diagnose

import "github.com/argo-why/argo-why/internal/evidence"

// AppName identifies an application: the Argo CD instance (empty for the only one), its namespace, its name.
type AppName struct {
	Instance  string `json:"instance"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Label is what people read of the application: the name, with the namespace in front where it is outside of those that Argo CD is usually
// in, as the argocd command has it. No two applications of an Argo CD have the same label. It does not depend on which others there are: a message that was
// posted before the second application of a name began to fail tells the two apart as well, and a label says nothing about one that its
// reader may not see.
func (a AppName) Label() string { return evidence.AppLabel(a.Namespace, a.Name) }

// Full is the label with the Argo CD instance in front, where there are several.
func (a AppName) Full() string {
	if a.Instance == "" {
		return a.Label()
	}
	return a.Instance + "/" + a.Label()
}

// On is Full, with the cluster behind it where no Argo CD instance is in front: "shop@staging". In front of the name it would be read as a namespace
// or an instance.
func (a AppName) On(cluster string) string {
	name := a.Full()
	if a.Instance != "" || cluster == "" || cluster == name {
		return name
	}
	return name + "@" + cluster
}
