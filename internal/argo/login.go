package argo

import "github.com/argoproj/argo-cd/v2/util/localconfig"

// CurrentServer is the server that the argocd command is logged in to, as host or host:port; "" if it is to none.
func CurrentServer() string {
	path, err := localconfig.DefaultLocalConfigPath()
	if err != nil {
		return ""
	}
	file, err := localconfig.ReadLocalConfig(path)
	if err != nil || file == nil || file.CurrentContext == "" {
		return ""
	}
	current, err := file.ResolveContext("")
	if err != nil || current.Server.Core || current.Server.PlainText {
		return ""
	}
	return current.Server.Server
}

// Contexts are the logins of the argocd command, in the file at path; "" is its usual one.
func Contexts(path string) []string {
	if path == "" {
		var err error
		if path, err = localconfig.DefaultLocalConfigPath(); err != nil {
			return nil
		}
	}
	file, err := localconfig.ReadLocalConfig(path)
	if err != nil || file == nil {
		return nil
	}
	var names []string
	for _, c := range file.Contexts {
		names = append(names, c.Name)
	}
	return names
}
