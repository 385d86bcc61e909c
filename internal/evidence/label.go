package evidence

// Argument is the application as the argocd command takes it: its label, and with its namespace also where the status says that Argo CD is in
// another one. That a namespace is Argo CD's own is never believed of the status alone.
func (a *Application) Argument() string {
	own := a.Status.ControllerNamespace == "" || a.Status.ControllerNamespace == a.Metadata.Namespace
	if a.Metadata.Name == "" || a.Metadata.Namespace == "" || own {
		return AppLabel(a.Metadata.Namespace, a.Metadata.Name)
	}
	return a.Metadata.Namespace + "/" + a.Metadata.Name
}

// AppLabel is the name of an application with its namespace in front, except in those that Argo CD is usually in: by default, and on OpenShift.
// In any other one a name alone may be that of another application.
func AppLabel(namespace, name string) string {
	if name == "" || namespace == "" || namespace == "argocd" || namespace == "openshift-gitops" {
		return name
	}
	return namespace + "/" + name
}
