package kube

import (
	"maps"
	"slices"
)

// CurrentContext is the name of the context that kubectl uses; "" if there is none.
func CurrentContext() string {
	config, err := Open(Options{}).kubeconfig()
	if err != nil {
		return ""
	}
	return config.CurrentContext
}

// Contexts are those of a kubeconfig; "" is the one that kubectl uses.
func Contexts(file string) []string {
	config, err := Open(Options{Kubeconfig: file}).kubeconfig()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(config.Contexts))
}
